// Which tests of a run are those of skills, and what people call them.

import type { LoggedInput, StartEvent } from '../../../model/event.ts';
import type { Checks } from '../../../model/skill.ts';

/** A skill as the log keeps it. */
export type LoggedSkill = Extract<LoggedInput, { type: 'skill' }>;

type Inputs = Pick<StartEvent, 'inputs'>;

/** The skills of a run, whatever else it tests. */
export function loggedSkills({ inputs }: Inputs): LoggedSkill[] {
  return inputs.filter((input) => input.type === 'skill');
}

/** `3 (1 untested)` */
export function skillsText(skills: readonly LoggedSkill[]): string {
  const untested = skills.filter(({ file }) => file === undefined).length;
  const count = String(skills.length);
  return untested === 0 ? count : `${count} (${String(untested)} untested)`;
}

/** Nothing was checked, although the test came to a result. */
export function hasNoChecks({ checks }: { checks?: Checks }): boolean {
  return checks !== undefined && checks.passed === 0 && checks.failed === 0;
}

/** `3 of 4 checks`; nothing for what counts none. */
export function checksText({ checks }: { checks?: Checks }): string | undefined {
  if (checks === undefined) return undefined;
  const all = checks.passed + checks.failed;
  return all === 0 ? 'no checks' : `${String(checks.passed)} of ${String(all)} checks`;
}
