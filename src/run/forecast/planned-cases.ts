// A plan and the history in, the cases that would run out, each with what is known of it.

import { parallelOf } from '../../kinds/kind.ts';
import { kindById } from '../../kinds/registry.ts';
import type { CaseFigures, HistoryFigures } from '../../history/store/store.ts';
import type { Target } from '../../model/attempt.ts';
import type { KindId } from '../../model/subject.ts';
import { targetOf } from '../../plan/attempts.ts';
import { attemptKey } from '../../plan/key.ts';
import type { RunPlan } from '../plan.ts';

export type PlannedCase = {
  test_id: string;
  kind: KindId;
  /** Runs of the case; undefined if it runs until it is decided. */
  runs: number | undefined;
  /** How many of them an earlier part of the run has done. */
  done: number;
  /** How many of its kind, and of its test, run at the same time. */
  parallel: number;
  /** Its test runs whole, one case after the other. */
  runsWhole: boolean;
  past: CaseFigures | undefined;
};

/** Reads the cases as the run itself would; those that are skipped are left out. */
export async function plannedCases(
  { request, application, inputs, prepared }: RunPlan,
  history: HistoryFigures['cases'] | undefined,
): Promise<PlannedCase[]> {
  const { settings, select } = inputs;
  const kept = request.resumed?.kept;
  const lanes = new Map<Target, Omit<PlannedCase, 'done' | 'past'> & { variables: Variables }>();
  const laneOf = (target: Target): Omit<PlannedCase, 'done' | 'past'> & { variables: Variables } => {
    const known = lanes.get(target);
    if (known !== undefined) return known;
    const { subject, test_id } = target;
    const kind = kindById(subject.kind);
    const lane = {
      test_id,
      kind: subject.kind,
      runs: target.runs ?? (settings.rule === undefined ? settings.runs : undefined),
      parallel: Math.min(parallelOf(kind, settings.parallel), target.parallel ?? Infinity),
      runsWhole: kind.parallelUnit !== undefined,
      variables: loggedVariables(target, application),
    };
    lanes.set(target, lane);
    return lane;
  };

  const planned: PlannedCase[] = [];
  for await (const batch of prepared.cases()) {
    for (const loaded of batch) {
      const target = targetOf(loaded, prepared);
      const { case: testCase } = loaded;
      if (testCase.skip === true || !select(testCase, target)) continue;
      const { variables, ...lane } = laneOf(target);
      const past = history?.find(target.test_id, testCase.id, variables);
      const done = kept === undefined ? 0 : countKept(kept, target, testCase.id, lane.runs ?? settings.runs);
      planned.push({ ...lane, done, past });
    }
  }
  return planned;
}

type Variables = Record<string, unknown> | undefined;

/** The variables as the log has them: without secrets. */
function loggedVariables(
  { variables }: Target,
  { redactor }: Pick<RunPlan['application'], 'redactor'>,
): Variables {
  return variables === undefined
    ? undefined
    : redactor.redact({ type: 'result', variables: variables.values }).variables;
}

function countKept(
  kept: ReadonlyMap<string, unknown>,
  { test_id, variables }: Target,
  caseId: string,
  runs: number,
): number {
  let count = 0;
  for (let run = 1; run <= runs; run += 1)
    if (kept.has(attemptKey(test_id, caseId, run, variables?.variant))) count += 1;
  return count;
}
