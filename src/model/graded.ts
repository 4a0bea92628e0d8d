// A run that judged recorded answers, as its log and the history have it.

import type { GradedFrom, StartEvent } from './event.ts';

/** Where the answers of a run come from; undefined if its agent was run. The history keeps it with the flags. */
export function gradedFrom({ graded, flags }: Pick<StartEvent, 'flags' | 'graded'>): GradedFrom | undefined {
  const from = graded ?? flags['graded'];
  // Only this program writes it, and logs are checked when they are read.
  return typeof from === 'object' && from !== null && 'from' in from ? (from as GradedFrom) : undefined;
}
