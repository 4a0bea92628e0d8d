// The cost and the time of a run, from those of earlier runs.

import type { KindId } from '../../model/subject.ts';
import { planTime } from '../../stats/planning.ts';
import type { CostForecast, TimeForecast } from './forecast.ts';
import type { PlannedCase } from './planned-cases.ts';

/** An earlier run as a whole. */
export type PastRun = {
  cases: number;
  attempts: number;
  /** Of the agent's own calls in all cases. */
  case_cost_usd: number;
  /** With judges and simulated users; null if a price is not known, undefined if nothing was paid. */
  cost_usd: number | null | undefined;
  /** The sum of all attempts, and how long the run took. */
  attempts_ms: number;
  wall_ms: number;
  parallel: number;
};

/** A case and how many attempts of it there will be. */
export type CountedCase = PlannedCase & { attempts: number };

/** Runs differ by more than a few earlier ones show. */
const MARGIN = 0.1;
/** What takes longer than this at the start of a run is not its start. */
const LONGEST_START_MS = 2000;

/** The cost of each case times its attempts; cases that are new cost as much as the others. Null if nothing was paid so far. */
export function forecastCost(cases: readonly CountedCase[], runs: readonly PastRun[]): CostForecast | null {
  const priced = cases.filter(({ past }) => past !== undefined && past.attempts > 0);
  if (priced.length === 0) return null;
  const own = sumOf(priced, ({ attempts, past }) =>
    past === undefined ? 0 : (attempts * past.cost_usd) / past.attempts,
  );
  const at_least =
    priced.some(({ past }) => (past?.unpriced ?? 0) > 0) || runs.some(({ cost_usd }) => cost_usd === null);

  const known = runs.filter((run) => typeof run.cost_usd === 'number');
  const paid = sumOf(known, ({ cost_usd }) => cost_usd ?? 0);
  const paidByCases = sumOf(known, ({ case_cost_usd }) => case_cost_usd);
  if (own === 0 && paid === 0 && !at_least) return null;

  const attempts = sumOf(cases, (one) => one.attempts);
  const known_attempts = sumOf(priced, (one) => one.attempts);
  // Judges and simulated users are paid by the run, in proportion to what its cases cost.
  const usd =
    own > 0
      ? ((own * attempts) / known_attempts) * (paidByCases > 0 ? Math.max(1, paid / paidByCases) : 1)
      : paid === 0
        ? 0
        : (paid * attempts) / sumOf(known, (run) => run.attempts);
  const ratios = likeMost(known, (run) => (run.cost_usd ?? 0) / run.attempts);
  return {
    usd: rounded(usd),
    low_usd: rounded(usd * (1 - MARGIN) * Math.min(1, ...ratios)),
    high_usd: rounded(usd * (1 + MARGIN) * Math.max(1, ...ratios)),
    at_least,
  };
}

/** The mean times of the cases, spread over what runs at the same time; wider by what earlier runs took beyond that. */
export function forecastTime(cases: readonly CountedCase[], runs: readonly PastRun[]): TimeForecast | null {
  const known = cases.flatMap(({ past }) =>
    past !== undefined && past.measured > 0 ? [past.duration_ms / past.measured] : [],
  );
  if (known.length === 0) return null;
  const usual = sumOf(known, (ms) => ms) / known.length;

  let low = 0;
  const high = new Map<KindId, number>();
  for (const lane of lanesOf(cases, usual)) {
    const time = planTime(lane.durations, 1, lane.parallel);
    low = Math.max(low, time.low);
    high.set(lane.kind, (high.get(lane.kind) ?? 0) + time.high);
  }

  const paces = runs.filter(({ wall_ms, attempts_ms }) => wall_ms > 0 && attempts_ms > 0).map(paceOf);
  const drifts = likeMost(paces, ({ attempt_ms }) => attempt_ms);
  const ratios = paces.map(({ ratio }, index) => ratio * (drifts[index] ?? 1));
  const start = Math.max(0, ...paces.map(({ start_ms }) => start_ms));
  const most = sumOf([...high.values()], (ms) => ms);
  return {
    low_ms: Math.round(low * (1 - MARGIN) * Math.min(1, ...ratios)),
    high_ms: Math.round(most * (1 + MARGIN) * Math.max(1, ...ratios) + start),
  };
}

type Lane = { kind: KindId; parallel: number; durations: number[] };

/** Cases that share what runs at the same time. A test that runs whole is one long duration. */
function lanesOf(cases: readonly CountedCase[], usualMs: number): Iterable<Lane> {
  const lanes = new Map<string, Lane & { whole: Map<string, number> }>();
  for (const { kind, parallel, test_id, runsWhole, attempts, past } of cases) {
    const key = `${kind} ${String(parallel)}`;
    const lane = lanes.get(key) ?? { kind, parallel, durations: [], whole: new Map<string, number>() };
    lanes.set(key, lane);
    const ms = past !== undefined && past.measured > 0 ? past.duration_ms / past.measured : usualMs;
    if (runsWhole) lane.whole.set(test_id, (lane.whole.get(test_id) ?? 0) + ms * attempts);
    else for (let run = 0; run < Math.round(attempts); run += 1) lane.durations.push(ms);
  }
  for (const lane of lanes.values()) lane.durations.push(...lane.whole.values());
  return lanes.values();
}

/** How much longer a run took than its attempts, apart from its start. */
function paceOf({ wall_ms, attempts_ms, attempts, parallel, cases }: PastRun): {
  cases: number;
  attempt_ms: number;
  start_ms: number;
  ratio: number;
} {
  const busy = attempts_ms / parallel;
  const start_ms = Math.min(Math.max(0, wall_ms - busy), LONGEST_START_MS);
  return { cases, attempt_ms: attempts_ms / attempts, start_ms, ratio: (wall_ms - start_ms) / busy };
}

/** Each value over their mean. A run with another number of cases than most had other cases, and says nothing: 1. */
function likeMost<Run extends { cases: number }>(
  runs: readonly Run[],
  valueOf: (run: Run) => number,
): number[] {
  const counts = new Map<number, number>();
  for (const { cases } of runs) counts.set(cases, (counts.get(cases) ?? 0) + 1);
  const most = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  const same = runs.filter(({ cases }) => cases === most);
  const mean = sumOf(same, valueOf) / same.length;
  return runs.map((run) => (run.cases === most && mean > 0 ? valueOf(run) / mean : 1));
}

function sumOf<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += valueOf(item);
  return sum;
}

/** Hides binary fractions. */
function rounded(usd: number): number {
  return Number(usd.toPrecision(6));
}
