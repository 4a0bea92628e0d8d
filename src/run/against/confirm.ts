// Fresh runs of suspects: which cases are worth them, and what they prove.

import type { Side, SideCase } from '../../compare/side.ts';
import { sideCaseKey } from '../../compare/side.ts';
import type { Comparison, ConfirmedCase } from '../../model/comparison.ts';
import { confirmedCases, worthConfirming } from '../../stats/confirm.ts';
import { isWithin } from '../../stats/paired-cases.ts';

/** With fewer runs before, fresh failures prove little. */
const LEAST_BASELINE = 10;
/** With so many runs before, fewer fresh runs are enough. */
const LONG_BASELINE = 20;

/** The counts of one case: in all rounds, and in its fresh runs. */
export type SeenCase = { key: string; failed: boolean; fresh: { passed: number; measured: number } };

export type Confirmation = {
  /** Cases that failed and are worth fresh runs, by the keys that they were seen with. */
  wanted(): ReadonlyMap<string, number>;
  /** The comparison with what the fresh runs proved. */
  conclude(comparison: Comparison): Comparison;
};

/** `cases` has every case that was compared, by the planner's key; `count` is the user's number of fresh runs. */
export function createConfirmation(
  before: Side,
  cases: ReadonlyMap<string, SeenCase>,
  { count, alpha }: { count: number | undefined; alpha: number },
): Confirmation {
  const earlier = new Map(before.cases.map((one) => [sideCaseKey(one), one]));
  const most = before.cases.reduce((runs, { measured }) => Math.max(runs, measured), 0);
  const k = count ?? (most >= LONG_BASELINE ? 3 : 5);
  const candidates = (): [string, SeenCase, SideCase][] =>
    [...cases].flatMap(([key, seen]) => {
      const then = earlier.get(seen.key);
      return seen.failed && then !== undefined && then.measured > 0 ? [[key, seen, then] as const] : [];
    }) as [string, SeenCase, SideCase][];
  const isWorth = ({ passed, measured }: SideCase): boolean =>
    worthConfirming({ xa: passed, ra: measured }, k, alpha / 2);
  return {
    wanted: () =>
      new Map(candidates().flatMap(([key, , then]): [string, number][] => (isWorth(then) ? [[key, k]] : []))),
    conclude(comparison) {
      const all = candidates();
      const adjusted = confirmedCases(
        all.map(([, { fresh }, { passed, measured }]) => ({
          xa: passed,
          ra: measured,
          ...(fresh.measured > 0 && { xb: fresh.passed, rb: fresh.measured }),
        })),
        k,
      );
      const confirmed = all.flatMap(([, { fresh }, then], at): ConfirmedCase[] => {
        if (fresh.measured === 0) return [];
        const { test_id, case_id, variables, passed, measured } = then;
        const p_adjusted = adjusted[at] ?? 1;
        const counts = { before: { passed, measured }, fresh };
        return [
          { test_id, case_id, variables, ...counts, p_adjusted, proven: isWithin(p_adjusted, alpha / 2) },
        ];
      });
      const note =
        most < LEAST_BASELINE && all.some(([, , then]) => !isWorth(then))
          ? [
              `To prove that a case regressed takes about ${LEAST_BASELINE} runs of the baseline; it has ${most}.`,
            ]
          : [];
      return withProven({ ...comparison, confirmed, notes: [...comparison.notes, ...note] });
    },
  };
}

/** A case that fresh runs have proven is a regression, whatever the comparison says of its first run. */
function withProven(comparison: Comparison): Comparison {
  const { confirmed = [] } = comparison;
  const proven = new Set(confirmed.filter((one) => one.proven).map(sideCaseKey));
  if (proven.size === 0) return comparison;
  const verdicts = { ...comparison.verdicts };
  const cases = comparison.cases.map((one) => {
    if (one.proven || !proven.has(sideCaseKey(one))) return one;
    if (one.verdict !== null) verdicts[one.verdict] -= 1;
    verdicts.regressed += 1;
    verdicts.proven += 1;
    return Object.assign({}, one, { verdict: 'regressed', proven: true } as const);
  });
  const isFirst = ({ verdict }: (typeof cases)[number]): boolean => verdict === 'regressed';
  return {
    ...comparison,
    fails: true,
    verdicts,
    cases: [...cases.filter(isFirst), ...cases.filter((one) => !isFirst(one))],
  };
}
