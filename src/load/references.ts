// What cases point at outside their file: parts that are files, assertions that are scripts.

import type { FilePlace } from '../kinds/messages.ts';
import { findSource, messagesOf, namesFile, partsOf } from '../kinds/messages.ts';
import type { CaseInput, ContentPart, TestCase } from '../model/case.ts';

const NONE: readonly string[] = [];
const MAX_KNOWN = 10_000;

/** Checks that the files which inputs name can be used. */
export type FileCheck = { check(input: CaseInput): readonly string[] };

/** Creates the check for the cases of one file; every source is looked at once. */
export function createFileCheck(place: FilePlace): FileCheck {
  const known = new Map<string, string | undefined>();

  return {
    check(input) {
      if (typeof input === 'string') return NONE;
      return messagesOf(input).flatMap((message) => partsOf(message).flatMap(problemsOf));
    },
  };

  function problemsOf(part: ContentPart): readonly string[] {
    if (!namesFile(part)) return NONE;
    if (!known.has(part.source)) {
      if (known.size >= MAX_KNOWN) known.clear();
      const found = findSource(part.source, place);
      known.set(part.source, 'problem' in found ? found.problem : undefined);
    }
    const problem = known.get(part.source);
    return problem === undefined ? NONE : [problem];
  }
}

/** The scripts that the assertions of a case call. */
export function scriptsOf({ assert }: TestCase): readonly string[] {
  if (assert === undefined) return NONE;
  const assertions = Array.isArray(assert) ? assert : [assert];
  if (!assertions.some((assertion) => assertion.type === 'script')) return NONE;
  return assertions.flatMap((assertion) => (assertion.script === undefined ? NONE : [assertion.script]));
}
