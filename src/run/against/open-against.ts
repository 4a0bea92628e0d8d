// The baseline of `--against` in, what compares the run with it out.

import { DEFAULT_ALPHA, DEFAULT_MARGIN } from '../../compare/compare-sides.ts';
import type { Side } from '../../compare/side.ts';
import { findBaseline, findLogFile, noBaseline } from '../../history/baseline.ts';
import { readHistory } from '../../history/read-history.ts';
import { readLogSide, readSide } from '../../history/read-side.ts';
import { name } from '../../history/store/event-rows.ts';
import type { StartEvent } from '../../model/event.ts';
import { isDeterministic } from '../../model/subject.ts';
import type { Decider } from '../../plan/decider.ts';
import { MOST_IN_ROUNDS } from '../../plan/decider.ts';
import { looksWithin } from '../../stats/gates.ts';
import type { RunPlan } from '../plan.ts';
import { createAgainst } from './decider.ts';

/** A baseline that has been read. */
export type Baseline = { reference: string; side: Side };

/** Reads the baseline; throws ConfigError if there is none. */
export async function readBaseline(
  { application, inputs }: RunPlan,
  reference: string,
  runId: string,
): Promise<Baseline> {
  const { cwd, root } = application;
  // A machine that is new has no history, and needs none for a log.
  const log = findLogFile(reference, cwd);
  if (log !== undefined) return { reference, side: await readLogSide(log) };
  const { store, baseline_runs: runs } = inputs.settings;
  const side = await readHistory({ root, cwd, store }, async (opened) =>
    readSide(opened, await findBaseline(opened, reference, { cwd, runs, without: [runId] })),
  );
  if (side === undefined) throw noBaseline(reference, [], cwd);
  return { reference, side };
}

/** Compares the run that begins with `start` with a baseline. */
export function compareWith({ reference, side }: Baseline, plan: RunPlan, start: StartEvent): Decider {
  const { inputs, prepared } = plan;
  const {
    alpha = DEFAULT_ALPHA,
    margin = DEFAULT_MARGIN,
    fail_on: failOn = [],
    confirm,
    runs,
  } = inputs.settings;
  // Tests without noise need one look, and so do runs that are too large for whole rounds.
  const isSingle =
    prepared.total > MOST_IN_ROUNDS || prepared.targets.every(({ subject }) => isDeterministic(subject.kind));
  const looks = looksWithin(isSingle ? 1 : runs, alpha);
  const fresh = confirm === undefined ? undefined : { count: confirm === true ? undefined : confirm };
  return createAgainst({ reference, before: side, start, name, looks, margin, failOn, confirm: fresh });
}
