// Flaky cases in, entries for the quarantine out. A person decides whether to take them.

import { dayOf, daysAfter, USUAL_DAYS } from './entry.ts';
import type { QuarantineEntry } from './read-quarantine.ts';
import { quarantineName } from './read-quarantine.ts';
import { entryFinder } from './find-entry.ts';
import { mostQuarantined } from './survey.ts';

/** What the history knows about a case. */
type Flaky = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  kind: 'changed' | 'flaky';
  passed: number;
  runs: number;
  flip_rate: number;
};

export type ProposedEntry = {
  case: string;
  variables?: Record<string, unknown>;
  reason: string;
  added: string;
  expires: string;
};

export type Proposal = {
  entries: ProposedEntry[];
  /** How many cases may be in quarantine. */
  most: number;
  /** Flaky cases that are left out because of that. */
  left_out: number;
};

/**
 * Proposes the flaky cases that no entry is about, those that flip most first. Cases that changed are broken or repaired, and
 * cases whose entry has expired need a person who looks at them. `total` is the number of cases of the newest run.
 */
export function proposeEntries(
  cases: readonly Flaky[],
  { entries, total, now }: { entries: readonly QuarantineEntry[]; total: number; now: Date },
): Proposal {
  const find = entryFinder(entries);
  const isNew = ({ test_id, case_id, variables }: Flaky): boolean =>
    find({ test_id, id: case_id, variables }) === undefined;
  const wanted = cases.filter((one) => one.kind === 'flaky' && isNew(one));
  const most = mostQuarantined(total);
  const room = Math.max(0, most - entries.filter(({ isExpired }) => !isExpired).length);
  return {
    entries: wanted.slice(0, room).map((one) => proposedEntry(one, dayOf(now))),
    most,
    left_out: Math.max(0, wanted.length - room),
  };
}

function proposedEntry(
  { test_id, case_id, variables, passed, runs, flip_rate }: Flaky,
  added: string,
): ProposedEntry {
  const share = `two runs disagree in ${String(Math.round(flip_rate * 100))} of 100`;
  return {
    case: quarantineName(test_id, case_id),
    ...(variables !== null && { variables }),
    reason: `flaky: ${String(passed)} of ${String(runs)} runs passed, ${share}`,
    added,
    expires: daysAfter(added, USUAL_DAYS),
  };
}
