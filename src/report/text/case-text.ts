// Names of cases and short texts about them, shared by several reports.

import type { StartEvent } from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { Checks } from '../../model/skill.ts';
import { formatDuration } from '../../text/duration.ts';
import type { CaseResult } from '../fold/case-result.ts';
import { hasSeveralTests } from '../fold/logged-definitions.ts';
import { runKind } from '../kinds/registry.ts';
import { hasNoAssertions } from '../kinds/script/text.ts';
import { checksText } from '../kinds/skill/run.ts';
import { combinationNamer } from './variable-text.ts';

/** The fields that a name is made of. */
export type Named = { id: string; test_id: string; variables?: Record<string, unknown> };

/** Names a case; the name is untrusted. */
export type CaseNamer = (named: Named) => string;

/**
 * Names a case by its id; in a run with several inputs (other than only skills) also by its input; in a run with a
 * matrix also by its values.
 */
export function caseNamer(start: Pick<StartEvent, 'inputs' | 'matrix'>, separator = '›'): CaseNamer {
  const shortNameOf = shortNamer(start);
  if (!hasSeveralTests(start) || runKind(start).hasUniqueIds === true) return shortNameOf;
  return (named) => `${named.test_id} ${separator} ${shortNameOf(named)}`;
}

/** Names a case where its input is clear from the context. */
export function shortNamer(start: Pick<StartEvent, 'matrix'>): CaseNamer {
  const combinationOf = combinationNamer(start);
  return (named) => `${named.id}${combinationOf(named)}`;
}

type Timed = Rerun & {
  duration_ms: number;
  status?: Status;
  assertions?: number;
  checks?: Checks;
};

/** The duration, the number of tries if there were several, and the checks, or that there were none. */
export function timeText(timed: Timed): string {
  const tries = triesText(timed);
  const time = formatDuration(timed.duration_ms);
  const facts = [time, tries, checksText(timed), hasNoAssertions(timed) ? 'no assertions' : undefined];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
}

/**
 * How stable a case is: its class, or `always fails`, because a case that never passes is not unstable; and the number
 * of runs that could not be measured.
 */
export function stabilityText(
  result: Pick<CaseResult, 'passed' | 'run_details' | 'stability_class'>,
): string {
  const { passed, stability_class: name, run_details: runs = [] } = result;
  if (name === null) return 'not measured';
  const unmeasured = runs.filter((run) => !isMeasured(run)).length;
  const word = passed === 0 ? 'always fails' : name;
  return unmeasured === 0 ? word : `${word}, ${unmeasured} not measured`;
}

/** How often an attempt was executed again, and why. */
type Rerun = { retries?: number | undefined; restarted?: number | undefined };

/** `2 retries, 1 restart`: of all runs of a case; empty if there were none. */
export function retriesText(runs: readonly Rerun[]): string {
  const retries = runs.reduce((sum, run) => sum + (run.retries ?? 0), 0);
  const restarts = runs.reduce((sum, run) => sum + (run.restarted ?? 0), 0);
  const facts = [
    ...(retries === 0 ? [] : [retries === 1 ? '1 retry' : `${retries} retries`]),
    ...(restarts === 0 ? [] : [restarts === 1 ? '1 restart' : `${restarts} restarts`]),
  ];
  return facts.join(', ');
}

/** `tried 3 times` after two retries, `restarted` after a restart; empty without them. */
export function triesText({ retries = 0, restarted = 0 }: Rerun): string {
  const facts = [
    ...(retries > 0 ? [`tried ${retries + 1} times`] : []),
    ...(restarted > 0 ? [restarted === 1 ? 'restarted' : `restarted ${restarted} times`] : []),
  ];
  return facts.join(', ');
}
