import { expect, test } from 'vitest';
import { checkCase } from './case.ts';

const NOTHING_COUNTS = {
  message: '"pass_score" has no assertion that counts for it',
  hint: 'add an assertion with a "weight" above 0 that is not "advisory"',
};

test.each<[object, { message: string; hint: string }[]]>([
  [
    {
      id: 'a',
      input: 'hi',
      assert: [
        { type: 'contains', value: 'x' },
        { type: 'any_of', value: [{ type: 'rouge' }] },
      ],
    },
    [
      {
        message: '"rouge" has nothing to compare with',
        hint: 'add a "value" to the assertion, or "expected" to the case',
      },
    ],
  ],
  [
    { id: 'a', expected: 'x', turns: [{ input: 'hi', assert: { type: 'similar' } }] },
    [{ message: '"similar" has nothing to compare with', hint: 'add a "value" to the assertion' }],
  ],
  [{ id: 'a', input: 'hi', pass_score: 0.5 }, [NOTHING_COUNTS]],
  [
    {
      id: 'a',
      input: 'hi',
      expected: 'x',
      assert: [
        { type: 'contains', value: 'x', advisory: true },
        { type: 'contains', value: 'y', weight: 0 },
      ],
      pass_score: 0.5,
    },
    [NOTHING_COUNTS],
  ],
  [
    {
      id: 'a',
      input: 'hi',
      simulator: { use: 'agents:customer' },
      checkpoints: [{ id: 'c', assert: { type: 'contains', value: 'x', weight: 2 } }],
    },
    [
      {
        message: 'checkpoints[0].assert: an assertion inside of a checkpoint cannot have "weight"',
        hint: 'a checkpoint with "required": false decides nothing',
      },
    ],
  ],
])('rejects %j', (value, problems) => {
  expect(checkCase(value)).toEqual({ problems });
});
