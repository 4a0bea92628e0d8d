import { expect, test } from 'vitest';
import { checkCase } from './case.ts';

const contains = { type: 'contains', value: 'x' };
const simulator = { use: 'agents:customer' };

function problemsOf(fields: Record<string, unknown>): string[] {
  const checked = checkCase({ id: 'T', input: 'hi', ...fields });
  return 'problems' in checked ? checked.problems.map(({ message }) => message) : [];
}

test('a simulator with checkpoints, and turns, are fine', () => {
  const checkpoints = [
    { id: 'a', assert: contains },
    { id: 'b', description: 'second', assert: [contains], after: ['a'], required: false },
  ];
  const options = { connector: 'local.x', metadata: { persona: 'p', goal: 'g' } };
  expect(problemsOf({ simulator: { ...simulator, options }, checkpoints, max_turns: 3 })).toEqual([]);
  expect(problemsOf({ turns: [{ input: 'a' }, { input: 'b', assert: contains }] })).toEqual([]);
  expect(checkCase({ id: 'T', turns: [{ input: 'a' }] })).toEqual({
    case: { id: 'T', turns: [{ input: 'a' }] },
  });
});

test.each([
  [{ checkpoints: [{ id: 'a', assert: contains }] }, ['"checkpoints" needs a "simulator"']],
  [{ max_turns: 3 }, ['"max_turns" needs a "simulator"']],
  [{ simulator }, ['a "simulator" needs "checkpoints": a list of {id, assert}']],
  [{ turns: [] }, ['"turns" is an empty list']],
  [
    { turns: [{ assert: { type: 'contain', value: 1 }, say: 'x' }] },
    [
      'turns[0].assert: unknown assertion type "contain"',
      'unknown field "turns[0].say"',
      '"turns[0].input" is missing',
    ],
  ],
  [{ simulator, turns: [{ input: 'x' }] }, ['"turns" and "simulator" exclude each other']],
  [
    {
      simulator: { used: 'x', options: { metadata: 1 } },
      checkpoints: [{ id: 'a', assert: contains }],
      max_turns: 0,
    },
    [
      'unknown field "simulator.used"',
      '"simulator.options.metadata" must be an object such as {"persona": …, "goal": …}',
      '"simulator.use" is missing',
      '"max_turns" must be a whole number from 1 to 1,000',
    ],
  ],
  [
    { simulator, checkpoints: [{ id: 'a', required: 'no' }, 1, { id: 'a', assert: contains, after: 'b' }] },
    [
      '"checkpoints[0].required" must be true or false',
      '"checkpoints[0].assert" is missing',
      '"checkpoints[1]" must be an object with "id" and "assert"',
      '"checkpoints[2].after" must be a list of ids of checkpoints',
      'checkpoints: duplicate id "a"',
    ],
  ],
  [
    { simulator, checkpoints: [{ id: 'a', assert: contains, required: false }] },
    ['at least one checkpoint must be required'],
  ],
  [
    {
      simulator,
      checkpoints: [
        { id: 'first', assert: contains, after: ['second'] },
        { id: 'second', assert: contains, after: ['first', 'thirt'] },
        { id: 'third', assert: contains },
      ],
    },
    [
      'checkpoint "first" comes after itself',
      'checkpoint "second": "after" names "thirt", which does not exist',
      'checkpoint "second" comes after itself',
    ],
  ],
  [
    { before: 1, options: { connector: 5 } },
    ['"before" must be a string', '"options.connector" must be a string'],
  ],
])('%j', (fields, messages) => {
  expect(problemsOf(fields)).toEqual(messages);
});
