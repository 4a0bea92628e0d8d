// pass@k and pass^k of cases and of a suite, in percent.

import type { RateFold } from './rate-fold.ts';
import { createRateFold } from './rate-fold.ts';
import type { Interval } from './rates.ts';
import { passAtK, passHatK } from './rates.ts';

/** The mean over the `cases` that have enough runs, with its interval for cases like these, and their groups if there are any. */
export type KRate = Interval & { value: number; cases: number; groups?: number };

/** By k, as text: the chance that one of k runs passes, and that all do; null if no case has k measured runs. */
export type SuiteK = { pass_at_k: Record<string, KRate | null>; pass_hat_k: Record<string, KRate | null> };

/** The same of one case; null if it has fewer than k measured runs. */
export type CaseK = { pass_at_k: Record<string, number | null>; pass_hat_k: Record<string, number | null> };

/** `group` names the group of related cases that a case belongs to. */
export type KFold = { add(passed: number, measured: number, group?: string): void; result(): SuiteK };

/** Figures of one case. */
export function caseK(passed: number, measured: number, ks: readonly number[]): CaseK {
  const byK = (figure: typeof passAtK): Record<string, number | null> =>
    Object.fromEntries(
      ks.map((k) => {
        const value = figure(passed, measured, k);
        return [String(k), value === undefined ? null : percent(value)];
      }),
    );
  return { pass_at_k: byK(passAtK), pass_hat_k: byK(passHatK) };
}

/** Adds up cases in constant memory for each group. */
export function createKFold(ks: readonly number[]): KFold {
  const sums = ks.map((k) => ({ k, at: createRateFold(), hat: createRateFold() }));
  return {
    add(passed, measured, group) {
      for (const { k, at, hat } of sums) {
        const [anyPass, allPass] = [passAtK(passed, measured, k), passHatK(passed, measured, k)];
        if (anyPass !== undefined) at.add(anyPass, group);
        if (allPass !== undefined) hat.add(allPass, group);
      }
    },
    result: () => ({
      pass_at_k: Object.fromEntries(sums.map(({ k, at }) => [String(k), toRate(at)])),
      pass_hat_k: Object.fromEntries(sums.map(({ k, hat }) => [String(k), toRate(hat)])),
    }),
  };
}

function toRate(fold: RateFold): KRate | null {
  const { count, sum, interval, groups, named } = fold.result();
  if (interval === undefined) return null;
  return { value: percent(sum / count), ...interval, cases: count, ...(named > 0 && { groups }) };
}

function percent(share: number): number {
  return Math.round(1000 * share) / 10;
}
