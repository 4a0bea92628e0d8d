import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginsRunLog, hasRunLogName, isRunLogFile, isRunStart, readHead } from './is-run-log.ts';

const START = '{"type":"start","log_version":1,"run_id":"r1"}';

test('knows the names of logs beside a case file', () => {
  expect(hasRunLogName('output-20261118012345-2.jsonl')).toBe(true);
  expect(hasRunLogName('output.jsonl')).toBe(false);
});

test('knows a log by how it begins', () => {
  expect(beginsRunLog(`${START}\n{"type":"result"}`)).toBe(true);
  expect(beginsRunLog('\n { "type" : "start", "run_id": "r1", "inp')).toBe(true);
  expect(beginsRunLog('{"id":"T1","input":"start"}\n')).toBe(false);
  expect(beginsRunLog('{"type":"start","id":"T1"}\n{"run_id":"r1"}')).toBe(false);
});

test('knows the first line of a log', () => {
  expect(isRunStart(JSON.parse(START))).toBe(true);
  expect(isRunStart({ type: 'start', id: 'T1' })).toBe(false);
  expect(isRunStart(null)).toBe(false);
});

test('looks into files, and takes anything else for no log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
  const file = join(folder, 'a.jsonl');
  writeFileSync(file, `\uFEFF${START}\n`);
  expect(isRunLogFile(file)).toBe(true);
  expect(isRunLogFile(folder)).toBe(false);
  expect(readHead(join(folder, 'missing'))).toBe('');
});
