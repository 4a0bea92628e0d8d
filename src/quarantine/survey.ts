// Looks at the cases of a run before it begins: which entries of the quarantine are about none of them, and are they too many?

import { quote } from '../text/quote.ts';
import { didYouMean } from '../text/nearest.ts';
import { groupDigits } from '../text/group-digits.ts';
import type { EntryFinder } from './find-entry.ts';
import type { QuarantineEntry } from './read-quarantine.ts';
import { quarantineName } from './read-quarantine.ts';

/** The share of cases that may be in quarantine, but one case always may. */
const MOST_QUARANTINED = 0.05;
/** Names that a mistyped one is compared with. */
const MOST_NAMES = 5000;

type Named = { test_id: string; id: string; variables?: Readonly<Record<string, unknown>> | undefined };

export type Survey = {
  /** Sees each case of the run. */
  see(named: Named): void;
  /** The number of cases whose quarantine holds. */
  readonly held: number;
  /** What the user should know. `isWhole`: the run has all cases of its tests. */
  notes(options: { total: number; isWhole: boolean }): string[];
};

export function surveyCases(entries: readonly QuarantineEntry[], find: EntryFinder): Survey {
  const tests = new Set(entries.map(({ test }) => test));
  const used = new Set<QuarantineEntry>();
  const seenTests = new Set<string>();
  const names: string[] = [];
  let held = 0;
  return {
    see(named) {
      seenTests.add(named.test_id);
      const entry = find(named);
      if (entry !== undefined) used.add(entry);
      if (entry?.isExpired === false) held += 1;
      if (tests.has(named.test_id) && names.length < MOST_NAMES)
        names.push(quarantineName(named.test_id, named.id));
    },
    get held() {
      return held;
    },
    notes({ total, isWhole }) {
      const expired = entries.filter((entry) => entry.isExpired && used.has(entry)).map(expiredNote);
      if (!isWhole) return expired;
      const unknown = entries
        .filter((entry) => !used.has(entry))
        .flatMap((entry) => unknownNote(entry, seenTests, names) ?? []);
      return [...expired, ...unknown, ...tooManyNote(held, total)];
    },
  };
}

function expiredNote({ name, until, at }: QuarantineEntry): string {
  return `${at}: the quarantine of ${quote(name)} ended on ${until}, so that its failures count again`;
}

/** Entries of tests that are not part of this run are fine. */
function unknownNote(
  { name, test, variables, at }: QuarantineEntry,
  seenTests: ReadonlySet<string>,
  names: readonly string[],
): string | undefined {
  if (!seenTests.has(test)) {
    const similar = didYouMean(test, seenTests);
    return similar === undefined
      ? undefined
      : `${at}: this run has no test ${quote(test)}, which ${quote(name)} is in; ${similar}`;
  }
  const values = variables === undefined ? '' : ` with ${JSON.stringify(variables)}`;
  const isPattern = name.includes('*');
  const hint = isPattern ? 'name each case, patterns are not possible' : didYouMean(name, names);
  const advice = hint ?? 'remove the entry if the case is gone';
  return `${at}: there is no case ${quote(name)}${values}; ${advice}`;
}

function tooManyNote(held: number, total: number): string[] {
  const most = mostQuarantined(total);
  if (held <= most) return [];
  return [
    `${groupDigits(held)} of ${groupDigits(total)} cases are in quarantine; at most ${groupDigits(most)} should be (5 %), ` +
      'because a run that excuses more of them says little',
  ];
}

/** How many of so many cases may be in quarantine. */
export function mostQuarantined(total: number): number {
  return Math.max(1, Math.floor(total * MOST_QUARANTINED));
}
