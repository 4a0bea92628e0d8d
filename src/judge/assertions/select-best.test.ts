import { expect, test } from 'vitest';
import { checkCase } from '../../kinds/agent/cases/case.ts';
import { judgeAnswer, NO_DEPS } from '../judge.ts';
import { subjectOf } from '../judge.fixture.ts';

const SELECT = { type: 'select_best', value: 'is friendlier', connector: 'local' };

test('it makes no verdict: the other assertions, expected or any answer decide', () => {
  const judge = (fields: object) => judgeAnswer({ id: 'a', input: 'x', ...fields }, subjectOf('y'), NO_DEPS);
  expect(judge({ assert: [SELECT, { type: 'contains', value: 'y' }] })).toEqual([
    { type: 'contains', status: 'passed' },
  ]);
  expect(judge({ assert: SELECT, expected: 'y' })).toEqual([{ type: 'equals', status: 'passed' }]);
  expect(judge({ assert: SELECT })).toEqual([{ type: 'answered', status: 'passed' }]);
});

test.each<[object, string[]]>([
  [{ assert: SELECT }, []],
  [{ assert: { type: 'select_best', value: 'x', use: 'agents:judge' } }, []],
  [
    { assert: { type: 'select_best' } },
    ['assert: "select_best" needs a "value"', 'assert: "select_best" needs a judge'],
  ],
  [
    { assert: { ...SELECT, negate: true, transform: 'output' } },
    [
      'assert: "select_best" makes no verdict, so it cannot have "negate"',
      'assert: "select_best" makes no verdict, so it cannot have "transform"',
    ],
  ],
  [
    { assert: { ...SELECT, metric: 'best', weight: 2 } },
    [
      'assert: "select_best" makes no verdict, so it cannot have "metric"',
      'assert: "select_best" makes no verdict, so it cannot have "weight"',
    ],
  ],
  [
    { turns: [{ input: 'x', assert: [SELECT] }] },
    ['"select_best" compares whole cases, so it belongs into "assert" of the case'],
  ],
  [
    { turns: [{ input: 'x', assert: [null] }] },
    [expect.stringContaining('an assertion is an object') as string],
  ],
])('%j is checked before anything runs', (fields, problems) => {
  const checked = checkCase({ id: 'a', input: 'x', ...fields });
  expect('problems' in checked ? checked.problems.map(({ message }) => message) : []).toEqual(problems);
});
