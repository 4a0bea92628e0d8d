import { expect, test } from 'vitest';
import type { Attempt, Target } from '../../model/attempt.ts';
import type { Counted } from '../../model/settle.ts';
import { createBudget } from './budget.ts';

const ATTEMPT = {} as Attempt;
const TARGET = {} as Target;

function hear(usd: number, outcomes: Counted[], isPrior = false): { ends: unknown[]; notes: number } {
  let notes = 0;
  const budget = createBudget({ usd, unpriced: () => (notes += 1) });
  const ends = outcomes.map((outcome) => budget.heard?.(ATTEMPT, outcome, { isPrior, target: TARGET }));
  return { ends, notes };
}

test('stops when agents, judges and simulated users have spent the budget', () => {
  const outcomes: Counted[] = [
    { status: 'passed', cost_usd: 0.1 },
    { status: 'failed', cost_usd: 0.1, verdicts: [{ cost_usd: 0.05 }, {}], simulation: { cost_usd: 0.04 } },
    { status: 'passed', cost_usd: 0.01 },
  ];
  expect(hear(0.3, outcomes)).toEqual({ ends: [undefined, undefined, 'budget'], notes: 0 });
});

test('an unknown price counts nothing and is told once', () => {
  const outcomes: Counted[] = [
    { status: 'passed', cost_usd: null },
    { status: 'passed', cost_usd: null },
    { status: 'passed', cost_usd: 1 },
  ];
  expect(hear(1, outcomes)).toEqual({ ends: [undefined, undefined, 'budget'], notes: 1 });
});

test('what an earlier part of the run has spent does not count', () => {
  expect(hear(1, [{ status: 'passed', cost_usd: 5 }], true)).toEqual({ ends: [undefined], notes: 0 });
});
