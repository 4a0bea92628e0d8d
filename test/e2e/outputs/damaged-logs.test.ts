// Logs that were edited, cut or written by other programs: every verb says what is wrong and where.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { mixedRun, resultEvent, startEvent, summaryEvent } from '../../fixtures/logs/agent-log.ts';
import { damagedLog } from '../../fixtures/logs/mutate-log.ts';
import { assay, folder } from '../support/assay.ts';

const HINT = '  hint: the run log is damaged here; remove the line to use the rest of it\n';
const VERBS = {
  report: ['report', 'run.jsonl', '-o', 'r.html', '-o', 'r.json', '-o', 'r.xml'],
  import: ['import', 'run.jsonl', '--store', 'history.db'],
  compare: ['compare', 'whole.jsonl', 'run.jsonl'],
  resume: ['test', '--resume', 'run.jsonl'],
  failed: ['test', '--failed', 'run.jsonl'],
};

/** A log of one result, whose line is changed as text. */
const logWith = (fields: object, change = (line: string): string => line): string =>
  [startEvent(), { ...resultEvent('T1'), ...fields }, summaryEvent()]
    .map((event, index) => `${index === 1 ? change(JSON.stringify(event)) : JSON.stringify(event)}\n`)
    .join('');

const DURATION = '"duration_ms" must be a number from 0';
const STATUS = '"status" must be "passed", "failed", "timeout", "error" or "skipped"';
const { status: _status, ...withoutStatus } = resultEvent('T1');
const DAMAGE: Record<string, [log: string, message: string, line?: number]> = {
  'a negative duration': [logWith({ duration_ms: -1 }), DURATION],
  'an endless duration': [
    logWith({}, (line) => line.replace('"duration_ms":12', '"duration_ms":1e999')),
    DURATION,
  ],
  'a duration that is a text': [logWith({ duration_ms: 'NaN' }), DURATION],
  'a duration that is null': [logWith({ duration_ms: null }), DURATION],
  'an unknown status': [logWith({ status: 'great' }), STATUS],
  'no status': [logWith({}, () => JSON.stringify(withoutStatus)), '"status" is missing'],
  'a verdict that is null': [logWith({ verdicts: [null] }), '"verdicts[0]" must be an object'],
  'deep nesting': [
    logWith({}, (line) =>
      line.replace('"status"', `"output":${'['.repeat(20_000)}${']'.repeat(20_000)},"status"`),
    ),
    'the line is nested deeper than 1000 levels',
  ],
  'a line without a type': [logWith({}, () => '{"id":"T1"}'), 'the line is no event: it has no type'],
  'two runs': [
    logWith({}, () => JSON.stringify(startEvent({ run_id: 'another' }))),
    'this is the start of another run: every run has a log of its own',
  ],
  'a second result of an attempt': [
    [startEvent(), resultEvent('T1'), resultEvent('T1', { status: 'failed' }), summaryEvent()]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'the line is a second result of the same attempt',
    3,
  ],
  'half a line': [logWith({}, (line) => line.slice(0, 40)), 'the line is not JSON'],
};

test.each(Object.entries(DAMAGE))('%s', async (_name, [log, message, line = 2]) => {
  const cwd = folder({ 'run.jsonl': log, 'whole.jsonl': mixedRun(), 'assay.config.json': '{}' });
  const expected = {
    exitCode: 2,
    signal: null,
    stdout: '',
    stderr: `${join(cwd, 'run.jsonl')}:${String(line)}: ${message}\n${HINT}`,
  };
  const ends = await Promise.all(
    Object.entries(VERBS).map(async ([verb, args]) => [verb, await assay(args, { cwd })] as const),
  );
  expect(Object.fromEntries(ends)).toEqual(
    Object.fromEntries(Object.keys(VERBS).map((verb) => [verb, expected])),
  );
  expect(['r.html', 'r.json', 'history.db'].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
  expect(readFileSync(join(cwd, 'run.jsonl'), 'utf8')).toBe(log);
});

test('a damaged start line is named, and so is UTF-16', async () => {
  const { inputs: _inputs, ...start } = startEvent({ runs_per_case: 0 });
  const cwd = folder({
    'run.jsonl': [start, resultEvent('T1')],
    'wide.jsonl': Buffer.from(`\uFEFF${logWith({})}`, 'utf16le'),
  });
  const hint = '  hint: the run log is damaged; without a whole start line it cannot be used\n';
  const at = `${join(cwd, 'run.jsonl')}:1: `;
  expect(await assay(['report', 'run.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: `${at}"runs_per_case" must be a whole number from 1 to 1,000,000\n${hint}${at}"inputs" is missing\n${hint}`,
  });
  expect(await assay(['report', 'wide.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: `${join(cwd, 'wide.jsonl')}:1: the file is UTF-16: save it as UTF-8\n`,
  });
});

test('of very many damaged lines the first ones are shown and all are counted', async () => {
  const bad = { ...resultEvent('T1'), status: 'great' } as unknown as ResultEvent;
  const line = `${JSON.stringify(bad)}\n`;
  const cwd = folder({ 'run.jsonl': `${JSON.stringify(startEvent())}\n${line.repeat(100_000)}` });
  const { exitCode, stderr } = await assay(['report', 'run.jsonl'], { cwd });
  const lines = stderr.trimEnd().split('\n');
  expect({ exitCode, count: lines.length, last: lines.at(-1) }).toEqual({
    exitCode: 2,
    count: 21,
    last: `99,990 more lines of ${join(cwd, 'run.jsonl')} are damaged`,
  });
});

test('what a later version may add is ignored', async () => {
  const cwd = folder({
    'run.jsonl': [
      { ...startEvent(), later: { a: 1 } },
      { type: 'later', key: 1 },
      { ...resultEvent('T1'), later: null, code: 'later', kind: 'later' },
      summaryEvent(),
    ],
  });
  const { exitCode, stdout } = await assay(['report', 'run.jsonl', '--json'], { cwd });
  expect({ exitCode, summary: JSON.parse(stdout).summary.total }).toEqual({ exitCode: 0, summary: 1 });
});

test('damaged logs never end a verb in another way', async () => {
  const cwd = folder({ 'whole.jsonl': mixedRun(), 'assay.config.json': '{}' });
  for (let seed = 1; seed <= 12; seed += 1) {
    writeFileSync(join(cwd, 'run.jsonl'), damagedLog(seed * 7919));
    for (const [verb, args] of Object.entries(VERBS)) {
      const { exitCode, stderr } = await assay(args, { cwd });
      const allowed = verb === 'compare' ? [0, 1, 2, 3] : [0, 2];
      expect(allowed, `${String(seed)} ${verb}: ${stderr}`).toContain(exitCode);
      expect(stderr).not.toMatch(/TypeError|RangeError|at .*\.js:\d+/);
    }
  }
});

test('more runs of a case than a run can have are refused, and very many missing runs take no time', async () => {
  const log = (start: object): object[] => [{ ...startEvent(), ...start }, resultEvent('T1')];
  const [input] = startEvent().inputs;
  const cwd = folder({
    'endless.jsonl': log({ runs_per_case: 1e15 }),
    'input.jsonl': log({ inputs: [{ ...input, runs: 1e15 }] }),
    'most.jsonl': log({ runs_per_case: 1_000_000 }),
  });
  const started = performance.now();
  const ends = ['endless', 'input', 'most'].map(async (name) => {
    const { exitCode, stderr } = await assay(['report', `${name}.jsonl`, '-o', `${name}.json`], { cwd });
    return [exitCode, stderr.split('\n')[0]?.replace(/^.*jsonl:/, '')];
  });
  const most = 'must be a whole number from 1 to 1,000,000';
  expect(await Promise.all(ends)).toEqual([
    [2, `1: "runs_per_case" ${most}`],
    [2, `1: "inputs[0].runs" ${most}`],
    [0, ''],
  ]);
  expect(performance.now() - started).toBeLessThan(10_000);
});
