// `--against`: a run is compared with a baseline while it is on, and stops when the answer is known.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Comparison } from '../../../src/model/comparison.ts';
import { assay, folder, readLog } from '../support/assay.ts';
import { flakyFolder, runIn, typicalRates } from '../support/flaky-agent.ts';
import { scripted, SCRIPTED } from '../support/scripted-agent.ts';

const COUNT = 100;

/** The answer of a run, and how many attempts it took. */
async function against(
  cwd: string,
  world: { seed: number; rates: Record<string, number> },
  ...flags: string[]
): Promise<{
  exitCode: number | null;
  attempts: number;
  comparison: Comparison | undefined;
  stdout: string;
}> {
  const { exitCode, stdout } = await runIn(cwd, world, '-o', 'now.jsonl', ...flags);
  const { results, summary } = readLog(join(cwd, 'now.jsonl'));
  const attempts = results.filter(({ status }) => status !== 'skipped').length;
  return { exitCode, attempts, comparison: summary?.comparison, stdout };
}

test('nothing changed: not worse, although cases fail, and the run stops when that is known', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '10', '-o', 'base.jsonl');
  const { exitCode, attempts, comparison, stdout } = await against(
    cwd,
    { seed: 2, rates },
    '--against',
    'base.jsonl',
  );
  expect([exitCode, comparison?.verdict, comparison?.against]).toEqual([0, 'not_worse', 'base.jsonl']);
  expect(attempts).toBeLessThan(10 * COUNT);
  expect(attempts).toBe(COUNT * (comparison?.rounds?.done ?? 0));
  expect(stdout).toMatch(/ {2}Compared with base\.jsonl: Not worse\. The pass rate went from /);
  expect(stdout).toContain('Runs: up to 10 per case');
  const some = await against(cwd, { seed: 2, rates }, '--against', 'base.jsonl', '--run', '^c[0-4]$');
  expect(some.comparison?.counts).toMatchObject({ new: 0, removed: 0 });
});

test('a drop of 10 points is worse after a round or two', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '10', '-o', 'base.jsonl');
  const lower = Object.fromEntries(Object.entries(rates).map(([id, rate]) => [id, Math.max(0, rate - 0.12)]));
  const found = await against(cwd, { seed: 3, rates: lower }, '--against', 'base.jsonl');
  expect([found.exitCode, found.comparison?.verdict]).toEqual([1, 'worse']);
  expect(found.attempts).toBeLessThanOrEqual(2 * COUNT);
});

test('three broken cases are an alarm, with the three among the suspects', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '10', '-o', 'base.jsonl');
  const broken = { ...rates, c0: 0, c1: 0, c2: 0 };
  const found = await against(cwd, { seed: 4, rates: broken }, '--against', 'base.jsonl');
  const suspects = found.comparison?.cases.filter(({ verdict }) => verdict === 'suspect') ?? [];
  expect([found.exitCode, found.comparison?.verdict]).toEqual([1, 'worse']);
  expect(suspects.map(({ case_id }) => case_id)).toEqual(expect.arrayContaining(['c0', 'c1', 'c2']));
});

test('one broken case is named by fresh runs of what failed, and by nothing else', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '10', '-o', 'base.jsonl');
  const broken = { seed: 5, rates: { ...rates, c3: 0 } };
  const found = await against(cwd, broken, '--against', 'base.jsonl', '--confirm');
  const fresh = readLog(join(cwd, 'now.jsonl')).results.filter(({ uncounted }) => uncounted === 'confirm');
  const { confirmed = [], verdicts } = found.comparison ?? {};
  expect(confirmed.filter(({ proven }) => proven).map(({ case_id, fresh: runs }) => [case_id, runs])).toEqual(
    [['c3', { passed: 0, measured: 5 }]],
  );
  expect([found.exitCode, verdicts?.proven, found.attempts]).toEqual([1, 1, COUNT + fresh.length]);
  expect(fresh.length).toBe(5 * confirmed.length);
  expect(found.stdout).toMatch(
    /regressed +cases\.jsonl › c3 +10\/10 → 0\/1 +0 of 5 fresh runs passed, proven/,
  );
  expect(found.stdout).toContain(' that failed ran again; 1 is proven to have regressed.');

  const sound = await against(cwd, { seed: 6, rates }, '--against', 'base.jsonl', '--confirm', '3');
  expect([sound.exitCode, sound.comparison?.verdicts.proven]).toEqual([0, 0]);
  const report = await assay(['report', 'now.jsonl', '--json'], { cwd });
  expect(JSON.parse(report.stdout).results).toHaveLength(COUNT);
  const alone = await runIn(cwd, broken, '--confirm');
  expect([alone.exitCode, alone.stderr.split('\n')[0]]).toEqual([2, '--confirm without --against']);
});

test('the baseline comes from the history by name', async () => {
  const cwd = flakyFolder(20);
  const rates = typicalRates(20);
  const world = { seed: 1, rates };
  await runIn(cwd, world, '--runs', '3');
  const set = await assay(['baseline', 'set', 'latest', 'main'], { cwd });
  expect(set.exitCode).toBe(0);
  const found = await against(cwd, world, '--against', 'main', '--runs', '3');
  expect([found.exitCode, found.comparison?.verdict, found.comparison?.baseline.runs]).toEqual([
    0,
    'undecided',
    1,
  ]);
  const strict = await against(cwd, world, '--against', 'main', '--runs', '3', '--fail-on', 'undecided');
  expect(strict.exitCode).toBe(1);
  const missing = await runIn(cwd, world, '--against', 'nowhere', '-o', 'never.jsonl');
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    'there is no baseline "nowhere"\n  hint: name one with assay baseline set <run> [name], or give a run, a log file or branch:<branch>\n',
  ]);
});

test('what could not be measured is exit 3, and a single look is a plain comparison', async () => {
  const cwd = scripted({ a: 'P', b: 'P' });
  await assay([...SCRIPTED.with(6, 'base.jsonl'), '--runs', '2'], { cwd });
  const next = scripted({ a: 'U', b: 'U' }, { files: { 'base.jsonl': '' } });
  const nothing = await assay([...SCRIPTED, '--against', join(cwd, 'base.jsonl'), '--runs', '1'], {
    cwd: next,
  });
  expect(nothing.exitCode).toBe(3);
  expect(nothing.stdout).toContain(': Undecided. No case was measured on both sides.');
});

test('script tests are decided after one round: one failure is a regression', async () => {
  const source = (value: number): string =>
    `export function TestSum(t) { t.assert.Equal(1 + 1, ${value}); }\nexport function TestOther(t) { t.assert.True(true); }\n`;
  const cwd = folder({ 'package.yao': { name: 'Sums' }, 'src/sum_test.ts': source(2) });
  const args = ['test', '-i', 'scripts.*'];
  expect(await assay([...args, '-o', 'base.jsonl'], { cwd })).toMatchObject({ exitCode: 0 });
  const verdict = async (): Promise<unknown[]> => {
    const { exitCode, stdout } = await assay([...args, '--against', 'base.jsonl'], { cwd });
    return [exitCode, /Compared with .*/.exec(stdout)?.[0]];
  };
  expect(await verdict()).toEqual([
    0,
    'Compared with base.jsonl: Not worse. 2 cases ended as before. Pass rate 100% before, 100% after; these cases have no noise: they call no model.',
  ]);
  writeFileSync(join(cwd, 'src/sum_test.ts'), source(3));
  expect(await verdict()).toEqual([
    1,
    'Compared with base.jsonl: Worse. 1 case of 2 regressed. Pass rate 100% before, 50% after; these cases have no noise: they call no model.',
  ]);
});

test('gates and a comparison are both answered before the run stops', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '10', '-o', 'base.jsonl');
  // One broken case takes several rounds to show, long after the gate has passed.
  const broken = { seed: 8, rates: { ...rates, c3: 0 } };
  const gates = ['--gate', 'pass_rate >= 30', '--gate', 'latency_p95 <= 30s'];
  const alone = await against(cwd, broken, '--against', 'base.jsonl');
  const both = await against(cwd, broken, '--against', 'base.jsonl', ...gates);
  expect([alone.exitCode, both.exitCode]).toEqual([1, 1]);
  expect(both.comparison?.cases.find(({ proven }) => proven)?.case_id).toBe('c3');
  const { summary } = readLog(join(cwd, 'now.jsonl'));
  expect(summary?.gates?.map(({ status }) => status)).toEqual(['passed', 'passed']);

  const sound = await against(cwd, { seed: 2, rates }, '--against', 'base.jsonl', ...gates);
  expect(sound.exitCode).toBe(0);
  const failing = await against(
    cwd,
    { seed: 2, rates },
    '--against',
    'base.jsonl',
    '--gate',
    'pass_rate >= 99',
  );
  expect(failing.exitCode).toBe(1);
});

test('a finished run answers a new question with --resume, and runs nothing again', async () => {
  const cwd = flakyFolder(COUNT);
  const rates = typicalRates(COUNT);
  await runIn(cwd, { seed: 1, rates }, '--runs', '3', '-o', 'base.jsonl');
  await runIn(
    cwd,
    { seed: 3, rates: { ...rates, c0: 0, c1: 0, c2: 0, c3: 0, c4: 0 } },
    '--runs',
    '3',
    '-o',
    'log.jsonl',
  );
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const asked = await assay(['test', '--resume', 'log.jsonl', '--against', 'base.jsonl'], { cwd });
  expect([asked.exitCode, /Compared with base\.jsonl: \w+/.exec(asked.stdout)?.[0]]).toEqual([
    1,
    'Compared with base.jsonl: Worse',
  ]);
  const gate = await assay(['test', '--resume', 'log.jsonl', '--gate', 'pass_rate >= 99'], { cwd });
  expect(gate.exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).results).toEqual(results);
  const nowhere = await assay(['test', '--resume', 'log.jsonl', '--against', 'nowhere'], { cwd });
  expect(nowhere.exitCode).toBe(2);
});

test('a baseline without any of the cases is known after one round', async () => {
  const cwd = flakyFolder(4);
  const rates = typicalRates(4);
  await runIn(cwd, { seed: 1, rates }, '-o', 'base.jsonl');
  const other = flakyFolder(4, {
    'cases.jsonl': [{ id: 'x', input: 'c0', assert: { type: 'equals', value: 'right' } }],
  });
  const found = await against(other, { seed: 1, rates }, '--against', join(cwd, 'base.jsonl'));
  expect([found.exitCode, found.attempts]).toEqual([3, 1]);
});

test('options that mean nothing are refused', async () => {
  const cwd = flakyFolder(2);
  const world = { seed: 1, rates: typicalRates(2) };
  const alone = await runIn(cwd, world, '--margin', '3', '--fail-on', 'undecided');
  expect([alone.exitCode, alone.stderr.split('\n')[0]]).toEqual([2, '--margin without --against']);
  await runIn(cwd, world, '-o', 'base.jsonl');
  const fast = await runIn(cwd, world, '--against', 'base.jsonl', '--fail-fast');
  expect([fast.exitCode, fast.stderr.split('\n')[0]]).toEqual([
    2,
    '--fail-fast stops at the first failure, and a comparison needs the whole run',
  ]);
});
