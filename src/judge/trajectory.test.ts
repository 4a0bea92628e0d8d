import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToolCall } from '../model/agent.ts';
import type { Comparison, Mode } from './trajectory.ts';
import { COMPARISONS, firstDifference } from './trajectory.ts';
import type { ExpectedCall } from './tool-calls.ts';

// Few names and arguments, so that calls overlap in every way; `a` also means `s__a`.
const readArguments = fc.constantFrom<unknown>({}, { x: 1 }, { x: 1, y: 2 }, { x: 2 });
const call: fc.Arbitrary<ToolCall> = fc.record({
  name: fc.constantFrom('a', 's__a', 'b'),
  arguments: readArguments,
});
const expectedCall: fc.Arbitrary<ExpectedCall> = fc.record({
  name: fc.constantFrom('a', 's__a', 'b'),
  arguments: fc.oneof(fc.constant(undefined), readArguments),
});
const scene = fc.record({
  expected: fc.array(expectedCall, { maxLength: 5 }),
  calls: fc.array(call, { maxLength: 5 }),
  comparison: fc.constantFrom(...COMPARISONS),
});

type Scene = { expected: ExpectedCall[]; calls: ToolCall[]; comparison: Comparison };

const holds = ({ expected, calls, comparison }: Scene, mode: Mode): boolean =>
  firstDifference(expected, calls, { mode, comparison }) === undefined;

test('strict implies unordered, which is the same as subset and superset', () => {
  fc.assert(
    fc.property(scene, (scene) => {
      const isUnordered = holds(scene, 'unordered');
      expect(holds(scene, 'strict') && !isUnordered).toBe(false);
      expect(isUnordered).toBe(holds(scene, 'subset') && holds(scene, 'superset'));
    }),
    { numRuns: 500 },
  );
});

test('calls that were made as expected hold in every mode, in any order in those without one', () => {
  const made = fc.record({
    calls: fc.array(call, { maxLength: 5 }),
    comparison: fc.constantFrom(...COMPARISONS),
  });
  const shuffled = made.chain(({ calls, comparison }) =>
    fc.shuffledSubarray(calls, { minLength: calls.length }).map((order) => ({ calls, order, comparison })),
  );
  fc.assert(
    fc.property(shuffled, ({ calls, order, comparison }) => {
      const expected = calls.map(({ name, arguments: wanted }) => ({ name, arguments: wanted }));
      expect(holds({ expected, calls, comparison }, 'strict')).toBe(true);
      expect(holds({ expected, calls: order, comparison }, 'unordered')).toBe(true);
      expect(holds({ expected, calls: order.slice(1), comparison }, 'subset')).toBe(true);
      expect(holds({ expected: expected.slice(1), calls: order, comparison }, 'superset')).toBe(true);
    }),
  );
});

test('exact implies subset, which implies ignore', () => {
  const modes = fc.constantFrom<Mode>('strict', 'unordered', 'subset', 'superset');
  fc.assert(
    fc.property(scene, modes, (scene, mode) => {
      const [exact, subset, ignore] = (['exact', 'subset', 'ignore'] as const).map((comparison) =>
        holds({ ...scene, comparison }, mode),
      );
      expect(exact === true && subset !== true).toBe(false);
      expect(subset === true && ignore !== true).toBe(false);
    }),
  );
});
