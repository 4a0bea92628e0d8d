// Which entry of a quarantine file is about a case.

import type { QuarantineMark } from '../model/quarantine.ts';
import { canonicalJson } from '../stats/canonical.ts';
import type { QuarantineEntry } from './read-quarantine.ts';
import { quarantineName } from './read-quarantine.ts';

/** A case with its variables. */
type Named = {
  test_id: string;
  id: string;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
};

export type EntryFinder = (named: Named) => QuarantineEntry | undefined;

/** Finds the entry of a case; one that names variables wins over one that does not. */
export function entryFinder(entries: readonly QuarantineEntry[]): EntryFinder {
  const byName = new Map<string, QuarantineEntry[]>();
  for (const entry of entries) {
    const known = byName.get(entry.name);
    if (known === undefined) byName.set(entry.name, [entry]);
    else known.push(entry);
  }
  return ({ test_id, id, variables }) => {
    const named = byName.get(quarantineName(test_id, id));
    if (named === undefined) return undefined;
    const special = named.find(
      (entry) => entry.variables !== undefined && hasValues(entry.variables, variables),
    );
    return special ?? named.find((entry) => entry.variables === undefined);
  };
}

/** What results say about a case in quarantine. */
export function markOf({ reason, until, owner }: QuarantineEntry): QuarantineMark {
  return { reason, until, ...(owner !== undefined && { owner }) };
}

function hasValues(wanted: Readonly<Record<string, unknown>>, variables: Named['variables']): boolean {
  return Object.entries(wanted).every(
    ([name, value]) =>
      variables !== undefined &&
      variables !== null &&
      Object.hasOwn(variables, name) &&
      canonicalJson(variables[name]) === canonicalJson(value),
  );
}
