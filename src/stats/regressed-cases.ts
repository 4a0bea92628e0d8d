// Which single cases regressed, when many are tested at once.

import type { CaseTest, PairedCounts } from './paired-cases.ts';
import { caseTest, groupCases } from './paired-cases.ts';

/** Tests of `count` equal cases. */
export type CountedTest = CaseTest & { count: number };

/** The evidence that a case regressed: its own p, p adjusted for all cases, and the share of noise among cases like it. */
export type CaseEvidence = { p: number; adjusted: number; falseShare: number };

/**
 * The evidence for each case. `adjusted` is an exact step-down min-p; `falseShare` is the expected share of noise among this
 * case and all with a smaller p. Both count what each case could show at all, so stable cases cost nothing.
 */
export function regressedCases(cases: readonly PairedCounts[]): CaseEvidence[] {
  const { groups, groupOf } = groupCases(cases);
  const tests = groups.map((group): CountedTest => {
    const { p, levels } = caseTest(group);
    return { p, levels, count: group.count };
  });
  const adjusted = stepDown(tests, { giveUpAbove: 0.5 });
  const falseShares = falseShare(tests);
  const evidence = tests.map(({ p }, at) => ({
    p,
    adjusted: adjusted[at] ?? 1,
    falseShare: falseShares[at] ?? 1,
  }));
  return Array.from(groupOf, (place) => evidence[place] ?? { p: 1, adjusted: 1, falseShare: 1 });
}

/**
 * Adjusts p-values, smallest first: the chance that any case not yet passed shows as small a p. Above `giveUpAbove` the
 * rest stays at 1.
 */
export function stepDown(
  tests: readonly CountedTest[],
  { giveUpAbove = 1 }: { giveUpAbove?: number } = {},
): number[] {
  const adjusted = tests.map(() => 1);
  const reached = tests.map(() => 0);
  const remaining = tests.map(({ count }) => count);
  let logMiss = 0;
  let running = 0;
  const steps = levelSteps(tests);
  let step = 0;
  for (const same of byP(tests)) {
    const [{ p }] = same;
    for (; (steps[step]?.level ?? 2) <= p * (1 + 1e-12); step += 1) {
      const { level, test } = steps[step] ?? { level: 0, test: 0 };
      logMiss += (remaining[test] ?? 0) * (logComplement(level) - logComplement(reached[test] ?? 0));
      reached[test] = level;
    }
    running = Math.max(running, -Math.expm1(Math.min(0, logMiss)));
    for (const { test } of same) {
      adjusted[test] = running;
      logMiss -= (remaining[test] ?? 0) * logComplement(reached[test] ?? 0);
      remaining[test] = 0;
    }
    if (running > giveUpAbove) break;
  }
  return adjusted;
}

/** The expected number of false alarms at each p over the number of cases with such a p, smallest from the largest p on. */
function falseShare(tests: readonly CountedTest[]): number[] {
  const steps = levelSteps(tests);
  const reached = tests.map(() => 0);
  const shares: { share: number; same: readonly { test: number }[] }[] = [];
  let expected = 0;
  let found = 0;
  let step = 0;
  for (const same of byP(tests)) {
    const [{ p }] = same;
    for (; (steps[step]?.level ?? 2) <= p * (1 + 1e-12); step += 1) {
      const { level, test } = steps[step] ?? { level: 0, test: 0 };
      expected += (tests[test]?.count ?? 0) * (level - (reached[test] ?? 0));
      reached[test] = level;
    }
    for (const { test } of same) found += tests[test]?.count ?? 0;
    shares.push({ share: expected / found, same });
  }
  const least = tests.map(() => 1);
  let running = 1;
  for (const { share, same } of shares.toReversed()) {
    running = Math.min(running, share);
    for (const { test } of same) least[test] = running;
  }
  return least;
}

/** Every p-value that a test could have had, ascending. */
function levelSteps(tests: readonly CaseTest[]): { level: number; test: number }[] {
  return tests
    .flatMap(({ levels }, test) => ((levels[0] ?? 1) < 1 ? levels.map((level) => ({ level, test })) : []))
    .sort((a, b) => a.level - b.level);
}

type Same = { p: number; test: number };

/** Tests with the same p together, smallest p first; those that show nothing (p = 1) are left out. */
function byP(tests: readonly CaseTest[]): [Same, ...Same[]][] {
  const sorted = tests
    .map(({ p }, test) => ({ p, test }))
    .filter(({ p }) => p < 1)
    .sort((a, b) => a.p - b.p);
  const together: [Same, ...Same[]][] = [];
  for (const one of sorted) {
    const last = together.at(-1);
    if (last !== undefined && last[0].p === one.p) last.push(one);
    else together.push([one]);
  }
  return together;
}

/** log(1 − level); finite also for a level of 1. */
function logComplement(level: number): number {
  return Math.log1p(-Math.min(level, 1 - 1e-15));
}
