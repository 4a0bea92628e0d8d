// What was measured of each value of a variable in; ranks, and whether the best value is clear, out.

import { rankAll } from '../../stats/models.ts';
import type { ModelRanks, Rivals } from '../../stats/models.ts';
import { moreRunsOfBoth } from '../../stats/more-runs-of-both.ts';
import type { PairedCounts } from '../../stats/paired-cases.ts';
import type { MatchedCases } from './matched-cases.ts';

/** The best value of a variable, as far as it is known. */
export type Best = {
  variable: string;
  /** The value with the highest rate. */
  value: unknown;
  /** Whether it is surely better than every other. */
  clear: boolean;
  /** The largest p against another value; null if results do not vary, so that every difference is real. */
  p: number | null;
  /** The values that may be the best, the highest rate first. */
  candidates: unknown[];
  /** How many further runs of the candidates would decide (4 chances in 5); null if it is clear, or runs would not. */
  more_runs: number | null;
};

export type RankedVariable = {
  best: Best | undefined;
  /** By the index of the value; a value that was never measured beside another one has no rank. */
  ranks: Map<number, [from: number, to: number]>;
};

type Variable = { name: string; valueAt(index: number): unknown; cases: MatchedCases };

/** Ranks the values of all variables of a run. */
export function rankValues(variables: readonly Variable[]): RankedVariable[] {
  const rivals = variables.map(({ cases }) => toRivals(cases));
  const varying = variables.flatMap(({ cases }, at) => (cases.isDeterministic() ? [] : [at]));
  const tested = rankAll(varying.flatMap((at) => rivals[at] ?? []));
  return variables.map((variable, at) => {
    const own = rivals[at];
    if (own === undefined || own.values.length < 2) return { best: undefined, ranks: new Map() };
    const ranks = tested[varying.indexOf(at)] ?? countedRanks(own.rates);
    const best = toBest(variable, own, ranks, variable.cases.isDeterministic());
    return { best, ranks: new Map(own.values.map((value, place) => [value, ranks.ranks[place] ?? [1, 1]])) };
  });
}

/** `values` has the index of each value that was measured beside another one. */
type ValueRivals = Rivals & { values: number[] };

function toRivals(cases: MatchedCases): ValueRivals {
  const rated = cases.rates();
  const values = rated.flatMap((rate, value) => (rate === undefined ? [] : [value]));
  return {
    values,
    rates: values.map((value) => rated[value] ?? 0),
    pair: (a, b) => cases.pair(values[a] ?? 0, values[b] ?? 0),
    groups: cases.groups,
  };
}

/** Results that do not vary need no test: the counts say everything. */
function countedRanks(rates: readonly number[]): ModelRanks {
  const ranks = rates.map((rate): [number, number] => [
    1 + rates.filter((other) => other > rate).length,
    rates.filter((other) => other >= rate).length,
  ]);
  const perhapsBest = ranks.flatMap(([first], at) => (first === 1 ? [at] : []));
  const [leader = 0] = perhapsBest;
  return { rates: [...rates], leader, clear: perhapsBest.length === 1, pairs: [], ranks, perhapsBest };
}

function toBest(
  { name, valueAt }: Variable,
  { values, rates, pair, groups }: ValueRivals,
  { leader, clear, pairs, perhapsBest }: ModelRanks,
  isDeterministic: boolean,
): Best {
  const others = perhapsBest.filter((at) => at !== leader);
  others.sort((a, b) => (rates[b] ?? 0) - (rates[a] ?? 0));
  const against = pairs.filter(({ a, b }) => a === leader || b === leader).map(({ p }) => p);
  const open = clear || isDeterministic ? [] : others.map((at) => pair(leader, at));
  return {
    variable: name,
    value: valueAt(values[leader] ?? 0),
    clear,
    p: isDeterministic ? null : Number(Math.max(...against).toPrecision(4)),
    candidates: (clear ? [leader] : [leader, ...others]).map((at) => valueAt(values[at] ?? 0)),
    more_runs: mostRuns(open, groups),
  };
}

/** The runs that decide between the leader and every other; null if there is nothing to decide, or runs do not decide. */
function mostRuns(open: readonly PairedCounts[][], groups: Rivals['groups']): number | null {
  const runs = open.map((cases) => moreRunsOfBoth(cases, { groups }) ?? Infinity);
  const most = Math.max(0, ...runs);
  return most === 0 || most === Infinity ? null : most;
}
