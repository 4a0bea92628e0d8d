// Budgets stop a run cleanly, and --resume runs the rest.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';
import { chat, env, lastOf, modelServer, openai, run } from '../support/assistant-files.ts';

/** A folder with an assistant whose calls cost a quarter of a dollar, and the inputs it was asked so far. */
async function paid(
  ids: readonly string[],
  model = 'gpt-4o',
): Promise<{ cwd: string; log: string; calls: () => string[] }> {
  const server = await modelServer((request) => ({
    text: lastOf(request) === 'bad' ? 'wrong' : 'right',
    usage: { input: 100_000, output: 0 },
  }));
  const cases = ids.map((id) => ({ id, input: id, expected: 'right' }));
  const cwd = folder(chat(openai(server.url, { model }), cases));
  return { cwd, log: join(cwd, 'log.jsonl'), calls: () => server.requests.map(lastOf) };
}

test('a run that has spent its budget skips the rest, and --resume runs it', async () => {
  const { cwd, log, calls } = await paid(['a', 'b', 'c']);
  const { exitCode, stdout } = await run(cwd, '--budget', '$0.5');
  expect({ exitCode, calls: calls(), ...endsIn(log) }).toEqual({
    exitCode: 3,
    calls: ['a', 'b'],
    a: 'passed',
    b: 'passed',
    c: 'skipped | budget',
  });
  expect(readLog(log).summary).toMatchObject({
    total: 3,
    passed: 2,
    skipped: 1,
    cost_usd: 0.5,
    incomplete: true,
  });
  expect(stdout).toContain('1 case not run (the budget is spent)');
  expect(stdout).toContain('Go on: assay test --resume log.jsonl');

  const again = await assay(['test', '--resume', 'log.jsonl'], { cwd, env });
  const { summary } = readLog(log);
  expect({ exitCode: again.exitCode, calls: calls(), incomplete: summary?.incomplete }).toEqual({
    exitCode: 0,
    calls: ['a', 'b', 'c'],
    incomplete: undefined,
  });
});

test('a budget that is spent by the last run leaves nothing out', async () => {
  const { cwd, log } = await paid(['a', 'b']);
  const { exitCode } = await run(cwd, '--budget', '0.5');
  expect({ exitCode, incomplete: readLog(log).summary?.incomplete }).toEqual({
    exitCode: 0,
    incomplete: undefined,
  });
});

test('every case has a run before the budget pays for a second, and a proven failure stays one', async () => {
  const { cwd, log, calls } = await paid(['a', 'bad', 'c']);
  const { exitCode } = await run(cwd, '--runs', '3', '--budget', '$1');
  expect({ exitCode, calls: calls() }).toEqual({ exitCode: 1, calls: ['a', 'bad', 'c', 'a'] });
  expect(readLog(log).summary).toMatchObject({ failed: 1, skipped: 2, total_runs: 4, incomplete: true });
});

test('--budget-time stops after that time and finishes what runs', async () => {
  const agent = `export default ([{ content }]) =>
    new Promise((done) => setTimeout(done, content === 'slow' ? 2500 : 0, 'right'));\n`;
  const cases = ['a', 'slow', 'c', 'd'].map((id) => ({ id, input: id, expected: 'right' }));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
  const { exitCode } = await assay([...args, '--budget-time', '2s'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    a: 'passed',
    slow: 'passed',
    c: 'skipped | budget',
    d: 'skipped | budget',
  });
});

test('a price that is not known, and costs that nothing reports, are told', async () => {
  const { cwd } = await paid(['a', 'b'], 'my-model');
  const unpriced = await run(cwd, '--budget', '$1');
  const agent = `export default () => 'right';\n`;
  const free = folder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'a', input: 'a', expected: 'right' }] });
  const unpaid = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--budget', '$1'], {
    cwd: free,
  });
  expect([unpriced, unpaid].map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual([
    { exitCode: 0, stderr: '--budget: the price of a model is not known, so that its calls count nothing\n' },
    { exitCode: 0, stderr: '--budget: no call has reported a cost, so that it limited nothing\n' },
  ]);
});

test('a budget that is no amount is refused', async () => {
  const { cwd } = await paid(['a']);
  const { exitCode, stderr } = await run(cwd, '--budget', 'five');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('must be an amount of dollars, such as "$5" or 0.5, not "five"');
});
