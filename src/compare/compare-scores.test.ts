import { expect, test } from 'vitest';
import type { SideRun } from '../model/comparison.ts';
import { comparisonExit } from './comparison-exit.ts';
import { compareSides } from './compare-sides.ts';
import { poolSides } from './pool-sides.ts';
import { scoreSentences } from './score-words.ts';
import type { Side, SideCase } from './side.ts';
import { comparedTexts } from './words.ts';

const RUN: SideRun = {
  run_id: 'r',
  started_at: '2026-01-01T00:00:00.000Z',
  commit: null,
  agent_id: 'shop',
  agent_sha256: 'a',
  connector: null,
  judge_sha256: null,
  is_auto: false,
  replayed_from: null,
};

/** A side whose cases all passed; `scores` has the score of each case, by metric. */
function side(scores: Record<string, (number | undefined)[]>, more: Partial<SideCase> = {}): Side {
  const count = Math.max(...Object.values(scores).map((values) => values.length));
  const cases = Array.from({ length: count }, (_, at): SideCase => {
    const own = Object.entries(scores).flatMap(([metric, values]) => {
      const score = values[at];
      return score === undefined ? [] : [[metric, { sum: score, count: 1 }] as const];
    });
    return {
      test_id: 't',
      case_id: `c${String(at)}`,
      variables: null,
      kind: 'agent-eval',
      status: 'passed',
      content: 'c',
      passed: 1,
      measured: 1,
      unmeasured: 0,
      duration_ms: null,
      cost_usd: null,
      tokens: null,
      ...(own.length > 0 && { scores: new Map(own) }),
      flips: false,
      ...more,
    };
  });
  return { runs: [RUN], cases };
}

const BEFORE = [0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9, 0.95];
const FALLEN = [0.8, 0.6, 0.65, 0.6, 0.65, 0.65, 0.8, 0.7];

test('a metric that fell is worse, and fails nothing by itself', () => {
  const found = compareSides(side({ faithful: BEFORE }), side({ faithful: FALLEN }));
  expect(found.metrics).toEqual([
    {
      metric: 'faithful',
      cases: 8,
      before: 0.8188,
      after: 0.6813,
      difference: -0.1375,
      low: -0.2333,
      high: -0.0333,
      // Twice 3 of 256 choices of signs.
      p: 6 / 256,
      p_adjusted: 6 / 256,
      verdict: 'worse',
    },
  ]);
  expect({ fails: found.fails, exit: comparisonExit(found) }).toEqual({ fails: false, exit: 0 });
  expect(scoreSentences(found)).toEqual([
    'Score faithful: worse. It fell by 0.138, from 0.819 to 0.681. With 95% certainty the drop is between 0.033 and 0.233 (p 0.023, 8 cases).',
  ]);
  expect(comparedTexts({ comparison: found })[0]).toContain(' Scores: faithful worse (−0.138).');
});

test('a rise is better; what chance explains is not clear', () => {
  const found = compareSides(side({ a: FALLEN, b: [0.5, 0.6] }), side({ a: BEFORE, b: [0.6, 0.4] }));
  expect(scoreSentences(found)).toEqual([
    'Score a: better. It rose by 0.138, from 0.681 to 0.819. With 95% certainty the rise is between 0.033 and 0.233 (p 0.047 over 2 metrics, 8 cases).',
    'Score b: not clear. It went from 0.55 to 0.5 (−0.05); anything from −1 to +1 fits (95% interval, p 1.000 over 2 metrics, 2 cases).',
  ]);
});

test('the more metrics there are, the more it takes to call one worse', () => {
  const still = [0.5, 0.6, 0.5, 0.6, 0.5, 0.6, 0.5, 0.6];
  const { metrics } = compareSides(
    side({ a: BEFORE, b: still, c: still }),
    side({ a: FALLEN, b: still, c: still }),
  );
  expect(metrics?.map(({ metric, p_adjusted, verdict }) => [metric, p_adjusted, verdict])).toEqual([
    ['a', 18 / 256, 'not_clear'],
    ['b', 1, 'not_clear'],
    ['c', 1, 'not_clear'],
  ]);
});

test('cases whose content changed, or that have a score on one side only, are not compared', () => {
  const found = compareSides(side({ a: [1, 1, undefined], b: [1] }), side({ a: [1, undefined, 1], c: [1] }));
  expect(found.metrics?.map(({ metric, cases }) => [metric, cases])).toEqual([['a', 1]]);
  expect(found.notes).toEqual([
    'No case has these scores on both sides, so they are not compared: "b", "c".',
  ]);
  const changed = compareSides(side({ a: [1, 1] }), side({ a: [0, 0] }, { content: 'other' }));
  expect({ metrics: changed.metrics, notes: changed.notes }).toEqual({
    metrics: undefined,
    notes: ['No case has these scores on both sides, so they are not compared: "a".'],
  });
});

test('runs of one version are pooled: every attempt counts the same', () => {
  const pooled = poolSides([side({ a: [1] }), side({ a: [0] }), side({ a: [undefined], b: [0.5] })]);
  expect([...(pooled.cases[0]?.scores ?? [])]).toEqual([
    ['a', { sum: 1, count: 2 }],
    ['b', { sum: 0.5, count: 1 }],
  ]);
});

test('many metrics: those that changed come first, and the others are counted', () => {
  const names = Array.from({ length: 12 }, (_, at) => `m${String(at).padStart(2, '0')}`);
  const long = (values: number[]): number[] => [...values, ...values, ...values];
  const same = Object.fromEntries(names.map((name) => [name, long(BEFORE)]));
  const found = compareSides(side(same), side({ ...same, m11: long(FALLEN) }));
  const sentences = scoreSentences(found);
  expect([sentences[0]?.slice(0, 18), sentences.length, sentences.at(-1)]).toEqual([
    'Score m11: worse. ',
    9,
    '4 more metrics; --json has them all.',
  ]);
  expect(comparedTexts({ comparison: found })[0]).toContain(' Scores: m11 worse (−0.138); 11 not clear.');
});

test('a comparison without scores has no metrics', () => {
  expect(compareSides(side({ a: [undefined] }), side({ a: [undefined] }))).not.toHaveProperty('metrics');
});
