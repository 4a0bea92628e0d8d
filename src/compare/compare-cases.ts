// What can be said of single cases.

import type { RunComparison } from '../stats/compare-runs.ts';
import type { CaseVerdict, ComparedCase, ComparedSide } from '../model/comparison.ts';
import type { CasePair, MeasuredPair } from './pair-cases.ts';
import type { SideCase } from './side.ts';

/** A case that passed this often before, in percent, is a suspect if its rate fell. */
const SUSPECT_FROM = 80;

/** Cases in the order of the pairs. `tested` is the evidence for the noisy ones, in their order. */
export function compareCases(
  pairs: readonly CasePair[],
  noisy: readonly MeasuredPair[],
  { single, proven, regressed }: Pick<RunComparison, 'proven' | 'regressed' | 'single'>,
): ComparedCase[] {
  const places = new Map<CasePair, number>(noisy.map((pair, at) => [pair, at]));
  const isProven = new Set(proven);
  const isRegressed = new Set(regressed);
  return pairs.map((pair) => {
    const at = places.get(pair);
    if (at === undefined) return withoutNoise(pair);
    const evidence = single[at];
    return {
      ...facts(pair),
      verdict: isRegressed.has(at) ? 'regressed' : openVerdict(pair),
      proven: isProven.has(at),
      p: evidence?.p ?? null,
      p_adjusted: evidence?.adjusted ?? null,
      false_share: evidence?.falseShare ?? null,
    };
  });
}

/** The most important first; within a group in the order of test and case. */
export function sortCases(cases: readonly ComparedCase[]): ComparedCase[] {
  return cases.toSorted(
    (a, b) =>
      groupOf(a) - groupOf(b) ||
      Number(b.proven) - Number(a.proven) ||
      (a.p ?? 1) - (b.p ?? 1) ||
      compareText(a.test_id, b.test_id) ||
      compareText(a.case_id, b.case_id),
  );
}

/** A failure of a case without noise is proof; a case that is not compared has no verdict. */
function withoutNoise(pair: CasePair): ComparedCase {
  const isRegressed = pair.ground !== undefined && pair.change === 'regressed';
  const verdict = pair.ground !== undefined && pair.change === 'improved' ? 'improved' : null;
  return {
    ...facts(pair),
    verdict: isRegressed ? 'regressed' : verdict,
    proven: isRegressed,
    p: null,
    p_adjusted: null,
    false_share: null,
  };
}

function openVerdict({ before, change }: CasePair): CaseVerdict | null {
  if (change === 'improved') return 'improved';
  if (change !== 'regressed' || before === null) return null;
  return (100 * before.passed) / before.measured >= SUSPECT_FROM ? 'suspect' : 'unproven';
}

function facts({ before, after, change, ground }: CasePair) {
  // A pair has at least one side.
  const { test_id, case_id, variables } = (after ?? before) as SideCase;
  return {
    test_id,
    case_id,
    variables,
    change,
    ...(ground !== undefined && { ground }),
    before: toSide(before),
    after: toSide(after),
  };
}

function toSide(one: SideCase | null): ComparedSide | null {
  if (one === null) return null;
  const { status, passed, measured, unmeasured, duration_ms, cost_usd } = one;
  return {
    status,
    passed,
    measured,
    runs: measured + unmeasured,
    pass_rate: measured === 0 ? null : (100 * passed) / measured,
    avg_duration_ms: duration_ms,
    cost_usd,
  };
}

const GROUPS = ['regressed', 'suspect', 'unproven', 'improved'] as const satisfies CaseVerdict[];
const OTHERS = ['changed', 'new', 'removed', 'unmeasured'] as const;

function groupOf({ verdict, change }: ComparedCase): number {
  if (verdict !== null) return GROUPS.indexOf(verdict);
  const place = (OTHERS as readonly string[]).indexOf(change);
  return GROUPS.length + (place === -1 ? OTHERS.length : place);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
