// What people call a case, and the few words about it that several reports share.

import type { StartEvent } from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import type { Checks } from '../../model/skill.ts';
import { formatDuration } from '../../text/duration.ts';
import { hasSeveralTests } from '../fold/logged-definitions.ts';
import { checksText } from '../kinds/skill/run.ts';
import { combinationNamer } from './variable-text.ts';

/** What a name is made of. */
export type Named = { id: string; test_id: string; variables?: Record<string, unknown> };

/** Names a case; the name may be hostile. */
export type CaseNamer = (named: Named) => string;

/**
 * A case is called by its id; if a run has several inputs that are not just skills, also by the one it comes from; if it has a
 * matrix, also by the values of that.
 */
export function caseNamer(start: Pick<StartEvent, 'inputs' | 'matrix'>, separator = '›'): CaseNamer {
  const shortNameOf = shortNamer(start);
  if (!hasSeveralTests(start) || start.inputs.every(({ type }) => type === 'skill')) return shortNameOf;
  return (named) => `${named.test_id} ${separator} ${shortNameOf(named)}`;
}

/** The same where it is clear which input a case comes from. */
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

/** How long it took, how often it was tried if once was not enough, and what was checked, or that nothing was. */
export function timeText(timed: Timed): string {
  const tries = triesText(timed.retries);
  const time = formatDuration(timed.duration_ms);
  const facts = [time, tries, checksText(timed), hasNoAssertions(timed) ? 'no assertions' : undefined];
  return facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
}

/** True for a script test that passed without having checked anything. */
export function hasNoAssertions({ status, assertions }: Pick<Timed, 'assertions' | 'status'>): boolean {
  return status === 'passed' && assertions === 0;
}

/** How often runs of a case were tried again, all together; nothing if none was. */
export function retriesText(runs: readonly { retries?: number }[]): string {
  const retries = runs.reduce((sum, run) => sum + (run.retries ?? 0), 0);
  if (retries === 0) return '';
  return retries === 1 ? '1 retry' : `${retries} retries`;
}

/** `tried 3 times` after two retries; nothing without one. */
export function triesText(retries = 0): string {
  return retries > 0 ? `tried ${retries + 1} times` : '';
}
