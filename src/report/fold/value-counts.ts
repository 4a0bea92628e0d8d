// Settled cases in, counts of each value of one variable out.

import { isCount } from '../../model/spending.ts';
import type { Interval } from '../../stats/rates.ts';
import type { CaseResult, SettledCase } from './case-result.ts';

/** Counts of the cases with one value of a variable, counted like those of a summary. */
export type ValueCounts = {
  value: unknown;
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  timeouts: number;
  /** The mean of the cases' rates in percent, and its interval for cases like these; null if no case could be measured. */
  pass_rate: number | null;
  interval: Interval | null;
  avg_duration_ms: number | null;
  /** What one run of a case cost the agent, on average; null if a price is not known, left out if no run has a cost. */
  cost_usd?: number | null;
  /** The tokens of one run of a case, in and out, on average; left out if no run has any. */
  tokens?: number;
  /** The ranks that the value may have, from 1, and whether it may be the best; left out if it cannot be compared. */
  rank?: [from: number, to: number];
  may_be_best?: boolean;
};

/** What the ranking adds. */
export type ValueRank = Pick<ValueCounts, 'may_be_best' | 'rank'> & Pick<ValueCounts, 'interval'>;

export type ValueCounter = {
  name: string;
  /** Counts a case and returns the index of its value. */
  add(value: unknown, settled: SettledCase): number;
  /** The number of values, and each of them. */
  size(): number;
  valueAt(index: number): unknown;
  counts(ranks: readonly ValueRank[]): ValueCounts[];
};

type Sums = Pick<ValueCounts, 'errors' | 'failed' | 'passed' | 'skipped' | 'timeouts' | 'total' | 'value'> & {
  ran: number;
  duration: number;
  rated: number;
  rate: number;
  /** The number of runs with a cost, their sum, and whether a price is not known. */
  priced: number;
  cost: number;
  isUnpriced: boolean;
  /** The number of runs with tokens, and their sum. */
  metered: number;
  tokens: number;
};

/** Values that are not in the matrix, because a test locks the variable, come after the others. */
export function createValueCounter(name: string, values: readonly unknown[]): ValueCounter {
  const all: Sums[] = [];
  const indexes = new Map<string, number>();
  function indexFor(value: unknown): number {
    const key = JSON.stringify(value);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, all.length);
    return all.push(noSums(value)) - 1;
  }
  for (const value of values) indexFor(value);
  return {
    name,
    add(value, settled) {
      const index = indexFor(value);
      const sums = all[index];
      if (sums !== undefined) count(sums, settled);
      return index;
    },
    size: () => all.length,
    valueAt: (index) => all[index]?.value,
    counts: (ranks) => all.map((sums, at) => toValueCounts(sums, ranks[at] ?? { interval: null })),
  };
}

function noSums(value: unknown): Sums {
  const counts = { total: 0, passed: 0, failed: 0, skipped: 0, errors: 0, timeouts: 0 };
  const spent = { priced: 0, cost: 0, isUnpriced: false, metered: 0, tokens: 0 };
  return { value, ...counts, ran: 0, duration: 0, rated: 0, rate: 0, ...spent };
}

function count(sums: Sums, settled: SettledCase): void {
  sums.total += 1;
  if (!settled.ran) {
    sums.skipped += 1;
    return;
  }
  const { status, duration_ms, pass_rate } = settled.result;
  sums[status === 'passed' ? 'passed' : 'failed'] += 1;
  if (status === 'error') sums.errors += 1;
  if (status === 'timeout') sums.timeouts += 1;
  sums.ran += 1;
  sums.duration += duration_ms;
  countSpending(sums, settled.result);
  if (pass_rate === null) return;
  sums.rated += 1;
  sums.rate += pass_rate;
}

/** The spending of the agent itself: judges and simulated users are the same for every value. */
function countSpending(sums: Sums, result: CaseResult): void {
  for (const { usage, cost_usd } of result.run_details ?? [result]) {
    if (cost_usd === null) sums.isUnpriced = true;
    else if (cost_usd !== undefined) {
      sums.priced += 1;
      sums.cost += cost_usd;
    }
    const { input_tokens: input, output_tokens: output } = usage ?? {};
    if (!isCount(input) && !isCount(output)) continue;
    sums.metered += 1;
    sums.tokens += (input ?? 0) + (output ?? 0);
  }
}

function toValueCounts(sums: Sums, { interval, rank, may_be_best }: ValueRank): ValueCounts {
  const { value, total, passed, failed, skipped, errors, timeouts } = sums;
  const { ran, duration, rated, rate, priced, cost, isUnpriced, metered, tokens } = sums;
  return {
    value,
    total,
    passed,
    failed,
    skipped,
    errors,
    timeouts,
    pass_rate: rated === 0 ? null : tenths(rate / rated),
    interval,
    avg_duration_ms: ran === 0 ? null : tenths(duration / ran),
    ...(isUnpriced ? { cost_usd: null } : priced > 0 && { cost_usd: Number((cost / priced).toPrecision(6)) }),
    ...(metered > 0 && { tokens: tenths(tokens / metered) }),
    ...(rank !== undefined && { rank }),
    ...(may_be_best !== undefined && { may_be_best }),
  };
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
