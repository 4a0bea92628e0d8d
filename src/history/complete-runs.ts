// Which runs have all results that they should have: a baseline of several runs consists of those.

import { EXIT } from '../model/exit-code.ts';
import { canonicalJson } from '../stats/canonical.ts';
import type { StoredRun } from './store/store.ts';

/** True for a run that came to an end; a budget or a gate may have ended it early. */
export function hasEnded({ summary, exit_code }: StoredRun): boolean {
  return summary !== null && exit_code !== EXIT.interrupted;
}

/** True for a run of all cases of its tests. */
export function isOfAllCases({ flags }: StoredRun): boolean {
  return flags['only'] === undefined && flags['run'] === undefined && tagsOf(flags).length === 0;
}

/** True for a run of the cases with some tags: a selection that stays, unlike that of `--run` and `--failed`. */
export function isOfTags({ flags }: StoredRun): boolean {
  return flags['only'] === undefined && flags['run'] === undefined && tagsOf(flags).length > 0;
}

/** True if both runs selected the same cases. */
export function isSameSelection({ flags: a }: StoredRun, { flags: b }: StoredRun): boolean {
  const selection = (flags: StoredRun['flags']): string =>
    canonicalJson([flags['only'] ?? null, flags['run'] ?? null, tagsOf(flags)]);
  return selection(a) === selection(b);
}

/**
 * True unless the run stopped before it had reached every case. The history knows how many cases a run skipped, and not why: as
 * many as complete runs of the same cases skip are skipped by their files. `alike` gives those runs.
 */
export function hasReachedAll(run: StoredRun, alike: () => readonly StoredRun[]): boolean {
  if (!mayBeCutOff(run)) return true;
  const whole = alike().filter((one) => !mayBeCutOff(one));
  return whole.length > 0 && skippedIn(run) <= Math.min(...whole.map(skippedIn));
}

/** True if cases are skipped and something was there that can stop a run: a budget, `--fail-fast` or a gate. */
function mayBeCutOff(run: StoredRun): boolean {
  const { exit_code, flags } = run;
  if (skippedIn(run) === 0) return false;
  const hasBudget = flags['budget'] !== undefined || flags['budget_time_ms'] !== undefined;
  const hasGates = Array.isArray(flags['gates']) && flags['gates'].length > 0;
  // Without a failure, a budget that stops a run makes it exit with 3.
  return (
    exit_code === EXIT.unmeasured ||
    hasGates ||
    (exit_code === EXIT.failed && (hasBudget || flags['fail_fast'] === true))
  );
}

function skippedIn({ summary }: StoredRun): number {
  return summary?.skipped ?? 0;
}

function tagsOf(flags: StoredRun['flags']): unknown[] {
  return Array.isArray(flags['tags']) ? flags['tags'] : [];
}
