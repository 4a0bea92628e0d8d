// Names of cases and short texts about them, shared by several reports.

import type { StartEvent } from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import type { Checks } from '../../model/skill.ts';
import { formatDuration } from '../../text/duration.ts';
import { hasSeveralTests } from '../fold/logged-definitions.ts';
import { runKind } from '../kinds/registry.ts';
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

type Timed = {
  duration_ms: number;
  retries?: number;
  status?: Status;
  assertions?: number;
  checks?: Checks;
};

/** The duration, the number of tries if there were several, and the checks, or that there were none. */
export function timeText(timed: Timed): string {
  const tries = triesText(timed.retries);
  const time = formatDuration(timed.duration_ms);
  const facts = [time, tries, checksText(timed), hasNoAssertions(timed) ? 'no assertions' : undefined];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
}

/** True for a script test that passed without an assertion. */
export function hasNoAssertions({ status, assertions }: Pick<Timed, 'assertions' | 'status'>): boolean {
  return status === 'passed' && assertions === 0;
}

/** The total number of retries of a case's runs; empty if there were none. */
export function retriesText(runs: readonly { retries?: number }[]): string {
  const retries = runs.reduce((sum, run) => sum + (run.retries ?? 0), 0);
  if (retries === 0) return '';
  return retries === 1 ? '1 retry' : `${retries} retries`;
}

/** `tried 3 times` after two retries; empty without retries. */
export function triesText(retries = 0): string {
  return retries > 0 ? `tried ${retries + 1} times` : '';
}
