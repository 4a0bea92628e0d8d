import { expect, test } from 'vitest';
import { autoRule } from '../../stats/auto-rule.ts';
import { figures, OPTIONS, pastRun, planned } from './forecast.fixture.ts';
import { makeForecast } from './make-forecast.ts';

/** 90 cases that always pass, 10 that pass half of the time: the noise is about 0.028. */
const SUITE = [
  ...planned(90, figures(), { runs: 3 }),
  ...planned(10, figures({ passed: 5, baseline_passed: 5 }), { runs: 3 }),
];

test('the whole forecast of a suite with a baseline of ten runs', () => {
  expect(makeForecast(SUITE, { ...OPTIONS, runs: [pastRun({ cases: 100, attempts: 100 })] })).toEqual({
    cases: 100,
    runs: 3,
    attempts: 300,
    history: { runs: 1, known_cases: 100 },
    cost: { usd: 3, low_usd: 2.7, high_usd: 3.3, at_least: false },
    time: { low_ms: 270_000, high_ms: 330_000 },
    noise: { value: 0.02778, assumed: false },
    baseline: { source: 'history', runs: 10, cases: 100, missing_cases: 0 },
    margin: 5,
    detectable: {
      spread: 3.79,
      broken: 4,
      by_runs: [
        { runs: 1, spread: 6.35, broken: 6 },
        { runs: 2, spread: 4.52, broken: 4 },
        { runs: 3, spread: 3.79, broken: 4 },
        { runs: 5, spread: 3.11, broken: 3 },
      ],
    },
    recommended: { runs: 2, cost_usd: 2 },
    gate: { chance: expect.closeTo(0, 3), passes_needed: 3, never_passed: 0, suggested_pass_rate: 90 },
  });
});

test('without history there are attempts, and what the usual noise lets one see', () => {
  const forecast = makeForecast(planned(100, undefined, { runs: 3 }), { ...OPTIONS, baseline: undefined });
  expect(forecast).toMatchObject({
    attempts: 300,
    history: { runs: 0, known_cases: 0 },
    cost: null,
    time: null,
    noise: { value: 0.035, assumed: true },
    baseline: { source: 'same_size', runs: 3, cases: 100, missing_cases: 0 },
    detectable: { spread: 5.78, broken: 5 },
    recommended: { runs: 4, cost_usd: null },
    gate: null,
  });
});

test('only the cases that the baseline has are compared, by the runs that most of them have', () => {
  const without = figures({ baseline_passed: 0, baseline_measured: 0 });
  const few = figures({ baseline_passed: 2, baseline_measured: 2 });
  const { baseline } = makeForecast(
    [...planned(20, without), ...planned(10, few), ...planned(70, figures())],
    OPTIONS,
  );
  expect(baseline).toEqual({ source: 'history', runs: 10, cases: 80, missing_cases: 20 });
});

test('a gate on every case is as likely to pass as all cases together', () => {
  const always = planned(20, figures(), { runs: 3 });
  expect(makeForecast(always, OPTIONS).gate).toMatchObject({ chance: 1 });
  const nineteen = figures({ passed: 19, measured: 20, baseline_passed: 19, baseline_measured: 20 });
  const flaky = planned(20, nineteen, { runs: 3 });
  const gateAt = (minPassRate?: number): unknown => makeForecast(flaky, { ...OPTIONS, minPassRate }).gate;
  expect(gateAt()).toEqual({
    chance: 0.0461,
    passes_needed: 3,
    never_passed: 0,
    suggested_pass_rate: 85,
  });
  expect(gateAt(80)).toMatchObject({ chance: 0.0461, passes_needed: 3, suggested_pass_rate: 80 });
  expect(gateAt(60)).toMatchObject({ chance: 0.865, passes_needed: 2 });
  const broken = planned(1, figures({ passed: 0, baseline_passed: 0 }), { runs: 3 });
  expect(makeForecast([...always, ...broken], OPTIONS).gate).toMatchObject({ chance: 0, never_passed: 1 });
  expect(makeForecast(flaky, { ...OPTIONS, hasGate: true }).gate).toBeNull();
});

test('cases that run until they are decided have as many attempts as their rates lead to', () => {
  const rule = autoRule(0.7, 0.9);
  const always = planned(10, figures(), { runs: undefined });
  const never = planned(10, figures({ passed: 0, baseline_passed: 0 }), { runs: undefined });
  expect(makeForecast([...always, ...never], { ...OPTIONS, rule })).toMatchObject({
    runs: 'auto',
    attempts: 120,
    cost: { usd: 1.2 },
    gate: null,
  });
  expect(makeForecast(planned(10, undefined, { runs: undefined }), { ...OPTIONS, rule }).attempts).toBe(90);
});

test('what an earlier part of the run has done is not counted', () => {
  const rest = [
    ...planned(3, figures(), { runs: 3, done: 3 }),
    ...planned(2, figures(), { runs: 3, done: 1 }),
  ];
  expect(makeForecast(rest, OPTIONS)).toMatchObject({ cases: 2, attempts: 4, cost: { usd: 0.04 } });
});

test('a run that has done everything has no attempts, and nothing to compare', () => {
  const nothing = { cases: 0, runs: 1, attempts: 0, detectable: null, gate: null };
  expect(makeForecast(planned(3, figures(), { done: 1 }), OPTIONS)).toMatchObject(nothing);
  expect(makeForecast([], OPTIONS)).toMatchObject(nothing);
});

test('script tests and replays are deterministic: attempts and time only', () => {
  const nothing = { noise: null, baseline: null, detectable: null, recommended: null, gate: null };
  const scripts = planned(5, figures({ cost_usd: 0 }), { kind: 'script' });
  expect(makeForecast(scripts, OPTIONS)).toMatchObject({ attempts: 5, cost: null, ...nothing });
  expect(makeForecast(SUITE, { ...OPTIONS, isReplay: true })).toMatchObject({ cost: null, ...nothing });
});

test('beside script tests, the runs of the cases count', () => {
  const scripts = planned(50, figures({ cost_usd: 0 }), { kind: 'script' });
  const cases = planned(20, figures(), { runs: 3 });
  expect(makeForecast([...scripts, ...cases], OPTIONS)).toMatchObject({
    cases: 70,
    runs: 3,
    attempts: 110,
    baseline: { cases: 20, missing_cases: 0 },
    gate: { passes_needed: 3 },
  });
});

test('where no number of runs is enough, none is recommended', () => {
  const few = planned(5, figures({ passed: 5, baseline_passed: 1, baseline_measured: 2 }));
  expect(makeForecast(few, OPTIONS).recommended).toBeNull();
});
