import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import type { RunEvent } from '../model/event.ts';
import { jsonReport } from '../report/formats/json.ts';
import { junitReport } from '../report/formats/junit.ts';
import { openLog, readStart } from './reader.ts';
import { markdownReport } from '../report/formats/markdown.ts';
import {
  mixedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
  writeLog,
} from '../../test/fixtures/logs/agent-log.ts';
import { scriptRun } from '../../test/fixtures/logs/script-log.ts';

async function read(path: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of openLog(path).events()) events.push(event);
  return events;
}

async function problemOf(action: Promise<unknown>): Promise<unknown> {
  const error: unknown = await action.catch((thrown: unknown) => thrown);
  return error instanceof ConfigError ? error.problems[0] : error;
}

const NO_LOG_HINT = 'give the .jsonl file that `assay test` wrote, not a case file or a report';
const DAMAGED_HINT = 'the run log is damaged here; remove the line to use the rest of it';

test('reads a log as often as asked', async () => {
  const source = openLog(writeLog(mixedRun()));
  for (let time = 0; time < 2; time += 1) {
    const events: RunEvent[] = [];
    for await (const event of source.events()) events.push(event);
    expect(events).toEqual(mixedRun());
  }
});

test('leaves out a torn last line and events it does not know', async () => {
  const known = [startEvent(), resultEvent('T001')];
  const path = writeLog(
    [known[0], { type: 'attempt_started', id: 'T001' }, { ...known[1], later: {} }],
    '{"type":"result","ke',
  );
  expect(await read(path)).toEqual([known[0], { ...known[1], later: {} }]);
});

test('takes the last line of a key and the last summary of a resumed run', async () => {
  const resume: RunEvent = { type: 'resume', run_id: 'x', timestamp: '2024-12-17T11:00:00Z' };
  const kept = resultEvent('T001');
  const again = resultEvent('T002', { duration_ms: 3 });
  const last = resultEvent('T002', { duration_ms: 4 });
  const end = summaryEvent({ total: 2 });
  const path = writeLog([
    startEvent(),
    kept,
    resultEvent('T002', { status: 'skipped', reason: 'interrupted' }),
    summaryEvent({ exit_code: 130 }),
    resume,
    again,
    resume,
    last,
    end,
  ]);
  expect(await read(path)).toEqual([startEvent(), kept, resume, resume, last, end]);
});

test('does not believe a summary from before the run was taken up again and killed', async () => {
  const resume: RunEvent = { type: 'resume', run_id: 'x', timestamp: '2024-12-17T11:00:00Z' };
  const path = writeLog([startEvent(), resultEvent('T001'), summaryEvent({ exit_code: 130 }), resume]);
  expect(await read(path)).toEqual([startEvent(), resultEvent('T001'), resume]);
});

test('is not misled by an answer that looks like a resume event', async () => {
  const first = resultEvent('T001', { output: { type: 'resume' } });
  const events = [startEvent(), first, resultEvent('T002')];
  expect(await read(writeLog(events))).toEqual(events);
  expect(await problemOf(read(writeLog([...events, resultEvent('T001')])))).toMatchObject({
    message: 'the line is a second result of the same attempt',
  });
});

test('reads the start alone', async () => {
  expect(await readStart(writeLog(mixedRun()))).toEqual(mixedRun()[0]);
});

test('says what is wrong with a file that is no run log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-log-'));
  const cases = writeLog([{ id: 'T001', input: 'hello' }]);
  const empty = join(folder, 'empty.jsonl');
  writeFileSync(empty, '');
  const text = join(folder, 'text.md');
  writeFileSync(text, '# Report\n\nhello\n');
  const broken = writeLog([startEvent(), { type: 'result', output: 1 }]);

  expect(await problemOf(read(cases))).toEqual({
    message: `${cases} is not a run log: it does not begin with a start line`,
    hint: NO_LOG_HINT,
  });
  expect(await problemOf(readStart(empty))).toEqual({
    message: `${empty} is not a run log: it does not begin with a start line`,
    hint: NO_LOG_HINT,
  });
  expect(await problemOf(read(text))).toEqual({
    message: 'the line is not JSON, so this is not a run log or it is damaged',
    at: `${text}:1`,
  });
  expect(await problemOf(read(broken))).toEqual({
    message: '"key" is missing',
    at: `${broken}:2`,
    hint: DAMAGED_HINT,
  });
  expect(await problemOf(read(join(folder, 'gone.jsonl')))).toEqual({
    message: `the run log ${join(folder, 'gone.jsonl')} does not exist`,
    hint: 'check the path; logs are next to the case file as output-….jsonl or in .assay/runs',
  });
  expect(await problemOf(readStart(folder))).toEqual({
    message: `cannot read the run log ${folder}: EISDIR: illegal operation on a directory, read`,
  });
});

test('refuses a log of a newer version', async () => {
  const path = writeLog([startEvent({ log_version: 2, version: '9.0.0' })]);
  expect(await problemOf(readStart(path))).toEqual({
    message: `the run log ${path} was written by a newer version of Assay (9.0.0)`,
    hint: 'install that version or a later one',
  });
});

test('says which line of a log is damaged', async () => {
  const [start, ...others] = mixedRun().map((event) => JSON.stringify(event));
  const path = writeLog([]);
  writeFileSync(path, [start, '', others[0], '{"type":"result","ke', ...others.slice(1), ''].join('\n'));
  expect(await problemOf(read(path))).toEqual({
    message: 'the line is not JSON',
    at: `${path}:4`,
    hint: DAMAGED_HINT,
  });
  writeFileSync(path, [start, '', others[0], '{"type":"result"}', ''].join('\n'));
  expect(await problemOf(read(path))).toEqual({
    message: '"key" is missing',
    at: `${path}:4`,
    hint: DAMAGED_HINT,
  });
});

/** How an HTML report begins. */
const HTML_HEAD = `<!doctype html>
<html lang="en" data-mode="report">
<head>
<meta charset="utf-8">
<meta name="generator" content="assay 0.1.0">
`;

test('knows a report from a log', async () => {
  const json = await textOfReport(jsonReport(sourceOf(mixedRun())));
  const compact = JSON.stringify(JSON.parse(json));
  const scripts = sourceOf(scriptRun());
  const reports = [
    ['a JSON', json],
    ['a JSON', compact],
    ['a JSON', `${compact}\n`],
    ['a JSON', await textOfReport(jsonReport(scripts))],
    ['a JUnit', await textOfReport(junitReport(sourceOf(mixedRun())))],
    ['a Markdown', await textOfReport(markdownReport(sourceOf(mixedRun())))],
    ['a Markdown', await textOfReport(markdownReport(scripts))],
    ['an HTML', HTML_HEAD],
  ] as const;
  for (const [kind, text] of reports) {
    const path = writeLog([], text);
    expect(await problemOf(readStart(path))).toEqual({
      message: `${path} is ${kind} report, not a run log`,
      hint: 'give the .jsonl log of that run; without -o it is in .assay/runs',
    });
  }
});
