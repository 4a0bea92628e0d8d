// One variable of a matrix: cases to compare its values on, the rate of each value, and how each case ended with each value.

import type { RateFold } from '../../stats/rate-fold.ts';
import { createRateFold } from '../../stats/rate-fold.ts';
import type { MeasuredCase } from './case-counts.ts';
import type { MatchedCases } from './matched-cases.ts';
import { createMatchedCases } from './matched-cases.ts';
import type { ValueEnds } from './only-failures.ts';
import type { ValueCounter, ValueCounts, ValueRank } from './value-counts.ts';

/** Stands for a variable that a case does not have. */
export const NO_VALUE = -1;

export type VariablePart = {
  name: string;
  valueAt(index: number): unknown;
  /** The cases that ran with several values and were otherwise the same. */
  cases: MatchedCases;
  add(entries: readonly MeasuredCase[], facts: CaseFacts): void;
  /** A case with each value, whatever its other values are. */
  byValue(entries: readonly MeasuredCase[]): Map<number, ValueEnds>;
  counts(ranks: ReadonlyMap<number, [number, number]>): ValueCounts[];
};

/** `group` is the number of the group of related cases; `isNamed` is false if the case is a group of its own. */
type CaseFacts = { group: number; isNamed: boolean; isDeterministic: boolean };

/** Collects what the results say about one variable; `valuesOf` has the values of each combination, `at` is its place there. */
export function createVariablePart(
  variable: ValueCounter,
  at: number,
  valuesOf: readonly (readonly number[])[],
): VariablePart {
  const { name, valueAt } = variable;
  const cases = createMatchedCases(variable.size());
  const rates = Array.from({ length: variable.size() }, () => createRateFold());
  const others = valuesOf.map((values) =>
    values.map((value, place) => (place === at ? '' : value)).join(' '),
  );
  const valueIn = ({ combination }: MeasuredCase): number => valuesOf[combination]?.[at] ?? NO_VALUE;

  return {
    name,
    valueAt,
    cases,
    add(entries, { group, isNamed, isDeterministic }) {
      const matched = new Map<string, Map<number, MeasuredCase>>();
      const sums = new Map<number, { size: number; sum: number }>();
      for (const entry of entries) {
        const value = valueIn(entry);
        if (value === NO_VALUE || entry.measured === 0) continue;
        const rest = others[entry.combination] ?? '';
        matched.set(rest, (matched.get(rest) ?? new Map<number, MeasuredCase>()).set(value, entry));
        const { size, sum } = sums.get(value) ?? { size: 0, sum: 0 };
        sums.set(value, { size: size + 1, sum: sum + entry.passed / entry.measured });
      }
      for (const counts of matched.values()) cases.add(counts, { group, isDeterministic });
      for (const [value, sum] of sums) rates[value]?.addGroup(sum, isNamed ? String(group) : undefined);
    },
    byValue(entries) {
      const found = new Map<number, ValueEnds>();
      for (const entry of entries) {
        const value = valueIn(entry);
        if (value === NO_VALUE || entry.ending === 'unknown') continue;
        const { passed = 0, measured = 0, hasPassed = false, hasFailed = false } = found.get(value) ?? {};
        found.set(value, {
          passed: passed + entry.passed,
          measured: measured + entry.measured,
          hasPassed: hasPassed || entry.ending === 'passed',
          hasFailed: hasFailed || entry.ending === 'failed',
        });
      }
      return found;
    },
    counts: (ranks) => variable.counts(rates.map((rate, value) => toRank(rate, ranks.get(value)))),
  };
}

function toRank(rate: RateFold, rank: [number, number] | undefined): ValueRank {
  const interval = rate.result().interval ?? null;
  return rank === undefined ? { interval } : { interval, rank, may_be_best: rank[0] === 1 };
}
