// Compares a run with a baseline while it is on, and stops it when the answer is known.

import { compareSides } from '../../compare/compare-sides.ts';
import type { FailOn } from '../../compare/comparison-exit.ts';
import { comparisonExit } from '../../compare/comparison-exit.ts';
import { createSideFold } from '../../compare/side-fold.ts';
import type { Side } from '../../compare/side.ts';
import { isTelling } from '../../compare/words.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { StartEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import type { Conclusion, Decider } from '../../plan/decider.ts';
import type { Looks } from '../../stats/gates.ts';

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
};

/** Cases of a comparison that the log keeps; all of them follow from the results and the baseline. */
const MOST_LOGGED = 200;

/**
 * Looks at the comparison after some whole rounds, each time with a level for which all looks together keep the chance of a false
 * alarm. The answer of the run is that of the last look.
 */
export function createAgainst(options: AgainstOptions): Decider {
  const { reference, before, start, name, looks, margin, failOn } = options;
  const fold = createSideFold(start, { name });
  let rounds = 0;
  let latest: Comparison | undefined;
  const look = (): Comparison => {
    const comparison = compareSides(before, fold.side(), { alpha: 2 * looks.level, margin });
    return {
      against: reference,
      ...comparison,
      rounds: { done: rounds, looks: [...looks.rounds], level: looks.level },
    };
  };
  return {
    heard(attempt, outcome) {
      const { case: testCase, case_sha, run, subject, test_id, variables } = attempt;
      const { duration_ms = 0, ...counted } = outcome;
      const identity = { id: testCase.id, kind: subject.kind, run, test_id, case_sha, variables };
      fold.add({ ...counted, ...identity, duration_ms });
      latest = undefined;
      return undefined;
    },
    roundEnded(round) {
      rounds = round;
      if (!looks.rounds.includes(round)) return undefined;
      latest = look();
      return isDecided(latest) ? 'decided' : undefined;
    },
    conclude({ stopped }): Conclusion {
      const comparison = latest ?? look();
      const fields = { comparison: { ...comparison, cases: loggedCases(comparison) } };
      // Between two looks there is no answer.
      const isCut = stopped !== undefined && stopped !== 'decided';
      return { exitCode: isCut ? EXIT.unmeasured : comparisonExit(comparison, failOn), fields };
    },
  };
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
