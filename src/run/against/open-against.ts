// The baseline of `--against` in, what compares the run with it out.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Side } from '../../compare/side.ts';
import { findBaseline } from '../../history/baseline.ts';
import { takeWaiting } from '../../history/pending-imports.ts';
import { readLogSide, readSide } from '../../history/read-side.ts';
import { name } from '../../history/store/event-rows.ts';
import { openStore } from '../../history/store/open-store.ts';
import type { StartEvent } from '../../model/event.ts';
import { isDeterministic } from '../../model/subject.ts';
import type { Decider } from '../../plan/decider.ts';
import { MOST_IN_ROUNDS } from '../../plan/decider.ts';
import { historyFile } from '../../platform/state-folder.ts';
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
  const file = resolve(cwd, reference);
  // Without opening a history: a machine that is new has none.
  if (/[./\\]/.test(reference) && statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    return { reference, side: await readLogSide(file) };
  const { store: place, baseline_runs: runs } = inputs.settings;
  const store = await openStore(place ?? historyFile(root));
  try {
    if (place === undefined) await takeWaiting(store, root);
    const found = await findBaseline(store, reference, { cwd, runs, without: [runId] });
    return { reference, side: await readSide(store, found) };
  } finally {
    await store.close();
  }
}

/** Compares the run that begins with `start` with a baseline. */
export function compareWith({ reference, side }: Baseline, plan: RunPlan, start: StartEvent): Decider {
  const { inputs, prepared } = plan;
  const { alpha = 0.05, margin = 5, fail_on: failOn = [], confirm, runs } = inputs.settings;
  // Tests without noise need one look, and so do runs that are too large for whole rounds.
  const isSingle =
    prepared.total > MOST_IN_ROUNDS || prepared.targets.every(({ subject }) => isDeterministic(subject.kind));
  const looks = looksWithin(isSingle ? 1 : runs, alpha);
  const fresh = confirm === undefined ? undefined : { count: confirm === true ? undefined : confirm };
  return createAgainst({ reference, before: side, start, name, looks, margin, failOn, confirm: fresh });
}
