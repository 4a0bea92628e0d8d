// Adds up case values from 0 to 1, in constant memory: of single cases, and of groups of related cases.

import type { GroupSum, Interval, RateSums } from './rates.ts';
import { groupedRateInterval } from './rates.ts';

export type RateFold = {
  /** Adds a case; without a group it is a group of its own. */
  add(value: number, group?: string): void;
  result(): RateResult;
};

export type RateResult = {
  /** The number of cases, and the sum of their values. */
  count: number;
  sum: number;
  interval: Interval | undefined;
  /** The number of groups, those of single cases included, and the number of cases that are in a named one. */
  groups: number;
  grouped: number;
};

export function createRateFold(): RateFold {
  const single: RateSums = { count: 0, sum: 0, squares: 0 };
  const groups = new Map<string, GroupSum>();
  return {
    add(value, name) {
      if (name === undefined) {
        single.count += 1;
        single.sum += value;
        single.squares += value * value;
        return;
      }
      const group = groups.get(name);
      if (group === undefined) groups.set(name, { size: 1, sum: value });
      else {
        group.size += 1;
        group.sum += value;
      }
    },
    result() {
      let { count, sum } = single;
      for (const group of groups.values()) {
        count += group.size;
        sum += group.sum;
      }
      return {
        count,
        sum,
        interval: groupedRateInterval(single, [...groups.values()]),
        groups: single.count + groups.size,
        grouped: count - single.count,
      };
    },
  };
}
