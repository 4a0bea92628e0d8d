// The cases of two runs in, what changed from one to the other out.

import type { CaseSide, Change, ComparedCase, StoredCase } from './store.ts';

/** Pairs cases with equal test, id and variables; any other two say nothing about each other. */
export function compareCases(
  before: readonly StoredCase[],
  after: readonly StoredCase[],
): { counts: Record<Change, number>; cases: ComparedCase[] } {
  const counts = { improved: 0, new: 0, regressed: 0, removed: 0, unchanged: 0 };
  const earlier = new Map(before.map((one) => [identityOf(one), one]));
  const cases: ComparedCase[] = [];
  const add = (one: StoredCase, change: Change, sides: Pick<ComparedCase, 'before' | 'after'>): void => {
    const { test_id, case_id, variables } = one;
    counts[change] += 1;
    cases.push({ test_id, case_id, variables, change, ...sides });
  };
  for (const now of after) {
    const id = identityOf(now);
    const then = earlier.get(id);
    earlier.delete(id);
    if (then === undefined) add(now, 'new', { before: null, after: sideOf(now) });
    else add(now, changeOf(then, now), { before: sideOf(then), after: sideOf(now) });
  }
  for (const then of earlier.values()) add(then, 'removed', { before: sideOf(then), after: null });
  return { counts, cases };
}

function identityOf({ test_id, case_id, variables_sha256 }: StoredCase): string {
  return `${variables_sha256}\n${test_id.length} ${test_id}\n${case_id}`;
}

/** The pass rate decides. A case that was not measured on one side has neither improved nor regressed. */
function changeOf({ pass_rate: then }: StoredCase, { pass_rate: now }: StoredCase): Change {
  if (then === null || now === null || then === now) return 'unchanged';
  return now > then ? 'improved' : 'regressed';
}

function sideOf({ status, runs, passed, pass_rate, avg_duration_ms }: StoredCase): CaseSide {
  return { status, runs, passed, pass_rate, avg_duration_ms };
}
