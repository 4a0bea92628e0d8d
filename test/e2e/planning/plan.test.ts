// assay plan: what a run would cost and show, before anything is spent.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Forecast } from '../../../src/run/forecast/forecast.ts';
import { assay, callsIn, folder, readLog, write } from '../support/assay.ts';
import { application as definitions, suite } from '../support/definition-files.ts';
import { flakyFolder, runIn, typicalRates } from '../support/flaky-agent.ts';

/** Takes 50 ms, or what the environment says, and costs a cent or two; the case "flaky" fails every second time. */
const AGENT = `import { appendFileSync, readFileSync } from 'node:fs';
export default async ([{ content }]) => {
  await new Promise((done) => setTimeout(done, Number(process.env.TAKES ?? 50)));
  appendFileSync('calls.txt', content + '\\n');
  const calls = readFileSync('calls.txt', 'utf8').split('\\n').filter((line) => line === content).length;
  return {
    output: content === 'flaky' && calls % 2 === 0 ? 'no' : 'yes',
    usage: { input_tokens: 100, output_tokens: 10 },
    cost_usd: content === 'dear' ? 0.02 : 0.01,
  };
};
`;
const INPUTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'flaky', 'dear', 'j'];
const CASES = INPUTS.map((input) => ({ id: input, input, expected: 'yes' }));
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'];

function application(): string {
  return folder({ 'app.yao': '{}', 'agent.mjs': AGENT, 'cases.jsonl': CASES });
}

async function fill(cwd: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await assay([...RUN, '-o', 'log.jsonl'], { cwd });
}

/** Long enough for what a busy machine adds to be small, and several at a time. */
const SLOW = { env: { TAKES: '300', ASSAY_PARALLEL: '5' } };

async function planned(cwd: string, ...args: string[]): Promise<Forecast> {
  const { exitCode, stdout, stderr } = await assay(['plan', ...RUN, '--json', ...args], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Forecast;
}

test('cost and time that it states hold for the run that follows', async () => {
  const cwd = application();
  for (let time = 0; time < 5; time += 1) await assay([...RUN, '-o', 'log.jsonl'], { cwd, ...SLOW });
  const before = callsIn(cwd).length;
  const { cost, time, ...forecast } = await planned(cwd, '--runs', '10', '--parallel', '5');
  expect(callsIn(cwd)).toHaveLength(before);
  expect(forecast).toMatchObject({
    cases: 10,
    runs: 10,
    attempts: 100,
    history: { runs: 5, known_cases: 10 },
    noise: { value: 0.03, assumed: false },
    baseline: { source: 'history', runs: 5, cases: 10, missing_cases: 0 },
    gate: { passes_needed: 10 },
  });
  expect(cost).toMatchObject({ usd: 1.1, at_least: false });

  await assay([...RUN, '--runs', '10', '-o', 'next.jsonl'], { cwd, ...SLOW });
  const { summary } = readLog(join(cwd, 'next.jsonl'));
  const { cost_usd = 0, duration_ms = 0 } = summary ?? {};
  expect(cost_usd).toBeGreaterThanOrEqual(cost?.low_usd ?? Infinity);
  expect(cost_usd).toBeLessThanOrEqual(cost?.high_usd ?? 0);
  expect(duration_ms).toBeGreaterThanOrEqual(time?.low_ms ?? Infinity);
  expect(duration_ms).toBeLessThanOrEqual(time?.high_ms ?? 0);
}, 60_000);

test('the text of a plan with and without history; no history, log or report is made', async () => {
  const cwd = application();
  const args = ['plan', ...RUN, '--runs', '3', '-o', 'report.html'];
  const first = await assay(args, { cwd });
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toBe(
    '10 cases × 3 runs = 30 attempts. No run in the history has one of these cases, so that cost and time are not known.\n' +
      'Against a baseline of the same size this shows a drop of 31.9 points or more (4 chances in 5), or 2 broken cases.   1 run: 85 · 2: 45.3 · 3: 31.9 · 5: 20.9\n' +
      'No case has run twice so far, so that the usual noise of agents is assumed.\n' +
      'For a margin of 5 points it takes 38 runs.\n',
  );
  expect(existsSync(join(cwd, '.assay/history.db'))).toBe(false);
  expect(readdirSync(cwd).sort()).toEqual(['.assay', 'agent.mjs', 'app.yao', 'cases.jsonl']);
  expect(readdirSync(join(cwd, '.assay')).sort()).toEqual(['.gitignore', 'cache']);

  await fill(cwd, 2);
  write(join(cwd, 'cases.jsonl'), [...CASES, { id: 'new', input: 'new', expected: 'yes' }]);
  const { stdout } = await assay(args, { cwd });
  expect(stdout).toMatch(
    /^11 cases × 3 runs = 33 attempts, about \$0\.36 and \d to \d seconds \(from 2 earlier runs; 1 case is new\)\nAgainst the 2 runs of the newest version in the history, which have 10 of the cases, this shows a drop of /,
  );
});

test('a baseline is named by a name, a run or a log; the margin says how many runs it takes', async () => {
  const cwd = application();
  await fill(cwd, 2);
  await assay(['baseline', 'set', 'latest', 'main'], { cwd });
  const baselineOf = async (name: string): Promise<unknown> =>
    (await planned(cwd, '--against', name)).baseline;
  expect([await baselineOf('main'), await baselineOf('latest'), await baselineOf('log.jsonl')]).toEqual([
    { source: 'named', runs: 2, cases: 10, missing_cases: 0 },
    { source: 'named', runs: 1, cases: 10, missing_cases: 0 },
    { source: 'named', runs: 1, cases: 10, missing_cases: 0 },
  ]);
  const { recommended: wide } = await planned(cwd, '--margin', '40');
  const { recommended: wider } = await planned(cwd, '--margin', '90');
  expect(wide?.runs).toBeGreaterThan(wider?.runs ?? 100);
  expect(wider).toEqual({ runs: 1, cost_usd: 0.11 });

  const other = folder({ 'app.yao': '{}', 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'x', input: 'x' }] });
  const log = join(cwd, 'log.jsonl');
  const none = await assay(['plan', ...RUN, '--against', log], { cwd: other });
  const unknown = await assay(['plan', ...RUN, '--against', 'main'], { cwd: other });
  expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('has none of these cases')]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([
    2,
    'there is no baseline "main"\n  hint: there is no history yet: give a log file, or run the tests once\n',
  ]);
});

test('a gate that hardly ever passes is told', async () => {
  const cwd = application();
  await fill(cwd, 4);
  const { stdout } = await assay(['plan', ...RUN, '--runs', '3', '--min-pass-rate', '80'], { cwd });
  expect(stdout).toMatch(
    /At the rates so far this run passes \d+ times in 100: each of the 10 cases must pass all 3 runs \(80 % of 3 is all of them\)\.\nBetter: a gate on the whole, --gate "pass_rate >= 80"\.\n$/,
  );
}, 30_000);

test('filters, standard input and what is left of a run are planned as they would run', async () => {
  const cwd = application();
  expect(await planned(cwd, '--run', '^[a-c]$')).toMatchObject({ cases: 3, attempts: 3 });
  const input = readFileSync(join(cwd, 'cases.jsonl'), 'utf8');
  const piped = await assay(['plan', 'test', '-i', '-', '-n', './agent.mjs', '--json'], { cwd, input });
  expect([piped.exitCode, (JSON.parse(piped.stdout) as Forecast).cases]).toEqual([0, 10]);
  expect(readdirSync(join(cwd, '.assay/stdin'))).toEqual([]);
  await assay([...RUN, '--budget', '$0.02', '-o', 'part.jsonl'], { cwd });
  const rest = await assay(['plan', 'test', '--resume', 'part.jsonl', '--json'], { cwd });
  expect(JSON.parse(rest.stdout)).toMatchObject({ cases: 8, attempts: 8 });
  const failed = await assay(['plan', 'test', '--failed', 'part.jsonl', '--json'], { cwd });
  expect(JSON.parse(failed.stdout)).toMatchObject({ cases: 8, attempts: 8 });
});

test('a run that stopped early leaves the price of an attempt as it is', async () => {
  const cwd = application();
  await fill(cwd, 1);
  await assay([...RUN, '--runs', '10', '--gate', 'pass_rate >= 5', '-o', 'next.jsonl'], { cwd });
  const { results, summary } = readLog(join(cwd, 'next.jsonl'));
  expect(results.filter(({ status }) => status === 'skipped').length).toBeGreaterThan(0);
  expect(summary?.cost_usd).toBeLessThan(0.9);
  expect((await planned(cwd)).cost).toMatchObject({ usd: 0.11, at_least: false });
});

test('a comparison is planned with its own options: one round, and what may come on top', async () => {
  const cwd = application();
  await fill(cwd, 2);
  await assay(['baseline', 'set', 'latest', 'main'], { cwd });
  const text = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await assay(['plan', ...RUN, '--against', 'main', ...args], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.split('\n').slice(0, 3).join('\n');
  };
  const usual = await text('--alpha', '0.1', '--fail-on', 'undecided');
  expect(usual).toMatch(
    /^10 cases × 1 run = 10 attempts, .*\nThat is one round\. .*, after 10 rounds at most/,
  );
  // The exit code is that of the comparison, and not that of every case.
  expect(await text()).not.toContain('must pass');
  expect(await text('--max-runs', '4')).toContain('after 4 rounds at most');
  expect(await text('--runs', '3')).toMatch(/^10 cases × 3 runs = 30 attempts, .*\nThat is the most\. /);
  expect(await text('--confirm')).toMatch(
    /^10 cases × 1 run = 10 attempts, .*\nThat is one round, which --against compares\.\n--confirm comes on top: at most 3 or 5 fresh runs of each case that fails\.$/,
  );
  expect(await text('--confirm', '4')).toContain('at most 4 fresh runs of each case');
  const { baseline, gate, ...forecast } = await planned(cwd, '--against', 'main', '--baseline-runs', '1');
  expect([baseline?.runs, gate]).toEqual([1, null]);
  expect(forecast).toMatchObject({ attempts: 10, rounds: { least: 1, most: 10 } });
});

test('what the run would refuse is refused', async () => {
  const cwd = application();
  await fill(cwd, 1);
  for (const args of [
    ['--against', 'log.jsonl', '--fail-fast'],
    ['--against', 'log.jsonl', '--runs', 'auto'],
    ['--alpha', '0.1'],
    ['--confirm'],
  ]) {
    const run = await assay([...RUN, ...args], { cwd });
    const plan = await assay(['plan', ...RUN, ...args], { cwd });
    expect([plan.exitCode, plan.stderr]).toEqual([2, run.stderr]);
  }
});

test('with --runs auto the run that follows has as many attempts as the plan says', async () => {
  const cwd = flakyFolder(40);
  const rates = typicalRates(40);
  await runIn(cwd, { seed: 1, rates }, '--runs', '5');
  const { stdout } = await assay(['plan', ...RUN, '--runs', 'auto', '--json'], { cwd });
  const { runs, attempts, attempts_range: range, gate } = JSON.parse(stdout) as Forecast;
  expect([runs, gate]).toEqual(['auto', null]);
  const text = await assay(['plan', ...RUN, '--runs', 'auto'], { cwd });
  expect(text.stdout).toMatch(
    new RegExp(`^40 cases, about ${String(attempts)} attempts \\(\\d+ to \\d+, by what they show\\), `),
  );
  expect(text.stdout).not.toContain('must pass');

  await runIn(cwd, { seed: 2, rates }, '--runs', 'auto', '-o', 'auto.jsonl');
  const { results } = readLog(join(cwd, 'auto.jsonl'));
  const executed = results.filter(({ status }) => status !== 'skipped').length;
  expect(executed).toBeGreaterThanOrEqual(range?.low ?? Infinity);
  expect(executed).toBeLessThanOrEqual(range?.high ?? 0);
});

test('script tests have attempts and time only', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'assistants/a/src/one_test.ts': 'export function TestOne(t) {}\nexport function TestTwo(t) {}\n',
  });
  const args = ['test', '-i', 'scripts.a.*'];
  await assay(args, { cwd });
  const { stdout } = await assay(['plan', ...args, '--runs', '2'], { cwd });
  expect(stdout).toMatch(/^2 tests × 2 runs = 4 attempts, .*second.* \(from 1 earlier run\)\n$/);
});

test('bad arguments are told, and exit with 2', async () => {
  const cwd = application();
  const told = async (...args: string[]): Promise<unknown[]> => {
    const { exitCode, stdout, stderr } = await assay(['plan', ...args], { cwd });
    return [exitCode, stdout, stderr];
  };
  expect(await told()).toEqual([2, '', expect.stringContaining('Usage: assay plan')]);
  expect(await told('foo')).toEqual([2, '', expect.stringContaining("unknown command 'foo'")]);
  expect(await told('test', '--bogus')).toEqual([2, '', expect.stringContaining("unknown option '--bogus'")]);
  expect(await told('test')).toEqual([2, '', expect.stringContaining('nothing to test')]);
  expect(await told('test', 'cases.jsonl')).toEqual([
    2,
    '',
    expect.stringContaining('there is no agent to test'),
  ]);
  expect(await told(...RUN, '--margin', '0')).toEqual([2, '', expect.stringContaining('--margin: must be')]);
  expect(await told(...RUN, '--watch')).toEqual([2, '', expect.stringContaining('--watch: ')]);
  expect(await told(...RUN, '--dry-run')).toEqual([2, '', expect.stringContaining('--dry-run: ')]);
  expect(await told('run')).toEqual([2, '', expect.stringContaining("missing required argument 'tests'")]);
  expect(await told('suite', 'none')).toEqual([2, '', expect.stringContaining('none')]);
  expect(await told('test', '-i', 'agents:generator?count=2', '-n', './agent.mjs')).toEqual([
    2,
    '',
    expect.stringContaining('known only after it has run'),
  ]);
  expect(callsIn(cwd)).toEqual([]);
});

test('plan --help has the options of the command, and its own', async () => {
  const { exitCode, stdout } = await assay(['plan', 'test', '--help']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Decide what passes, compare:\n(?: .*\n)* {2}--against <baseline>/m);
  expect(stdout).toContain('--min-pass-rate');
  expect(stdout).toContain('the plan as JSON on stdout');
});

test('tests and suites are planned by their definitions; a case with other variables is another case', async () => {
  const cwd = definitions({ files: suite({ matrix: { Language: ['de', 'en'] } }), options: { runs: 2 } });
  const forecast = async (...args: string[]): Promise<Forecast> => {
    const { exitCode, stdout } = await assay(['plan', ...args, '--json'], { cwd });
    expect(exitCode).toBe(0);
    return JSON.parse(stdout) as Forecast;
  };
  await assay(['run', 'greeting', '--var', 'Language=de'], { cwd });
  expect(await forecast('run', 'greeting', '--var', 'Language=de')).toMatchObject({
    cases: 1,
    attempts: 2,
    history: { runs: 1, known_cases: 1 },
  });
  expect(await forecast('run', 'greeting', '--var', 'Language=fr')).toMatchObject({
    history: { runs: 0, known_cases: 0 },
    time: null,
  });
  expect(await forecast('suite', 'nightly', '--runs', '3')).toMatchObject({
    cases: 2,
    runs: 3,
    attempts: 6,
    history: { runs: 1, known_cases: 1 },
  });
  const many = await assay(['plan', 'run', 'greeting', '--runs', '9', '--max-attempts', '5'], { cwd });
  expect([many.exitCode, many.stdout, many.stderr]).toEqual([
    0,
    expect.stringMatching(/^1 case × 9 runs = 9 attempts/),
    expect.stringContaining('this would be 9 attempts, more than 5'),
  ]);
});
