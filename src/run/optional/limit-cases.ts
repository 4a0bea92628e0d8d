// `--first` and `--sample`: all cases are seen once while they are checked, then the chosen ones are known.

import type { Settings } from '../../application/options/options.ts';
import type { Select } from '../../plan/filter.ts';
import { createBottom } from './bottom.ts';

/** Cases, and the attempts that they are: a matrix has every case several times. */
type Amount = { cases: number; attempts: number };

export type CaseLimit = {
  /** The same selection; it also notes the selected cases. For the one pass before the run. */
  watching(select: Select): Select;
  /** After that pass: the selection of the run, and its size. `testIds` are in the order of the run. */
  close(select: Select, testIds: readonly string[]): { select: Select } & Amount;
};

type Noted = {
  note(hash: number, testId: string, attempts: number): void;
  /** The chosen cases by their hashes. */
  chosen(testIds: readonly string[]): Map<number, Amount>;
};

/** The seed of a sample, unless `--seed` gives another. */
const USUAL_SEED = 1;

/** Exactly one of `first` and `sample` is set. Memory grows with their number and not with that of the cases. */
export function limitCases({ first, sample, seed = USUAL_SEED, runs }: Settings): CaseLimit {
  const salt = sample === undefined ? 0 : seed;
  const noted = sample === undefined ? noteFirst(first ?? 0) : noteSample(sample);
  const usual = typeof runs === 'number' ? runs : 1;
  return {
    watching: (select) => (testCase, origin) => {
      const isSelected = select(testCase, origin);
      // Variants of a case have the same hash: a matrix has the same cases for all values.
      if (isSelected)
        noted.note(caseHash(origin.test_id, testCase.id, salt), origin.test_id, origin.runs ?? usual);
      return isSelected;
    },
    close(select, testIds) {
      const chosen = noted.chosen(testIds);
      const total = { cases: 0, attempts: 0 };
      for (const { cases, attempts } of chosen.values()) {
        total.cases += cases;
        total.attempts += attempts;
      }
      return {
        ...total,
        select: (testCase, origin) =>
          chosen.has(caseHash(origin.test_id, testCase.id, salt)) && select(testCase, origin),
      };
    },
  };
}

/** The cases whose hashes are the smallest: another case in the file changes at most one of them. */
function noteSample(count: number): Noted {
  const bottom = createBottom<Amount>(count);
  return {
    note(hash, _, attempts) {
      const amount = bottom.at(hash, () => ({ cases: 0, attempts: 0 }));
      if (amount === undefined) return;
      amount.cases += 1;
      amount.attempts += attempts;
    },
    chosen: () => bottom.entries(),
  };
}

/** The first cases in the order of the run. Tests may be checked in another order, so each keeps its own first ones. */
function noteFirst(count: number): Noted {
  const byTest = new Map<string, Map<number, Amount>>();
  return {
    note(hash, testId, attempts) {
      const own = byTest.get(testId) ?? new Map<number, Amount>();
      byTest.set(testId, own);
      const known = own.get(hash);
      if (known === undefined && own.size >= count) return;
      own.set(hash, { cases: (known?.cases ?? 0) + 1, attempts: (known?.attempts ?? 0) + attempts });
    },
    chosen(testIds) {
      const all = [...new Set(testIds)].flatMap((testId) => Array.from(byTest.get(testId) ?? []));
      return new Map(all.slice(0, count));
    },
  };
}

/** A hash of 53 bits, cyrb53: the same for the same case and seed on every machine. */
function caseHash(testId: string, id: string, seed: number): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  const text = `${testId}\0${id}`;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
