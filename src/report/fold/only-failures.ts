// Cases that fail with one value of a variable and pass with the others: which of them are more than chance.

import type { CountedTest } from '../../stats/regressed-cases.ts';
import { stepDown } from '../../stats/regressed-cases.ts';
import { caseTest, isWithin } from '../../stats/paired-cases.ts';
import type { PairedCounts } from '../../stats/paired-cases.ts';

/** A case that fails only with this value of the variable and passes with another one. */
export type OnlyFailure = {
  test_id: string;
  id: string;
  variable: string;
  value: unknown;
  /** The chance that noise shows this for any case; null if results do not vary: one failure is proof. */
  p: number | null;
};

/** The same of a case where noise may have shown it; `runs` were measured with this value. */
export type PossibleOnlyFailure = OnlyFailure & { runs: number };

export type OnlyFailures = { only_fails_for: OnlyFailure[]; may_only_fail_for: PossibleOnlyFailure[] };

/** Passed and measured runs with one value, and how the case ended with it. */
export type ValueEnds = { passed: number; measured: number; hasPassed: boolean; hasFailed: boolean };

/** One case with the values of one variable. */
type CaseByValue = Pick<OnlyFailure, 'id' | 'test_id' | 'variable'> & {
  values: ReadonlyMap<number, ValueEnds>;
  valueAt(index: number): unknown;
  isDeterministic: boolean;
};

/** The level of all claims together. */
const LEVEL = 0.025;

export type OnlyFailureFold = { add(one: CaseByValue): void; result(): OnlyFailures };

/** Tests each value of each case against its other values; keeps groups of equal counts, and the cases to list. */
export function createOnlyFailureFold(): OnlyFailureFold {
  const places = new Map<string, number>();
  const tests: CountedTest[] = [];
  const found: { failure: PossibleOnlyFailure; place: number | undefined }[] = [];

  function place(counts: PairedCounts): number {
    const { xa, ra, xb, rb } = counts;
    const key = `${xa}/${ra} ${xb}/${rb}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, tests.length);
    return tests.push({ ...caseTest(counts), count: 0 }) - 1;
  }

  return {
    add({ values, valueAt, isDeterministic, ...named }) {
      const only = onlyFailing(values);
      for (const [value, { measured }] of values) {
        // Every value could have shown a failure of its own, so each is a test.
        const at = isDeterministic ? undefined : place(againstOthers(values, value));
        const test = at === undefined ? undefined : tests[at];
        if (test !== undefined) test.count += 1;
        if (value !== only) continue;
        found.push({ failure: { ...named, value: valueAt(value), p: null, runs: measured }, place: at });
      }
    },
    result() {
      const adjusted = stepDown(tests, { giveUpAbove: 0.5 });
      const only_fails_for: OnlyFailure[] = [];
      const may_only_fail_for: PossibleOnlyFailure[] = [];
      for (const { failure, place: at } of found) {
        const { runs, ...plain } = failure;
        const p = at === undefined ? null : (adjusted[at] ?? 1);
        if (p === null) only_fails_for.push(plain);
        else if (isWithin(p, LEVEL)) only_fails_for.push({ ...plain, p: shown(p) });
        else may_only_fail_for.push({ ...plain, p: shown(p), runs });
      }
      return { only_fails_for, may_only_fail_for };
    },
  };
}

/** The only value that the case failed with, if it passed with another one. */
function onlyFailing(values: ReadonlyMap<number, ValueEnds>): number | undefined {
  const failed = [...values].filter(([, { hasFailed }]) => hasFailed);
  const [only] = failed;
  if (only === undefined || failed.length > 1) return undefined;
  return [...values].some(([value, { hasPassed }]) => hasPassed && value !== only[0]) ? only[0] : undefined;
}

/** The other values before, this one after. */
function againstOthers(values: ReadonlyMap<number, ValueEnds>, own: number): PairedCounts {
  const counts: PairedCounts = { xa: 0, ra: 0, xb: 0, rb: 0 };
  for (const [value, { passed, measured }] of values) {
    if (value === own) {
      counts.xb = passed;
      counts.rb = measured;
    } else {
      counts.xa += passed;
      counts.ra += measured;
    }
  }
  return counts;
}

function shown(p: number): number {
  return Number(p.toPrecision(4));
}
