import { expect, test } from 'vitest';
import type { LoggedInput } from './event.ts';
import { startEvent } from '../../test/fixtures/logs/agent-log.ts';
import { largerRuns, runsByTest, runsRange, withRuns } from './runs-per-case.ts';

const rest = { sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' };
const input = (fields: Partial<LoggedInput>): LoggedInput =>
  ({ type: 'cases', path: 'tests/a.test.json', ...rest, ...fields }) as LoggedInput;

test.each([
  ['a run of no tests', [input({})], [3, 3], { least: 3, most: 3 }],
  ['a run without inputs', [], [3, 3], { least: 3, most: 3 }],
  ['a test with its own runs', [input({ test_id: 'a', runs: 5 })], [5, 3], { least: 5, most: 5 }],
  [
    'tests that differ',
    [input({ test_id: 'a', runs: 1 }), input({ test_id: 'b' }), input({ test_id: 'c', runs: 7 })],
    [1, 3],
    { least: 1, most: 7 },
  ],
])('%s', (_, inputs, runs, range) => {
  const start = { inputs, runs_per_case: 3 };
  expect(['a', 'b'].map(runsByTest(start))).toEqual(runs);
  expect(runsRange(start)).toEqual(range);
});

test('a run that was resumed with more runs has them in every test', () => {
  const start = startEvent({
    runs_per_case: 2,
    inputs: [input({ test_id: 'a', runs: 3 })],
    flags: { runs: 2 },
  });
  expect([withRuns(start, undefined), withRuns(start, 3)]).toEqual([start, start]);
  expect(withRuns(start, 5)).toEqual({
    ...start,
    runs_per_case: 5,
    inputs: [input({ test_id: 'a' })],
    flags: { runs: 5 },
  });
  const resumes: { runs?: number }[] = [{}, { runs: 3 }, { runs: 2 }, {}];
  expect(resumes.reduce<number | undefined>(largerRuns, undefined)).toBe(3);
});
