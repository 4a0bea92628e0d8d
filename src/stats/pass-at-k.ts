// pass@k and pass^k of cases and of a suite, in percent.

import type { Interval } from './rates.ts';
import { passAtK, passHatK, passRateInterval } from './rates.ts';

/** The mean over the `cases` that have enough runs, with its interval for cases like these. */
export type KRate = Interval & { value: number; cases: number };

/** By k, as text: the chance that one of k runs passes, and that all do; null if no case has k measured runs. */
export type SuiteK = { pass_at_k: Record<string, KRate | null>; pass_hat_k: Record<string, KRate | null> };

/** The same of one case; null if it has fewer than k measured runs. */
export type CaseK = { pass_at_k: Record<string, number | null>; pass_hat_k: Record<string, number | null> };

export type KFold = { add(passed: number, measured: number): void; result(): SuiteK };

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

/** Adds up cases in constant memory. */
export function createKFold(ks: readonly number[]): KFold {
  const sums = ks.map((k) => ({ k, at: noSums(), hat: noSums() }));
  return {
    add(passed, measured) {
      for (const { k, at, hat } of sums) {
        count(at, passAtK(passed, measured, k));
        count(hat, passHatK(passed, measured, k));
      }
    },
    result: () => ({
      pass_at_k: Object.fromEntries(sums.map(({ k, at }) => [String(k), toRate(at)])),
      pass_hat_k: Object.fromEntries(sums.map(({ k, hat }) => [String(k), toRate(hat)])),
    }),
  };
}

type Sums = ReturnType<typeof noSums>;

function noSums() {
  return { count: 0, sum: 0, squares: 0 };
}

function count(sums: Sums, value: number | undefined): void {
  if (value === undefined) return;
  sums.count += 1;
  sums.sum += value;
  sums.squares += value * value;
}

function toRate(sums: Sums): KRate | null {
  const interval = passRateInterval(sums);
  if (interval === undefined) return null;
  return { value: percent(sums.sum / sums.count), ...interval, cases: sums.count };
}

function percent(share: number): number {
  return Math.round(1000 * share) / 10;
}
