import { expect, test } from 'vitest';
import type { Attempt, Target } from '../../model/attempt.ts';
import type { Assertion } from '../../model/case.ts';
import type { GateResult } from '../../model/gate.ts';
import { createGates } from './gates.ts';
import { parseGate } from './parse-gate.ts';

/** The result of a gate on cases whose runs have these scores; 'T' is a timeout. */
function gated(
  text: string,
  cases: (number | 'T')[][],
  assert: Assertion = { type: 'agent', metric: 'tone' },
): { exitCode: number | undefined; gate: GateResult | undefined } {
  const parsed = parseGate(text);
  if (!('value' in parsed)) throw new Error(parsed.problem);
  const decider = createGates([parsed.value], { total: cases.length, runs: 1, leastRuns: 1, isAuto: false });
  const about = { isPrior: false, target: { test_id: 't' } as Target };
  for (const [at, runs] of cases.entries()) {
    const attempt = { case: { id: String(at), assert }, run: 1 } as unknown as Attempt;
    for (const score of runs) {
      const verdicts = [{ type: 'agent', metric: 'tone', score: Number(score) }];
      const outcome =
        score === 'T' ? { status: 'timeout' as const } : { status: 'passed' as const, verdicts };
      expect(decider.heard?.(attempt, outcome, about)).toBeUndefined();
    }
    const end = { status: 'passed' as const, unmeasured: false, pass_rate: 100, stable: true };
    decider.caseEnded?.(attempt, end, about);
  }
  const { exitCode, fields } = decider.conclude?.({ stopped: undefined }) ?? {};
  return { exitCode, gate: fields?.gates?.[0] };
}

test('the figure is the mean of case means, with its interval', () => {
  const interval = { low: 0.202, high: 0.95 };
  expect(gated('tone >= 0.65', [[1, 0.5], [0.5], [0.7], [0.8]])).toEqual({
    exitCode: 0,
    gate: { gate: 'tone >= 0.65', metric: 'tone', status: 'passed', figure: 0.6875, interval },
  });
  expect(gated('metric:tone > 0.6875', [[1, 0.5], [0.5], [0.7], [0.8]])).toMatchObject({
    exitCode: 1,
    gate: { status: 'failed', figure: 0.6875 },
  });
});

test('cases without a score decide nothing where the answer depends on them', () => {
  const high = Array.from({ length: 9 }, () => [1]);
  expect(gated('tone >= 0.95', [...high, ['T']])).toEqual({
    exitCode: 3,
    gate: {
      gate: 'tone >= 0.95',
      metric: 'tone',
      status: 'unmeasured',
      figure: 1,
      interval: { low: 0.701, high: 1 },
      message: '1 of 10 cases has no score, and the answer depends on it',
    },
  });
  expect(gated('tone >= 0.9', [...high, ['T']])).toMatchObject({
    exitCode: 0,
    gate: { status: 'passed', message: '1 of 10 cases has no score' },
  });
  // One of its runs has a score.
  expect(gated('tone >= 0.95', [...high, ['T', 1]])).toMatchObject({ exitCode: 0 });
});

test('a case that does not assert the metric is not missing', () => {
  const other = { type: 'contains', value: 'x' };
  expect(gated('tone >= 0.95', [[1], ['T']], other)).toMatchObject({ exitCode: 0, gate: { figure: 1 } });
});

test('a metric without any score is not measured', () => {
  expect(gated('tone >= 0', [['T'], ['T']])).toEqual({
    exitCode: 3,
    gate: {
      gate: 'tone >= 0',
      metric: 'tone',
      status: 'unmeasured',
      figure: null,
      message: 'no case has a score for tone',
    },
  });
});
