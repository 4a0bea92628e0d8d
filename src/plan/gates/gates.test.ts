import { expect, test } from 'vitest';
import type { Attempt, Target } from '../../model/attempt.ts';
import type { Decider } from '../decider.ts';
import { createGates } from './gates.ts';
import { parseGate } from './parse-gate.ts';

function gates(text: string, { total, runs = 1 }: { total: number; runs?: number }): Decider {
  const parsed = parseGate(text);
  if (!('value' in parsed)) throw new Error(parsed.problem);
  return createGates([parsed.value], { total, runs, leastRuns: runs, isAuto: false });
}

/** Hears the runs of some cases, a letter each: P passes, F fails, U cannot be measured. */
function hear(decider: Decider, letters: string, run = 1): (string | undefined)[] {
  return letters.split('').map((letter, index) => {
    const attempt = { case: { id: String(index) }, run } as Attempt;
    const status = letter === 'P' ? 'passed' : letter === 'F' ? 'failed' : 'error';
    return decider.heard?.(attempt, { status }, { isPrior: false, target: { test_id: 't' } as Target });
  });
}

test('a pass rate is certain when the rest cannot change it', () => {
  expect(hear(gates('pass_rate >= 80', { total: 5 }), 'FF')).toEqual([undefined, 'decided']);
  expect(hear(gates('pass_rate >= 40', { total: 5 }), 'PP')).toEqual([undefined, 'decided']);
  expect(hear(gates('pass_rate > 40', { total: 5 }), 'PPP')).toEqual([undefined, undefined, 'decided']);
  expect(hear(gates('pass_rate <= 40', { total: 5 }), 'FFF')).toEqual([undefined, undefined, 'decided']);
});

test('what cannot be measured decides nothing', () => {
  expect(hear(gates('pass_rate >= 80', { total: 5 }), 'UUUU')).toEqual(Array.from({ length: 4 }));
});

test('several runs count in shares', () => {
  const decider = gates('pass_rate >= 75', { total: 2, runs: 2 });
  expect(hear(decider, 'PP')).toEqual([undefined, undefined]);
  expect(hear(decider, 'P', 2)).toEqual(['decided']);
});

test('whole rounds of clear results decide, a single one does not', () => {
  const decider = gates('pass_rate >= 50', { total: 6, runs: 20 });
  const ends: (string | undefined)[] = [];
  for (let round = 1; round <= 4; round += 1) {
    hear(decider, 'PPPPPP', round);
    ends.push(decider.roundEnded?.(round));
  }
  expect(ends).toEqual([undefined, undefined, 'decided', 'decided']);
});
