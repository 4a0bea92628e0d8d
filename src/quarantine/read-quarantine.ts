// Reads a quarantine file: YAML in, entries out, with the line of each.

import { existsSync } from 'node:fs';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { readTextFile } from '../json/text-file.ts';
import { parseYamlDocument } from '../json/yaml-document.ts';
import { findProblems } from '../schema/problems.ts';
import { quote } from '../text/quote.ts';
import { canonicalJson } from '../stats/canonical.ts';
import type { EntryFields } from './entry.ts';
import { dayOf, daysAfter, isOver, lastDay, quarantineShape, USUAL_DAYS } from './entry.ts';
import { programName } from '../platform/how-started.ts';

/** Separates test and case in the name of a case. */
const WITHIN = ' › ';

/** A case, or with `variables` one of its variants, in quarantine. */
export type QuarantineEntry = {
  /** `test › id` */
  name: string;
  test: string;
  variables?: Record<string, unknown>;
  reason: string;
  owner?: string;
  /** The last day. */
  until: string;
  isExpired: boolean;
  /** `quarantine.yml:3` */
  at: string;
};

/** The name of a case in quarantine files and in the list of flaky cases. */
export function quarantineName(testId: string, caseId: string): string {
  return `${testId}${WITHIN}${caseId}`;
}

/** The entries of a file; none if it does not exist and `isRequired` is not set. Throws ConfigError with all problems. */
export async function readQuarantine(
  file: string,
  { name, now, isRequired = false }: { name: string; now: Date; isRequired?: boolean },
): Promise<QuarantineEntry[]> {
  if (!existsSync(file)) {
    if (!isRequired) return [];
    throw new ConfigError(`the quarantine file ${name} does not exist`, {
      hint: `${programName()} flaky --write makes one; --no-quarantine runs without`,
    });
  }
  return parseQuarantine(readTextFile(file, name), { name, now });
}

/** The entries in the text of a quarantine file. */
export async function parseQuarantine(
  text: string,
  { name, now }: { name: string; now: Date },
): Promise<QuarantineEntry[]> {
  if (isBlank(text)) return [];
  const document = await parseYamlDocument(text, name);
  const at = (path: readonly (number | string)[]): string =>
    `${name}:${String(document.lineOf(path.map(String)) ?? 1)}`;
  const wrong = findProblems(quarantineShape, document.value, { wrong: 'expected, got', at });
  if (wrong.length > 0) throw ConfigError.of(wrong);

  // Safe: the shape was just checked.
  const fields = document.value as EntryFields[];
  const problems: Problem[] = [];
  const entries = fields.flatMap((one, index) => toEntry(one, { at: at([index]), now, problems }) ?? []);
  problems.push(...findRepeated(entries));
  if (problems.length > 0) throw ConfigError.of(problems);
  return entries;
}

/** True if a file has nothing but comments. */
export function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}

function toEntry(
  fields: EntryFields,
  { at, now, problems }: { at: string; now: Date; problems: Problem[] },
): QuarantineEntry | undefined {
  const { case: named, test, variables, reason, owner } = fields;
  const until = lastDay(fields);
  const name = test === undefined ? named : quarantineName(test, named);
  if (until === undefined)
    problems.push({
      message: `${quote(name)} has no expiry`,
      at,
      hint: `add when it ends, like "expires: ${daysAfter(dayOf(now), USUAL_DAYS)}" for ${String(USUAL_DAYS)} days from today`,
    });
  if (!name.includes(WITHIN))
    problems.push({
      message: `${quote(named)} does not say which test it belongs to`,
      at,
      hint: `write "case: <test>${WITHIN}${named}" as ${programName()} flaky shows it, or add "test: <test>"`,
    });
  if (until === undefined || !name.includes(WITHIN)) return undefined;
  return {
    name,
    test: test ?? named.slice(0, named.indexOf(WITHIN)),
    ...(variables !== undefined && { variables }),
    reason,
    ...(owner !== undefined && { owner }),
    until,
    isExpired: isOver(until, now),
    at,
  };
}

/** Two entries for the same case could say different things. */
function findRepeated(entries: readonly QuarantineEntry[]): Problem[] {
  const known = new Map<string, string>();
  return entries.flatMap(({ name, variables, at }) => {
    const key = canonicalJson([name, variables ?? null]);
    const first = known.get(key);
    if (first === undefined) known.set(key, at);
    return first === undefined
      ? []
      : [
          {
            message: `${quote(name)} is in quarantine twice`,
            at,
            hint: `remove this entry or that of ${first}`,
          },
        ];
  });
}
