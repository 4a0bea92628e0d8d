// Gates on scores: the mean of a metric gives the exit code, and what is not measured is never a pass.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { scored, SCORED } from '../support/scored-agent.ts';

test('a gate on a metric gives the exit code', async () => {
  const cwd = scored('00....1111');
  const high = await assay([...SCORED, '--gate', 'similar >= 0.8'], { cwd });
  expect(high.exitCode).toBe(1);
  expect(high.stdout).toContain('  Gate: similar >= 0.8: failed, 0.72 (cases like these: 0.39 to 0.91)\n');
  const low = await assay([...SCORED, '--gate', 'metric:similar >= 0.7'], { cwd });
  expect({ exitCode: low.exitCode, gates: readLog(join(cwd, 'log.jsonl')).summary?.gates }).toEqual({
    exitCode: 0,
    gates: [
      {
        gate: 'metric:similar >= 0.7',
        metric: 'similar',
        status: 'passed',
        figure: 0.72,
        interval: { low: 0.391, high: 0.912 },
      },
    ],
  });
});

test('a metric that no assertion gives is refused before anything runs', async () => {
  const cwd = scored('11');
  const { exitCode, stderr, stdout } = await assay([...SCORED, '--gate', 'similarity >= 0.7'], { cwd });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--gate: "similarity >= 0.7": no assertion gives a score for "similarity"');
  expect(stderr).toContain('did you mean "similar"?');
  const near = await assay([...SCORED, '--gate', 'pasrate >= 1'], { cwd });
  expect(near.exitCode).toBe(2);
  expect(near.stderr).toContain('did you mean "pass_rate"?');
});

test('a metric without a score is exit 3, never a pass', async () => {
  const cwd = folder({
    'agent.mjs': 'export default ([{ content }]) => content;\n',
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'expression', value: 'true' } }],
  });
  const { exitCode, stdout } = await assay([...SCORED, '--gate', 'expression >= 0'], { cwd });
  expect(exitCode).toBe(3);
  expect(stdout).toContain(
    '  Gate: expression >= 0: could not be measured, no case has a score for expression\n',
  );
});

test('assertions that never have a score of their own are no metric', async () => {
  const cwd = folder({
    'agent.mjs': 'export default ([{ content }]) => content;\n',
    'cases.jsonl': [
      {
        id: 'a',
        input: 'x',
        assert: [
          { type: 'contains', value: 'x' },
          { type: 'any_of', value: [{ type: 'similar', value: 'x' }] },
        ],
      },
    ],
  });
  const { exitCode, stdout, stderr } = await assay(
    [...SCORED, '--gate', 'contains >= 0', '--gate', 'similar >= 0'],
    { cwd },
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  for (const name of ['contains', 'similar'])
    expect(stderr).toContain(`"${name} >= 0": no assertion gives a score for "${name}"`);
  expect(stderr).toContain('no assertion of the cases gives a score: name one with "metric"');
});

test('a metric of assertions without a score counts 1 or 0, and 1 − score if they are negated', async () => {
  const cwd = folder({
    'agent.mjs': 'export default ([{ content }]) => content;\n',
    'cases.jsonl': ['x', 'xy', 'y', 'xx'].map((input) => ({
      id: input,
      input,
      assert: [
        { type: 'contains', value: 'x', metric: 'found', advisory: true },
        { type: 'contains', value: 'y', metric: 'free', negate: true, advisory: true },
        { type: 'levenshtein', value: 'zzzz', threshold: 0.5, metric: 'far', negate: true },
      ],
    })),
  });
  const gates = ['found >= 0.7', 'free >= 0.5', 'far >= 1'].flatMap((gate) => ['--gate', gate]);
  const run = await assay([...SCORED, ...gates], { cwd });
  const figures = () =>
    readLog(join(cwd, 'log.jsonl')).summary?.gates?.map(({ metric, figure }) => [metric, figure]);
  const expected = [
    ['found', 0.75],
    ['free', 0.5],
    ['far', 1],
  ];
  expect({ exitCode: run.exitCode, figures: figures() }).toEqual({ exitCode: 0, figures: expected });

  const resumed = await assay(['test', '--resume', 'log.jsonl', '--runs', '2', '--no-history'], { cwd });
  expect({ exitCode: resumed.exitCode, figures: figures() }).toEqual({ exitCode: 0, figures: expected });
});

test('an agent that gives no answer does not raise the mean of the others', async () => {
  const cwd = scored('1E');
  const { exitCode, stdout } = await assay([...SCORED, '--gate', 'similar >= 0.9'], { cwd });
  expect(exitCode).toBe(3);
  expect(stdout).toContain('1 of 2 cases has no score, and the answer depends on it\n');
});

test('a resumed run counts the scores that it keeps', async () => {
  const cwd = scored('111.');
  await assay([...SCORED, '--gate', 'similar >= 0.9'], { cwd });
  const { exitCode } = await assay(
    ['test', '--resume', 'log.jsonl', '--runs', '2', '--gate', 'similar > 0.9', '--no-history'],
    { cwd },
  );
  const { gates } = readLog(join(cwd, 'log.jsonl')).summary ?? {};
  expect({ exitCode, gates }).toMatchObject({ exitCode: 0, gates: [{ figure: 0.95, status: 'passed' }] });
});
