// `assay grade` of run logs: answers of an earlier run, judged by other assertions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, callsIn, endsIn, folder, readLog, write } from '../support/assay.ts';
import { copyOfExamples } from '../support/documents.ts';

const AGENT = `import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const text = messages.at(-1).content;
  appendFileSync('calls.txt', text + '\\n');
  if (text === 'crash') throw new Error('no luck');
  if (text === 'hang') await new Promise(() => {});
  return { output: 'Hello ' + text, tool_calls: [{ name: 'look', arguments: { text }, result: 1 }],
    usage: { input_tokens: 5, output_tokens: 3 }, cost_usd: 0.25 };
};`;

const ANN = { id: 'ann', input: 'Ann', assert: { type: 'contains', value: 'Ann' } };
const BOB = { id: 'bob', input: 'Bob', expected: 'Hello Bob' };

function byId(results: readonly ResultEvent[]): ResultEvent[] {
  return results.toSorted((a, b) => a.id.localeCompare(b.id) || a.run - b.run);
}

/** A folder with a log of these cases. */
async function recorded(cases: object[], ...flags: string[]): Promise<string> {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...flags], { cwd });
  return cwd;
}

test('a changed assertion changes the verdict, and the agent is not called again', async () => {
  const cwd = await recorded([ANN, BOB], '--runs', '2');
  expect(callsIn(cwd)).toHaveLength(4);
  write(join(cwd, 'cases.jsonl'), [ANN, { ...BOB, expected: 'Bye Bob' }]);

  const graded = await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  expect([graded.exitCode, graded.stderr]).toEqual([1, '']);
  expect(graded.stdout).toContain(
    'Graded: the recorded answers of log.jsonl (a run log); the agent was not run',
  );
  expect(callsIn(cwd)).toHaveLength(4);

  const { start, results, summary } = readLog(join(cwd, 'graded.jsonl'));
  const before = readLog(join(cwd, 'log.jsonl'));
  expect(start.graded).toEqual({ from: ['log.jsonl'], format: 'assay', run_id: before.start.run_id });
  expect(results.map(({ id, run, status }) => `${id} ${run} ${status}`).sort()).toEqual([
    'ann 1 passed',
    'ann 2 passed',
    'bob 1 failed',
    'bob 2 failed',
  ]);
  const facts = (all: ResultEvent[]): unknown =>
    byId(all).map(({ key, duration_ms, usage, cost_usd, output }) => ({
      key,
      duration_ms,
      usage,
      cost_usd,
      output,
    }));
  expect(facts(results)).toEqual(facts(before.results));
  expect(summary).toMatchObject({ passed: 1, failed: 1, total_runs: 4, cost_usd: 1 });

  const compared = await assay(['compare', 'log.jsonl', 'graded.jsonl', '--json'], { cwd });
  expect(compared.exitCode).toBe(1);
  expect(JSON.parse(compared.stdout)).toMatchObject({
    verdict: 'worse',
    cases: [
      { case_id: 'bob', change: 'regressed', ground: 'graded' },
      { case_id: 'ann', change: 'unchanged', ground: 'graded' },
    ],
  });
});

test('cases of -i are found by id and need no input', async () => {
  const cwd = await recorded([ANN, BOB]);
  write(join(cwd, 'other.jsonl'), [
    { id: 'ann', assert: { type: 'tool_called', value: 'look' } },
    { id: 'bob', assert: { type: 'expression', value: 'output.length < 5' } },
  ]);
  const { exitCode } = await assay(['grade', 'log.jsonl', '-i', 'other.jsonl', '-o', 'graded.jsonl'], {
    cwd,
  });
  expect(exitCode).toBe(1);
  const { results } = readLog(join(cwd, 'graded.jsonl'));
  expect(byId(results).map(({ id, input, status, test_id }) => [id, input, status, test_id])).toEqual([
    ['ann', 'Ann', 'passed', 'cases.jsonl'],
    ['bob', 'Bob', 'failed', 'cases.jsonl'],
  ]);
});

test('lists what has no answer, no case or another input', async () => {
  const cwd = await recorded([ANN, BOB]);
  write(join(cwd, 'cases.jsonl'), [
    { ...ANN, input: 'Anna' },
    { id: 'cid', input: 'Cid' },
  ]);
  const nothing = await assay(['grade', 'log.jsonl', '--run', 'cid', '-o', 'graded.jsonl'], { cwd });
  expect([nothing.exitCode, nothing.stderr]).toEqual([
    0,
    '1 case of the log has no case now and is skipped: bob\n',
  ]);
  await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'graded.jsonl'));
  expect(Object.fromEntries(results.map(({ id, status, skip_message: why }) => [id, [status, why]]))).toEqual(
    {
      ann: ['skipped', 'its input has changed since the answer was recorded: run it again'],
      bob: ['skipped', 'it is in the log, but no case has this id now'],
      cid: ['skipped', 'the log has no answer to it'],
    },
  );
  write(join(cwd, 'cases.jsonl'), [{ id: 'cid', input: 'Cid' }]);
  const refused = await assay(['grade', 'log.jsonl'], { cwd });
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('no case has an answer in the log'),
  ]);
});

test('errors and timeouts of the agent stay, errors of judges are judged again', async () => {
  const broken = { id: 'judged', input: 'Dan', assert: { type: 'expression', value: 'nothing.at.all' } };
  const cases = [{ id: 'crash', input: 'crash' }, { id: 'hang', input: 'hang', timeout: '300ms' }, broken];
  const cwd = await recorded(cases, '--parallel', '3');
  const before = endsIn(join(cwd, 'log.jsonl'));
  write(join(cwd, 'cases.jsonl'), [
    ...cases.slice(0, 2),
    { ...broken, assert: { type: 'contains', value: 'Dan' } },
  ]);
  const { exitCode } = await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  expect(exitCode).toBe(1);
  expect(before['judged']).toContain('error | judge');
  expect(endsIn(join(cwd, 'graded.jsonl'))).toEqual({
    crash: before['crash'],
    hang: before['hang'],
    judged: 'passed',
  });
});

test('plays conversations back turn by turn', async () => {
  const turns = {
    id: 'turns',
    turns: [
      { input: 'one', assert: { type: 'contains', value: 'one' } },
      { input: 'two', assert: { type: 'contains', value: 'two' } },
    ],
  };
  const cwd = await recorded([turns]);
  const calls = callsIn(cwd).length;
  write(join(cwd, 'cases.jsonl'), [
    { ...turns, turns: [{ ...turns.turns[0], assert: { type: 'contains', value: '1' } }, turns.turns[1]] },
  ]);
  const { exitCode } = await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  expect([exitCode, callsIn(cwd).length]).toEqual([1, calls]);
  const [result] = readLog(join(cwd, 'graded.jsonl')).results;
  expect(result).toMatchObject({ status: 'failed', turns: 1, verdicts: [{ type: 'contains', turn: 1 }] });
  write(join(cwd, 'cases.jsonl'), [{ ...turns, turns: [...turns.turns, { input: 'three' }] }]);
  const more = await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  expect([more.exitCode, endsIn(join(cwd, 'graded.jsonl'))]).toEqual([
    3,
    { turns: 'error | replay | the recorded conversation ends before turn 3' },
  ]);
});

test('plays a simulated user back and asks the judges again', async () => {
  const cwd = join(copyOfExamples(), 'examples');
  const shop = ['-i', 'assistants/shop', '--replay', 'tapes', '-o', 'log.jsonl'];
  expect((await assay(['test', ...shop], { cwd })).exitCode).toBe(0);
  const graded = await assay(['grade', 'log.jsonl', '-o', 'graded.jsonl'], { cwd });
  expect([graded.exitCode, graded.stderr]).toEqual([0, '']);
  const facts = (log: string): unknown =>
    byId(readLog(join(cwd, log)).results).map(({ id, status, turns, checkpoints, messages, output }) => ({
      id,
      status,
      turns,
      checkpoints,
      messages,
      output,
    }));
  expect(facts('graded.jsonl')).toEqual(facts('log.jsonl'));
});

test('gates decide, the history knows the run as graded, and nothing resumes it', async () => {
  const cwd = await recorded([ANN, BOB]);
  write(join(cwd, 'cases.jsonl'), [ANN, { ...BOB, expected: 'no' }]);
  const store = ['--store', 'history.db'];
  const gate = await assay(
    [
      'grade',
      'log.jsonl',
      '--gate',
      'pass_rate >= 40',
      '--min-pass-rate',
      '0',
      '-o',
      'graded.jsonl',
      ...store,
    ],
    { cwd },
  );
  expect([gate.exitCode, gate.stderr]).toEqual([0, '']);
  const { stdout } = await assay(['history', ...store], { cwd });
  expect(stdout).toContain('graded, agent not run');
  for (const flag of ['--resume', '--failed']) {
    const refused = await assay(['test', flag, 'graded.jsonl'], { cwd });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('the log is that of a graded run, whose agent was not run'),
    ]);
  }
});

test('a damaged log is exit 2 with its line, and several logs are refused', async () => {
  const cwd = await recorded([ANN]);
  const lines = readFileSync(join(cwd, 'log.jsonl'), 'utf8').split('\n');
  write(join(cwd, 'broken.jsonl'), [lines[0], '{"type":', ...lines.slice(1)].join('\n'));
  const broken = await assay(['grade', 'broken.jsonl'], { cwd });
  expect([broken.exitCode, broken.stderr]).toEqual([
    2,
    expect.stringContaining('broken.jsonl:2: the line is not JSON'),
  ]);
  const two = await assay(['grade', 'log.jsonl', 'broken.jsonl'], { cwd });
  expect([two.exitCode, two.stderr]).toEqual([
    2,
    expect.stringContaining('several run logs cannot be graded at once'),
  ]);
});
