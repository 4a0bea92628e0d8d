// Cases that ran with several values of one variable, and were otherwise the same: passed and measured runs of each value.

import type { PairedCounts } from '../../stats/paired-cases.ts';

export type MatchedCases = {
  /** Adds a case; `counts` has passed and measured runs by the index of the value. */
  add(counts: ReadonlyMap<number, { passed: number; measured: number }>, about: MatchedCase): void;
  /** The mean rate of each value, from 0 to 1; undefined without a case that has another value too. */
  rates(): (number | undefined)[];
  pair(a: number, b: number): PairedCounts[];
  /** The group of each case: those of one group are related. */
  groups: readonly number[];
  /** True if no result varies between equal runs. */
  isDeterministic(): boolean;
};

type MatchedCase = { group: number; isDeterministic: boolean };

/** `size` is the number of values. */
export function createMatchedCases(size: number): MatchedCases {
  const passed: number[] = [];
  const measured: number[] = [];
  const groups: number[] = [];
  let isDeterministic = true;

  return {
    groups,
    add(counts, about) {
      let values = 0;
      for (const one of counts.values()) if (one.measured > 0) values += 1;
      if (values < 2) return;
      for (let value = 0; value < size; value += 1) {
        const known = counts.get(value);
        passed.push(known?.passed ?? 0);
        measured.push(known?.measured ?? 0);
      }
      groups.push(about.group);
      isDeterministic &&= about.isDeterministic;
    },
    rates: () =>
      Array.from({ length: size }, (_, value) => {
        let sum = 0;
        let count = 0;
        for (let at = value; at < measured.length; at += size) {
          const runs = measured[at] ?? 0;
          if (runs === 0) continue;
          sum += (passed[at] ?? 0) / runs;
          count += 1;
        }
        return count === 0 ? undefined : sum / count;
      }),
    pair: (a, b) =>
      groups.map((_, at) => ({
        xa: passed[at * size + a] ?? 0,
        ra: measured[at * size + a] ?? 0,
        xb: passed[at * size + b] ?? 0,
        rb: measured[at * size + b] ?? 0,
      })),
    isDeterministic: () => isDeterministic,
  };
}
