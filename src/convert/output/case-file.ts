// Cases in, the text of a case file out: what all cases share stands in its defaults.

import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import type { Case } from '../cases/build-cases.ts';

/** Longer files are JSON Lines, which are read piece by piece. */
const MAX_YAML = 500;
/** Fields that a case takes from the defaults if it has none. */
const SHARED = ['input', 'transform', 'pass_score', 'options', 'metadata'] as const;

export function caseFile(cases: readonly Case[], given: Case): { ending: 'yml' | 'jsonl'; text: string } {
  const defaults: Case = { ...given };
  let own = [...cases];
  for (const field of SHARED) {
    const [first] = own;
    const value = first?.[field];
    if (value === undefined || own.length < 2 || !own.every((one) => isDeepStrictEqual(one[field], value)))
      continue;
    defaults[field] = value;
    own = own.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== field)));
  }
  const all: unknown[] = Object.keys(defaults).length === 0 ? own : [{ defaults }, ...own];
  if (own.length > MAX_YAML)
    return { ending: 'jsonl', text: all.map((one) => `${JSON.stringify(one)}\n`).join('') };
  // No reference between equal parts: a reader edits one of them.
  return { ending: 'yml', text: stringify(all, { lineWidth: 0, aliasDuplicateObjects: false }) };
}
