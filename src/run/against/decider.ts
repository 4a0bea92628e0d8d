// Compares a run with a baseline while it is on, and stops it when the answer is known.

import { compareSides } from '../../compare/compare-sides.ts';
import type { FailOn } from '../../compare/comparison-exit.ts';
import { comparisonExit } from '../../compare/comparison-exit.ts';
import type { ComparedResult } from '../../compare/side-fold.ts';
import { createSideFold } from '../../compare/side-fold.ts';
import type { Side } from '../../compare/side.ts';
import { sideCaseKey } from '../../compare/side.ts';
import { isTelling } from '../../compare/words.ts';
import type { Attempt, Target } from '../../model/attempt.ts';
import { caseKey } from '../../model/case-key.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { StartEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { Counted } from '../../model/settle.ts';
import type { Conclusion, Decider } from '../../plan/decider.ts';
import type { Looks } from '../../stats/gates.ts';
import type { SeenCase } from './confirm.ts';
import { createConfirmation } from './confirm.ts';

export type AgainstOptions = {
  /** The baseline as the user named it. */
  reference: string;
  before: Side;
  /** Of this run. */
  start: StartEvent;
  /** How the history writes names. */
  name: (text: string) => string;
  looks: Looks;
  /** In points. */
  margin: number;
  failOn: readonly FailOn[];
  /** Run suspects again, this often or as often as the baseline needs. */
  confirm?: { count: number | undefined } | undefined;
};

/** Cases of a comparison that the log keeps; all of them follow from the results and the baseline. */
const MOST_LOGGED = 200;

/**
 * Looks at the comparison after some whole rounds, each time with a level for which all looks together keep the chance of a false
 * alarm. The answer of the run is that of the last look.
 */
export function createAgainst(options: AgainstOptions): Decider {
  const { reference, before, start, name, looks, margin, failOn, confirm } = options;
  const fold = createSideFold(start, { name });
  const seen = new Map<string, SeenCase>();
  const alpha = 2 * looks.level;
  const confirmation = confirm && createConfirmation(before, seen, { ...confirm, alpha });
  // Cases that the user did not select are not removed.
  const isPartial = ['only', 'run', 'tags', 'first', 'sample'].some((flag) => hasValue(start.flags[flag]));
  let rounds = 0;
  let latest: Comparison | undefined;
  let isOver = false;
  const look = (): Comparison => {
    const after = fold.side();
    const comparison = compareSides(isPartial ? selected(before, after) : before, after, { alpha, margin });
    const done = { done: rounds, looks: [...looks.rounds], level: looks.level };
    return { against: reference, ...comparison, rounds: done };
  };
  return {
    heard(attempt, outcome, { target }) {
      // What was under way when the answer was known is not part of it.
      if (isOver) return undefined;
      const result = comparedResult(attempt, outcome);
      if (confirmation !== undefined) see(seen, result, keyIn(target, attempt), name);
      fold.add(result);
      if (result.uncounted === undefined) latest = undefined;
      return undefined;
    },
    roundEnded(round) {
      rounds = round;
      if (!looks.rounds.includes(round)) return undefined;
      latest = look();
      // Fresh runs name the cases, also of a run that is worse.
      isOver = (confirmation === undefined && isDecided(latest)) || hasNothingToCompare(latest);
      return isOver ? 'decided' : undefined;
    },
    ...(confirmation !== undefined && { confirms: () => confirmation.wanted() }),
    conclude({ stopped }): Conclusion {
      const looked = latest ?? look();
      const isWhole = stopped === undefined || isOver;
      const comparison = confirmation === undefined || !isWhole ? looked : confirmation.conclude(looked);
      const fields = { comparison: { ...comparison, cases: loggedCases(comparison) } };
      // Between two looks there is no answer.
      return { exitCode: isWhole ? comparisonExit(comparison, failOn) : EXIT.unmeasured, fields };
    },
  };
}

function hasValue(flag: unknown): boolean {
  return Array.isArray(flag) ? flag.length > 0 : flag !== undefined;
}

/** The side with the cases of the other one only. */
function selected(side: Side, { cases }: Side): Side {
  const keys = new Set(cases.map(sideCaseKey));
  return { ...side, cases: side.cases.filter((one) => keys.has(sideCaseKey(one))) };
}

function comparedResult(attempt: Attempt, outcome: Counted): ComparedResult {
  const { case: testCase, case_sha, run, subject, test_id, variables } = attempt;
  const { duration_ms = 0, ...counted } = outcome;
  return { ...counted, id: testCase.id, kind: subject.kind, run, test_id, case_sha, variables, duration_ms };
}

/** The key that the planner knows a case by. */
function keyIn({ test_id, variables }: Target, { case: testCase }: Attempt): string {
  return caseKey(test_id, testCase.id, variables?.variant);
}

/** Notes whether a case failed, and how its fresh runs ended. */
function see(
  seen: Map<string, SeenCase>,
  { id, status, code, test_id, uncounted, variables }: ComparedResult,
  key: string,
  name: (text: string) => string,
): void {
  const sideKey = sideCaseKey({ test_id: name(test_id), case_id: name(id), variables: variables ?? null });
  const known = seen.get(key) ?? { key: sideKey, failed: false, fresh: { passed: 0, measured: 0 } };
  seen.set(key, known);
  if (!isMeasured({ status, ...(code !== undefined && { code }) })) return;
  if (uncounted !== 'confirm') {
    if (status !== 'passed') known.failed = true;
    return;
  }
  known.fresh.measured += 1;
  if (status === 'passed') known.fresh.passed += 1;
}

/** True if the baseline has none of the cases: more rounds do not change that. */
function hasNothingToCompare({ counts }: Comparison): boolean {
  return counts.changed + counts.improved + counts.regressed + counts.unchanged + counts.unmeasured === 0;
}

/** True if no further round can be needed: worse, not worse than the margin, or a case that is proven to have regressed. */
function isDecided({ fails, verdict, difference, margin }: Comparison): boolean {
  if (fails) return true;
  if (difference === null || verdict === 'undecided') return false;
  return verdict !== 'better' || difference.low > -margin;
}

function loggedCases(comparison: Comparison): Comparison['cases'] {
  return comparison.cases.filter((one) => isTelling(one, comparison)).slice(0, MOST_LOGGED);
}
