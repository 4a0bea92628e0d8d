// Adds up case values from 0 to 1, in constant memory: of single cases, and of groups of related cases.

import type { GroupSum, GroupSums, Interval } from './rates.ts';
import { groupedRateInterval } from './rates.ts';

export type RateFold = {
  /** Adds a case; without a name it is a group of its own. */
  add(value: number, name?: string): void;
  /** Adds related cases; without a name they are a group of their own. */
  addGroup(group: GroupSum, name?: string): void;
  result(): RateResult;
};

export type RateResult = {
  /** The number of cases, and the sum of their values. */
  count: number;
  sum: number;
  interval: Interval | undefined;
  /** The number of groups, those of single cases included, and the number of cases in groups with a name. */
  groups: number;
  named: number;
};

export function createRateFold(): RateFold {
  const nameless = noSums();
  const named = new Map<string, GroupSum>();

  function addGroup(group: GroupSum, name?: string): void {
    if (name === undefined) return addSums(nameless, group);
    const known = named.get(name);
    if (known === undefined) named.set(name, { ...group });
    else {
      known.size += group.size;
      known.sum += group.sum;
    }
  }

  return {
    add: (value, name) => addGroup({ size: 1, sum: value }, name),
    addGroup,
    result() {
      const sums = { ...nameless };
      for (const group of named.values()) addSums(sums, group);
      const { count, sum, groups } = sums;
      return { count, sum, groups, interval: groupedRateInterval(sums), named: count - nameless.count };
    },
  };
}

function noSums(): GroupSums {
  return { count: 0, sum: 0, groups: 0, sizes: 0, squares: 0, products: 0 };
}

function addSums(sums: GroupSums, { size, sum }: GroupSum): void {
  sums.count += size;
  sums.sum += sum;
  sums.groups += 1;
  sums.sizes += size * size;
  sums.squares += sum * sum;
  sums.products += size * sum;
}
