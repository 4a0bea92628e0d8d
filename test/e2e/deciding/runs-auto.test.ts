// --runs auto: every case runs until its pass rate is clearly above or below the target.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, folder, readLog, start, write } from '../support/assay.ts';
import { scripted, SCRIPTED } from '../support/scripted-agent.ts';
import { until } from '../../until.ts';

const AUTO = [...SCRIPTED, '--runs', 'auto'];

/** A case that passes 16 of 20 runs and is open until the last. */
const UNCLEAR = 'PPPPFPPPPPFPPPPFPPPF';

type Judged = Record<string, { status: string; runs: number; passed: number; undecided?: true }>;

async function report(cwd: string): Promise<Judged> {
  const { stdout } = await assay(['report', 'log.jsonl', '--json'], { cwd });
  const { results } = JSON.parse(stdout) as { results: ({ id: string } & Judged[string])[] };
  return Object.fromEntries(
    results.map(({ id, status, runs, passed, undecided }) => [
      id,
      { status, runs, passed, ...(undecided !== undefined && { undecided }) },
    ]),
  );
}

test('cases run until they are decided, and the summary says what that saved', async () => {
  const cwd = scripted({ good: 'P', bad: 'F', once: 'PFPPPPPPPPPPPPPPPPPP', unclear: UNCLEAR });
  const { exitCode, stdout } = await assay(AUTO, { cwd });
  const { start: begin, summary } = readLog(join(cwd, 'log.jsonl'));
  expect({
    exitCode,
    rule: begin.runs_rule,
    auto: summary?.auto,
    passed: summary?.passed,
    failed: summary?.failed,
  }).toEqual({
    exitCode: 1,
    rule: { target: 80, low: 0.7, high: 0.9, min: 3, max: 20, confidence: 0.95, undecided: 'fail' },
    auto: { passed: 2, failed: 1, undecided: 1, runs: 49, saved: 31 },
    passed: 2,
    failed: 2,
  });
  expect(await report(cwd)).toEqual({
    good: { status: 'passed', runs: 9, passed: 9 },
    bad: { status: 'failed', runs: 3, passed: 0 },
    once: { status: 'passed', runs: 17, passed: 16 },
    unclear: { status: 'failed', runs: 20, passed: 16, undecided: true },
  });
  expect(stdout).toContain(
    'Runs auto: 4 cases, target 80 % (pass 90 % or better, fail 70 % or worse, wrong at most 1 time in 20)',
  );
  expect(stdout).toContain(
    'Runs auto: 2 passed · 1 failed · 1 undecided after 20 runs    49 runs, 31 saved against 20 each\n',
  );
  expect(stdout).toContain('Undecided: --max-runs 40 would decide more of them\n');
  expect(stdout).toMatch(/unclear .*16\/20 runs.*undecided, rate 81% \(58 to 92\)/);
  const { run_id } = begin;
  const shown = await assay(['show', run_id, '--json'], { cwd });
  const { cases } = JSON.parse(shown.stdout) as {
    cases: { case_id: string; status: string; undecided?: true }[];
  };
  expect(cases.map(({ case_id, status, undecided }) => [case_id, status, undecided])).toEqual([
    ['good', 'passed', undefined],
    ['bad', 'failed', undefined],
    ['once', 'passed', undefined],
    ['unclear', 'failed', true],
  ]);
});

test('every report calls an undecided case so', async () => {
  const cwd = scripted({ unclear: UNCLEAR });
  await assay([...AUTO, '-o', 'report.xml'], { cwd });
  const markdown = await assay(['report', 'log.jsonl', '-r', 'report.markdown'], { cwd });
  const brief = await assay(['report', 'log.jsonl', '-r', 'report.summary'], { cwd });
  const junit = readFileSync(join(cwd, 'report.xml'), 'utf8');
  expect(junit).toContain('type="undecided"');
  expect(junit).toContain('16 of 20 runs passed: undecided, rate 81% (58 to 92)');
  expect(markdown.stdout).toContain('undecided, rate 81% (58 to 92)');
  expect(brief.stdout).toContain('unclear (undecided, rate 81% (58 to 92))');
});

test('the order of arrival does not matter: slow failures are judged in their place', async () => {
  // With ten at once the passes of runs 4 to 9 would arrive before the failures of runs 1 to 3.
  const cwd = scripted({ slow: 'SSSPPPPPPPPPPPPPPPPP', late: 'PPPPPPPPW' });
  const { exitCode } = await assay([...AUTO, '--parallel', '10'], { cwd });
  expect(exitCode).toBe(1);
  expect(await report(cwd)).toEqual({
    slow: { status: 'failed', runs: 3, passed: 0 },
    late: { status: 'passed', runs: 9, passed: 9 },
  });
  const runs = readLog(join(cwd, 'log.jsonl')).results.filter(({ id }) => id === 'late');
  expect(runs.map(({ run }) => run)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('no more runs of a case are under way than may be needed', async () => {
  const cwd = scripted({ bad: 'S' });
  await assay([...AUTO, '--parallel', '10'], { cwd });
  expect(callsIn(cwd).sort()).toEqual(['bad#1', 'bad#2', 'bad#3']);
});

test('runs that were under way when their case was decided are logged and not counted', async () => {
  // After two failures and four passes in six runs, run 7 alone may not decide, so that several are under way.
  const cwd = scripted({ a: 'FFPFPPPPPPPPPPPPPPPP' });
  await assay([...AUTO, '--parallel', '10'], { cwd });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  const counted = results.filter(({ uncounted }) => uncounted === undefined);
  expect(summary?.auto).toMatchObject({ failed: 1, runs: results.length });
  expect(counted.length).toBe(4);
});

test('runs that cannot be measured are repeated, and a case that never can is an error', async () => {
  const cwd = scripted({ shaky: 'PUPUPPPPPPP', never: 'U' });
  const { exitCode, stdout } = await assay([...AUTO, '--max-runs', '12'], { cwd });
  const { summary } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, passed: summary?.passed, unmeasured: summary?.unmeasured, auto: summary?.auto }).toEqual(
    {
      exitCode: 3,
      passed: 1,
      unmeasured: 1,
      auto: { passed: 1, failed: 0, undecided: 0, runs: 23, saved: 1 },
    },
  );
  expect(stdout).toContain('1 could not be measured');
  expect(await report(cwd)).toEqual({
    shaky: { status: 'passed', runs: 11, passed: 9 },
    never: { status: 'error', runs: 12, passed: 0 },
  });
});

test('--undecided pass lets a case pass that is not decided, --failed leaves it alone', async () => {
  const cwd = scripted({ unclear: UNCLEAR, bad: 'F' });
  const { exitCode } = await assay([...AUTO, '--undecided', 'pass', '--run', 'unclear'], { cwd });
  const { summary } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, passed: summary?.passed, undecided: summary?.auto?.undecided }).toEqual({
    exitCode: 0,
    passed: 1,
    undecided: 1,
  });
  await assay([...AUTO, '--undecided', 'pass'], { cwd });
  const before = callsIn(cwd).length;
  const again = await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd });
  expect(again.exitCode).toBe(1);
  expect(callsIn(cwd).slice(before)).toEqual(['bad#1', 'bad#2', 'bad#3']);
});

test('an interrupted run goes on where it stopped', async () => {
  const cwd = scripted({ good: 'PPPPPPWWW', bad: 'F', once: 'PFPPPPPPPPPPPPPPPPPP' });
  const { child, finished } = start([...AUTO, '--parallel', '1'], { cwd });
  await until(() => callsIn(cwd).includes('good#7'));
  child.kill('SIGINT');
  const stopped = await finished;
  expect(stopped.exitCode).toBe(130);
  const before = callsIn(cwd);
  const resumed = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({
    exitCode: resumed.exitCode,
    repeated: callsIn(cwd)
      .slice(before.length)
      .filter((call) => before.includes(call)),
  }).toEqual({
    exitCode: 1,
    repeated: [],
  });
  expect(await report(cwd)).toEqual({
    good: { status: 'passed', runs: 9, passed: 9 },
    bad: { status: 'failed', runs: 3, passed: 0 },
    once: { status: 'passed', runs: 17, passed: 16 },
  });
  expect(readLog(join(cwd, 'log.jsonl')).summary?.auto).toEqual({
    passed: 2,
    failed: 1,
    undecided: 0,
    runs: 29,
    saved: 31,
  });
  expect(resumed.stdout).toMatch(/✓ once/);
  const over = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({ exitCode: over.exitCode, stderr: over.stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing left to do') as string,
  });
});

test('a budget gives every case a run before any has a second', async () => {
  const cwd = scripted({ a: 'P', b: 'P', c: 'P' });
  await assay([...AUTO, '--parallel', '1'], { cwd });
  expect(callsIn(cwd).slice(0, 9)).toEqual(['a#1', 'b#1', 'c#1', 'a#2', 'b#2', 'c#2', 'a#3', 'b#3', 'c#3']);
});

test('a test may have auto runs beside one with a number of them', async () => {
  const test = (id: string, runs: unknown): object => ({
    id,
    name: id,
    type: 'agent-eval',
    agent: '../agent.mjs',
    cases: [{ id: 'hi', input: 'hi', expected: 'hi' }],
    options: { runs },
  });
  const cwd = folder({
    'agent.mjs': `export default ([{ content }]) => content;\n`,
    'tests/a.test.json': test('auto-one', 'auto'),
    'tests/b.test.json': test('fixed', 2),
  });
  const { exitCode } = await assay(['run', 'auto-one', 'fixed', '-o', 'log.jsonl'], { cwd });
  const { results, start: begin, summary } = readLog(join(cwd, 'log.jsonl'));
  const runs = (id: string): number => results.filter(({ test_id }) => test_id === id).length;
  expect({
    exitCode,
    auto: runs('auto-one'),
    fixed: runs('fixed'),
    counts: summary?.auto,
    most: begin.runs_per_case,
  }).toEqual({
    exitCode: 0,
    auto: 9,
    fixed: 2,
    counts: { passed: 1, failed: 0, undecided: 0, runs: 9, saved: 11 },
    most: 20,
  });
});

test('gates look at the rates of decided cases', async () => {
  const cwd = scripted({ a: 'P', b: 'P', c: 'F' });
  const { exitCode } = await assay([...AUTO, '--gate', 'pass_rate >= 60'], { cwd });
  const { summary } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, gate: summary?.gates?.[0]?.figure }).toEqual({ exitCode: 0, gate: 66.7 });
});

test('auto in assay.config and in the environment', async () => {
  const cwd = scripted({ a: 'P' }, { files: { 'assay.config.json': { runs: 'auto', target: 60 } } });
  await assay(SCRIPTED, { cwd });
  const configured = readLog(join(cwd, 'log.jsonl')).start.runs_rule?.target;
  write(join(cwd, 'assay.config.json'), {});
  await assay(SCRIPTED, { cwd, env: { ASSAY_RUNS: 'auto' } });
  expect([configured, readLog(join(cwd, 'log.jsonl')).start.runs_rule?.target]).toEqual([60, 80]);
});

test.each([
  [['--runs', 'auto', '--min-pass-rate', '90'], '--min-pass-rate and --runs auto both say', '--target 90'],
  [['--target', '90'], '--target: has a meaning only with --runs auto\n', 'add --runs auto;'],
  [
    ['--runs', '5', '--max-runs', '9'],
    '--max-runs: has a meaning only with --runs auto or --against\n',
    'add --runs auto or --against <baseline>',
  ],
  [['--runs', 'auto', '--min-runs', '30'], '--min-runs 30 is more than --max-runs 20', '--max-runs 30'],
  [['--runs', 'auto', '--target', '99'], '20 runs cannot decide', '--max-runs 26'],
  [['--runs', 'auto', '--target', '100'], '20 runs cannot decide', '--max-runs 29'],
  [
    ['--runs', 'auto', '--confidence', '95'],
    'must be a share from 0.5 to 0.9999, such as 0.95, not "95"',
    '',
  ],
  [['--runs', 'auto', '--undecided', 'maybe'], 'must be fail or pass, not "maybe"', ''],
  [['--runs', 'many'], 'must be a whole number of at least 1, or auto, not "many"', ''],
])('refuses %j', async (args, message, hint) => {
  const { exitCode, stderr } = await assay([...SCRIPTED, ...args], { cwd: scripted({ a: 'P' }) });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});
