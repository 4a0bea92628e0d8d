// Titles and nouns for a run.

import type { StartEvent } from '../../model/event.ts';
import { runsRange } from '../../model/runs-per-case.ts';
import { runKind } from '../kinds/registry.ts';
import { groupDigits } from '../../text/group-digits.ts';

/** The noun that a run counts: cases, tests or skills. */
export function caseNoun(start: Pick<StartEvent, 'inputs'>): string {
  return runKind(start).noun;
}

/** `Agent`, `Script` or `Skill`, and the name of what is tested. */
export function runSubject(start: Pick<StartEvent, 'agent_id' | 'inputs'>): { type: string; name: string } {
  const kind = runKind(start);
  return { type: kind.title, name: kind.subjectName(start) };
}

/** The title of a run: `Agent Test: calc`. */
export function runTitle(start: Pick<StartEvent, 'agent_id' | 'inputs'>): string {
  const { type, name } = runSubject(start);
  return `${type} Test: ${name}`;
}

/** The number of runs per case: `3`, or `1 to 5` if it differs between tests. */
export function runsText(start: Pick<StartEvent, 'inputs' | 'runs_per_case'>): string {
  const { least, most } = runsRange(start);
  return least === most ? String(most) : `${least} to ${most}`;
}

/** `1 case`, `3 cases`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${groupDigits(count)} ${noun}s`;
}

/** The tape that the traffic of a run was recorded to or replayed from. */
export function tapesText({ flags }: Pick<StartEvent, 'flags'>): string | undefined {
  const { record, replay, record_missing: isUpdate } = flags;
  if (typeof record === 'string') return `recorded to ${record}`;
  if (typeof replay !== 'string') return undefined;
  return `replayed from ${replay}${isUpdate === true ? ', what was missing recorded' : ''}`;
}
