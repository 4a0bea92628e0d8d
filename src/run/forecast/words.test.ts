import { expect, test } from 'vitest';
import type { Forecast } from './forecast.ts';
import type { WordOptions } from './words.ts';
import { forecastText, timeRange } from './words.ts';

const FORECAST: Forecast = {
  cases: 100,
  runs: 3,
  attempts: 300,
  history: { runs: 12, known_cases: 100 },
  cost: { usd: 4.1, low_usd: 3.7, high_usd: 4.6, at_least: false },
  time: { low_ms: 6.2 * 60_000, high_ms: 7.8 * 60_000 },
  noise: { value: 0.035, assumed: false },
  baseline: { source: 'named', runs: 10, cases: 100, missing_cases: 0 },
  margin: 5,
  detectable: {
    spread: 4.14,
    broken: 4,
    by_runs: [
      { runs: 1, spread: 6.8, broken: 6 },
      { runs: 2, spread: 4.8, broken: 4 },
      { runs: 3, spread: 4.14, broken: 4 },
    ],
  },
  recommended: { runs: 2, cost_usd: 2.7 },
  gate: { chance: 0.6, passes_needed: 3, never_passed: 0, suggested_pass_rate: 90 },
};
const OPTIONS: WordOptions = { noun: 'case', against: 'main', minPassRate: undefined, budget: undefined };

function lines(fields: Partial<Forecast>, options: Partial<WordOptions> = {}): string[] {
  return forecastText({ ...FORECAST, ...fields }, { ...OPTIONS, ...options })
    .trimEnd()
    .split('\n');
}

test('size, cost and time; the drop it shows; the fewest runs', () => {
  expect(lines({})).toEqual([
    '100 cases × 3 runs = 300 attempts, about $4.10 and 6 to 8 minutes (from 12 earlier runs)',
    'Against the baseline main of 10 runs this shows a drop of 4.1 points or more (4 chances in 5), or 4 broken cases.   1 run: 6.8 · 2: 4.8 · 3: 4.1',
    'For a margin of 5 points 2 runs are enough: $2.70. With 1 run a single broken case is only a suspect (--confirm).',
  ]);
});

test('without history', () => {
  const none = { cost: null, time: null, history: { runs: 0, known_cases: 0 }, gate: null };
  const [size, drop, why, margin] = lines(
    {
      ...none,
      noise: { value: 0.035, assumed: true },
      baseline: { source: 'same_size', runs: 3, cases: 100, missing_cases: 0 },
      recommended: { runs: 4, cost_usd: null },
    },
    { against: undefined },
  );
  expect(size).toBe(
    '100 cases × 3 runs = 300 attempts. No run in the history has one of these cases, so that cost and time are not known.',
  );
  expect(drop).toMatch(/^Against a baseline of the same size this shows a drop of 4.1 points/);
  expect(why).toBe('No case has run twice so far, so that the usual noise of agents is assumed.');
  expect(margin).toBe('For a margin of 5 points it takes 4 runs.');
});

test('new cases, prices that are not known, and a baseline with a part of the cases', () => {
  const [size, drop] = lines(
    {
      history: { runs: 1, known_cases: 99 },
      cost: { usd: 0.041, low_usd: 0, high_usd: 1, at_least: true },
      baseline: { source: 'history', runs: 1, cases: 80, missing_cases: 20 },
    },
    { against: undefined },
  );
  expect(size).toBe(
    '100 cases × 3 runs = 300 attempts, at least $0.041 and 6 to 8 minutes (from 1 earlier run; 1 case is new)',
  );
  expect(drop).toMatch(
    /^Against the run of the newest version in the history, which has 80 of the cases, this shows/,
  );
  expect(lines({ cost: { usd: 0, low_usd: 0, high_usd: 0, at_least: true } })[0]).toContain(
    '300 attempts, at a price that is not known and 6 to 8 minutes',
  );
});

test('a gate that hardly ever passes is told, and what would be better', () => {
  const gate = { chance: 0.046, passes_needed: 3, never_passed: 0, suggested_pass_rate: 80 };
  expect(lines({ gate, cases: 20, attempts: 60 }, { minPassRate: 80 }).slice(-2)).toEqual([
    'At the rates so far this run passes 5 times in 100: each of the 20 cases must pass all 3 runs (80 % of 3 is all of them).',
    'Better: a gate on the whole, --gate "pass_rate >= 80".',
  ]);
  const hopeless = { chance: 0, passes_needed: 1, never_passed: 2, suggested_pass_rate: 70 };
  expect(lines({ gate: hopeless, runs: 1, attempts: 100 }).at(-2)).toBe(
    'At the rates so far this run passes less than once in 100: each of the 100 cases must pass. 2 cases have never passed.',
  );
});

test('a budget that is too small says when it would end the run', () => {
  expect(lines({}, { budget: 2 })[1]).toBe('The budget of $2.00 would stop it after about 146 attempts.');
  expect(lines({}, { budget: 4.2 })[1]).toBe('The budget of $4.20 may just be enough.');
  expect(lines({}, { budget: 5 })).toHaveLength(3);
});

test('a run without attempts has nothing to say', () => {
  const empty = { cases: 0, attempts: 0, noise: null, baseline: null, detectable: null, gate: null };
  expect(lines(empty)).toEqual(['Nothing is left to run.']);
});

test('one case is too few to show a drop', () => {
  const blind = { spread: 100, broken: 5 };
  const text = lines({
    baseline: { source: 'same_size', runs: 3, cases: 1, missing_cases: 0 },
    detectable: { ...blind, by_runs: [{ runs: 1, ...blind }] },
    recommended: null,
  });
  expect(text.slice(1)).toEqual(['1 case is too few to show a drop of the pass rate.']);
});

test('where one run is enough, and where none is', () => {
  expect(lines({ recommended: { runs: 3, cost_usd: 4.1 } }).at(-1)).toBe(
    'For a margin of 5 points it takes these 3 runs.',
  );
  expect(lines({ recommended: null }).at(-1)).toBe(
    'For a margin of 5 points not even 100 runs are enough: it takes more cases, or a baseline with more runs.',
  );
});

test('times go outwards, in one unit', () => {
  expect([
    timeRange(100, 900),
    timeRange(800, 1200),
    timeRange(2500, 3100),
    timeRange(100_000, 119_000),
    timeRange(100_000, 121_000),
    timeRange(4_000_000, 8_000_000),
  ]).toEqual([
    'less than a second',
    'up to 2 seconds',
    '2 to 4 seconds',
    '100 to 119 seconds',
    '1 to 3 minutes',
    '1 to 2.5 hours',
  ]);
});
