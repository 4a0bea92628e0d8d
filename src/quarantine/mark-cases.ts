import type { QuarantineMark } from '../model/quarantine.ts';
import { entryFinder, markOf } from './find-entry.ts';
import type { QuarantineEntry } from './read-quarantine.ts';

/** The quarantine of a case in a list; `expired` if it has ended. */
export type ListedMark = QuarantineMark & { expired: boolean };

type Listed = { test_id: string; case_id: string; variables: Record<string, unknown> | null };

/** The same cases; those in quarantine say why and until when. */
export function markCases<Case extends Listed>(
  cases: readonly Case[],
  entries: readonly QuarantineEntry[],
): (Case & { quarantined?: ListedMark })[] {
  const find = entryFinder(entries);
  return cases.map((one) => {
    const entry = find({ test_id: one.test_id, id: one.case_id, variables: one.variables });
    if (entry === undefined) return one;
    return { ...one, quarantined: { ...markOf(entry), expired: entry.isExpired } };
  });
}
