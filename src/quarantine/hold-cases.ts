// The quarantine during a run: which failures it excuses, and which cases are proven worse than their own history.

import type { Attempt } from '../model/attempt.ts';
import { caseKey } from '../model/case-key.ts';
import { isMeasured } from '../model/outcome.ts';
import type { Quarantine, QuarantineCounts, WorseCase } from '../model/quarantine.ts';
import type { CaseEnd } from '../model/settle.ts';
import { canonicalJson } from '../stats/canonical.ts';
import { isWithin } from '../stats/paired-cases.ts';
import { regressedCases } from '../stats/regressed-cases.ts';
import type { EntryFinder } from './find-entry.ts';
import { markOf } from './find-entry.ts';

/** The counts of a case in an earlier run. */
export type PastRun = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  /** Null if an older version recorded it, and for kinds of tests that have none. */
  case_sha: string | null;
  /** The same for runs of the same agent and judges. */
  version: string;
  passed: number;
  measured: number;
};

/** The chance of a false proof that is accepted, for all cases in quarantine together. */
const LEVEL = 0.025;
/** With fewer measured runs a version says too little about a case. */
const LEAST_RUNS = 5;
const MOST_RUNS = 100;

type HeldCase = { attempt: Attempt; passed: number; runs: number; end: CaseEnd | undefined };

/** Follows the cases that `find` finds. `past` has their earlier runs, newest first. */
export function holdCases(find: EntryFinder, past: readonly PastRun[]): Quarantine {
  const held = new Map<string, HeldCase>();
  const entryOf = (attempt: Attempt): ReturnType<EntryFinder> => {
    const { test_id, case: testCase, variables } = attempt;
    const entry = find({ test_id, id: testCase.id, variables });
    return entry?.isExpired === false ? entry : undefined;
  };
  return {
    markOf(attempt) {
      const entry = entryOf(attempt);
      return entry === undefined ? undefined : markOf(entry);
    },
    heard(attempt, outcome, settled) {
      if (entryOf(attempt) === undefined) return;
      const key = caseKey(attempt.test_id, attempt.case.id, canonicalJson(attempt.variables ?? null));
      const known = held.get(key) ?? { attempt, passed: 0, runs: 0, end: undefined };
      held.set(key, known);
      if (isMeasured(outcome)) known.runs += 1;
      if (outcome.status === 'passed') known.passed += 1;
      if (settled?.complete === true) known.end = settled.end;
    },
    counts: () => countHeld([...held.values()], past),
  };
}

function countHeld(held: readonly HeldCase[], past: readonly PastRun[]): QuarantineCounts {
  const compared = held.map((one) => ({ one, before: ownHistory(one.attempt, past) }));
  const evidence = regressedCases(
    compared.map(({ one, before }) => ({ xa: before.passed, ra: before.runs, xb: one.passed, rb: one.runs })),
  );
  const worse = compared.flatMap(({ one, before }, at): WorseCase[] => {
    const p = evidence[at]?.adjusted ?? 1;
    const isProven = before.runs > 0 && one.runs > 0 && isWithin(p, LEVEL);
    if (!isProven || !hasFailed(one)) return [];
    const { test_id, case: testCase, variables } = one.attempt;
    const now = { passed: one.passed, runs: one.runs };
    return [{ test_id, id: testCase.id, ...(variables !== undefined && { variables }), before, now, p }];
  });
  return {
    cases: held.length,
    failed: held.filter(hasFailed).length - worse.length,
    ...(worse.length > 0 && { worse }),
  };
}

/** Errors that are not the agent's are no failures, and no quarantine excuses them. */
function hasFailed({ end }: HeldCase): boolean {
  return end !== undefined && !end.unmeasured && end.status !== 'passed' && end.status !== 'skipped';
}

/**
 * The counts of the same case with the same content, of the newest version of agent and judges that says enough about it; at
 * most the newest 100 runs.
 */
function ownHistory(
  { test_id, case: { id }, variables, case_sha }: Attempt,
  past: readonly PastRun[],
): { passed: number; runs: number } {
  const values = canonicalJson(variables ?? null);
  const byVersion = new Map<string, { passed: number; runs: number }>();
  for (const run of past) {
    if (run.test_id !== test_id || run.case_id !== id || canonicalJson(run.variables) !== values) continue;
    if (run.case_sha !== null && run.case_sha !== case_sha) continue;
    const known = byVersion.get(run.version) ?? { passed: 0, runs: 0 };
    byVersion.set(run.version, known);
    if (known.runs + run.measured > MOST_RUNS) continue;
    known.passed += run.passed;
    known.runs += run.measured;
  }
  return [...byVersion.values()].find(({ runs }) => runs >= LEAST_RUNS) ?? { passed: 0, runs: 0 };
}
