// What differs between two sides besides the code that is compared.

import type { CasePair } from './pair-cases.ts';
import type { SideRun } from '../model/comparison.ts';
import type { Side } from './side.ts';

/** Sentences for people, each about one thing that makes the comparison less than plain. */
export function differenceNotes(before: Side, after: Side, pairs: readonly CasePair[]): string[] {
  const notes: string[] = [];
  const differs = (value: (run: SideRun) => string | null): [string[], string[]] | undefined => {
    const [then, now] = [distinct(before, value), distinct(after, value)];
    return then.join('\n') === now.join('\n') ? undefined : [then, now];
  };
  const agents = differs(({ agent_id }) => agent_id);
  if (agents !== undefined)
    notes.push(`Different agents: ${list(agents[0])} before, ${list(agents[1])} after.`);
  const connectors = differs(({ connector }) => connector);
  if (connectors !== undefined)
    notes.push(`Different connectors: ${list(connectors[0])} before, ${list(connectors[1])} after.`);
  if (differs(({ judge_sha256 }) => judge_sha256) !== undefined)
    notes.push('The scripts or agents that judge differ, so a change may be theirs.');
  if (differs(({ replayed_from }) => replayed_from) !== undefined)
    notes.push(
      'Only one side is a replay, or they replay different recordings: a change may be that of the recorded answers.',
    );
  if ([...before.runs, ...after.runs].some(({ graded_from }) => graded_from !== undefined))
    notes.push(
      'A graded run judges recorded answers, its agent was not run: a change against the run of these answers is one of the assertions or the judges.',
    );
  if ([...before.runs, ...after.runs].some(({ is_auto }) => is_auto))
    notes.push(
      'Of runs with --runs auto only the first attempts of each case count, the least number that every case has.',
    );
  if (isContentUnknown(pairs))
    notes.push(
      'A run of an earlier version did not record the content of its cases; cases with the same id count as the same.',
    );
  return notes;
}

/** Says which metrics could not be compared. */
export function scoreNotes(oneSided: readonly string[]): string[] {
  if (oneSided.length === 0) return [];
  const named = oneSided.slice(0, MOST_NAMED);
  const more = oneSided.length - named.length;
  return [
    `No case has these scores on both sides, so they are not compared: ${list(named)}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}

const MOST_NAMED = 8;

function distinct({ runs }: Side, value: (run: SideRun) => string | null): string[] {
  return [...new Set(runs.map((run) => value(run) ?? 'none'))].sort();
}

function list(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/** True if an agent's case has a hash of its content on one side only. */
function isContentUnknown(pairs: readonly CasePair[]): boolean {
  return pairs.some(
    ({ before, after }) =>
      before !== null && after !== null && (before.content === null) !== (after.content === null),
  );
}
