import { expect, test } from 'vitest';
import type { CountedCase } from './cost.ts';
import { forecastCost, forecastTime } from './cost.ts';
import { figures, pastRun, planned } from './forecast.fixture.ts';

function counted(...cases: Parameters<typeof planned>): CountedCase[] {
  return planned(...cases).map((one) => Object.assign(one, { attempts: one.runs ?? 1 }));
}

test('a run costs what its cases cost, with what ten percent more or less would be', () => {
  const cases = counted(10, figures(), { runs: 3 });
  expect(forecastCost(cases, [pastRun()])).toEqual({
    usd: 0.3,
    low_usd: 0.27,
    high_usd: 0.33,
    at_least: false,
  });
});

test('cases that are new cost as much as the others', () => {
  const cases = [...counted(8, figures()), ...counted(2, undefined)];
  expect(forecastCost(cases, [pastRun()])).toMatchObject({ usd: 0.1, at_least: false });
});

test('judges and simulated users cost in proportion to the cases', () => {
  expect(forecastCost(counted(10, figures()), [pastRun({ cost_usd: 0.3 })])).toMatchObject({ usd: 0.3 });
  const free = counted(10, figures({ cost_usd: 0 }), { runs: 2 });
  expect(forecastCost(free, [pastRun({ case_cost_usd: 0 })])).toMatchObject({ usd: 0.2 });
});

test('runs that cost more or less widen the range, unless they had other cases', () => {
  const cases = counted(10, figures());
  const runs = [pastRun({ cost_usd: 0.05 }), pastRun({ cost_usd: 0.15, case_cost_usd: 0.1 })];
  expect(forecastCost(cases, runs)).toMatchObject({ usd: 0.1, low_usd: 0.045, high_usd: 0.165 });
  const other = pastRun({ cases: 3, attempts: 3, cost_usd: 0.9, case_cost_usd: 0.9 });
  expect(forecastCost(cases, [pastRun(), pastRun(), other])).toMatchObject({ low_usd: 0.09, high_usd: 0.11 });
});

test('a price that is not known makes it "at least"; nothing paid is null', () => {
  const unpriced = counted(10, figures({ cost_usd: 0.05, unpriced: 5 }));
  expect(forecastCost(unpriced, [pastRun({ cost_usd: null })])).toMatchObject({ usd: 0.05, at_least: true });
  const none = counted(10, figures({ cost_usd: 0, unpriced: 10 }));
  expect(forecastCost(none, [pastRun({ cost_usd: null, case_cost_usd: 0 })])).toMatchObject({
    usd: 0,
    at_least: true,
  });
  const free = counted(10, figures({ cost_usd: 0 }));
  expect(forecastCost(free, [pastRun({ cost_usd: undefined, case_cost_usd: 0 })])).toBeNull();
  expect(forecastCost(counted(10, undefined), [])).toBeNull();
});

test('time is that of the attempts over what runs at once, and the start of a run', () => {
  const cases = counted(10, figures(), { runs: 3, parallel: 4 });
  const even = pastRun({ wall_ms: 2700, parallel: 4 });
  // 30 seconds over 4, and at the end up to one attempt alone.
  expect(forecastTime(cases, [even])).toEqual({ low_ms: 6750, high_ms: Math.round(8250 * 1.1 + 200) });
});

test('runs that took longer than their attempts widen the range', () => {
  const slow = pastRun({ wall_ms: 17_000 });
  expect(forecastTime(counted(10, figures()), [pastRun(), slow])).toEqual({
    low_ms: 9000,
    high_ms: Math.round(10_000 * 1.1 * 1.5 + 2000),
  });
  const hours = [
    pastRun({ attempts_ms: 8000, wall_ms: 8000 }),
    pastRun({ attempts_ms: 12_000, wall_ms: 12_000 }),
  ];
  expect(forecastTime(counted(10, figures()), hours)).toEqual({ low_ms: 7200, high_ms: 13_200 });
});

test('kinds may run one after the other or beside each other; a file of script tests is one piece', () => {
  const second = figures({ measured: 1, duration_ms: 1000 });
  const script = { kind: 'script', runsWhole: true, parallel: 2 } as const;
  const scripts = [
    ...counted(4, second, { ...script, test_id: 'a' }),
    ...counted(1, second, { ...script, test_id: 'b' }),
  ];
  expect(forecastTime(scripts, [])).toEqual({ low_ms: 3600, high_ms: Math.round(4500 * 1.1) });
  expect(forecastTime([...scripts, ...counted(2, second)], [])).toEqual({
    low_ms: 3600,
    high_ms: Math.round(6500 * 1.1),
  });
});

test('without any measured run the time is not known', () => {
  expect(forecastTime(counted(3, undefined), [])).toBeNull();
  expect(forecastTime(counted(3, figures({ measured: 0 })), [])).toBeNull();
});
