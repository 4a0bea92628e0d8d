// Many attempts, one case: how a case is counted from the outcomes of its runs.

import type { ErrorCode, Status } from './outcome.ts';
import { isMeasured } from './outcome.ts';

/** What counting needs to know of an outcome. */
export type Counted = { status: Status; code?: ErrorCode };

/** How a case ended; `unmeasured` tells an error that is nobody's proven fault. */
export type CaseEnd = { status: Status; unmeasured: boolean; pass_rate: number | null; stable: boolean };

/**
 * Counts the runs of one case. It passes if all runs do, or if `minPassRate` (percent) of them do;
 * a run that could not be measured never helps to reach it.
 */
export function settleCase(runs: readonly Counted[], minPassRate?: number): CaseEnd {
  const ran = runs.filter((run) => run.status !== 'skipped');
  const measured = ran.filter(isMeasured);
  const passed = ran.filter((run) => run.status === 'passed').length;
  const pass_rate = measured.length === 0 ? null : (100 * passed) / measured.length;
  const stable = ran.length > 0 && passed === ran.length;
  if (ran.length === 0) return { status: 'skipped', unmeasured: false, pass_rate, stable };

  const reached = minPassRate !== undefined && passed > 0 && (100 * passed) / ran.length >= minPassRate;
  if (stable || reached) return { status: 'passed', unmeasured: false, pass_rate, stable };

  const worst = SEVERITY.find((status) => measured.some((run) => run.status === status));
  if (worst !== undefined) return { status: worst, unmeasured: false, pass_rate, stable };
  return { status: 'error', unmeasured: true, pass_rate, stable };
}

/** True once no outcome of the `remaining` runs can make the case pass any more. */
export function cannotPass(runs: readonly Counted[], remaining: number, minPassRate?: number): boolean {
  const best = [...runs, ...Array.from({ length: remaining }, () => ({ status: 'passed' as const }))];
  return settleCase(best, minPassRate).status !== 'passed';
}

const SEVERITY = ['failed', 'timeout', 'error'] as const;
