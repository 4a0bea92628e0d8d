// One entry of a quarantine file: its shape, and the days on which it holds.

import { object, optional, record, required } from '../schema/object.ts';
import type { Infer } from '../schema/shape.ts';
import { list } from '../schema/object.ts';
import { anything, matching, text, withRule } from '../schema/values.ts';

/** How many days an entry holds unless it says when it expires. */
export const USUAL_DAYS = 14;
const DAY_MS = 86_400_000;

const day = withRule(
  matching('a date like 2026-01-31', /^\d{4}-\d{2}-\d{2}$/),
  (value) => (dayOf(dateOf(value)) === value ? undefined : 'is not a date of the calendar'),
  { format: 'date' },
);

/** A list of these is the content of a quarantine file. */
export const quarantineShape = list(
  object({
    case: required(text, 'The case as assay flaky shows it, "test › id", or its id if `test` is given'),
    test: optional(text, 'The test of the case'),
    variables: optional(record(anything), 'Only the case with these values of variables'),
    reason: required(
      text,
      'Why its failures do not count',
      'say in a few words why its failures do not count',
    ),
    expires: optional(day, 'The last day of the quarantine (UTC); from the next day on its failures count'),
    added: optional(day, `The day the entry was written; without \`expires\` it holds ${USUAL_DAYS} days`),
    owner: optional(text, 'Who repairs it'),
  }),
  { isEmptyFine: true, expected: 'a list of cases', hint: 'write "- case: …" for each case' },
);

export type EntryFields = Infer<typeof quarantineShape>[number];

/** The last day on which the entry holds; undefined if it says nothing about that. */
export function lastDay({ expires, added }: Pick<EntryFields, 'added' | 'expires'>): string | undefined {
  return expires ?? (added === undefined ? undefined : daysAfter(added, USUAL_DAYS));
}

/** True if that day, in UTC, is over. */
export function isOver(day: string, now: Date): boolean {
  return dayOf(now) > day;
}

/** The day that is so many days later. */
export function daysAfter(day: string, days: number): string {
  return dayOf(new Date(dateOf(day).getTime() + days * DAY_MS));
}

/** The day of a time, in UTC; empty for no time. */
export function dayOf(time: Date): string {
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10);
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
