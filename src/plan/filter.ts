// Which cases of a run are wanted.

import type { TestCase } from '../model/case.ts';

/** The test that a case belongs to. */
export type CaseOrigin = {
  test_id: string;
  tags?: readonly string[];
  variables?: { variant: string };
};

/** Decides for a case whether it is part of the run. */
export type Select = (testCase: TestCase, origin: CaseOrigin) => boolean;

export type SelectOptions = {
  /** A compiled `--run` pattern on the id. */
  pattern?: { test(text: string): boolean } | undefined;
  tags?: readonly string[];
  /** Only these cases, named as `caseKey` does (`--failed`). */
  only?: ReadonlySet<string> | undefined;
};

/** Joins `--run`, `--tag` and `--failed`: a case must satisfy all that are given, and one of the tags. */
export function createSelect({ pattern, tags = [], only }: SelectOptions): Select {
  return (testCase, origin) => {
    if (pattern !== undefined && !pattern.test(testCase.id)) return false;
    const hasTag = (tag: string): boolean =>
      testCase.tags?.includes(tag) === true || origin.tags?.includes(tag) === true;
    if (tags.length > 0 && !tags.some(hasTag)) return false;
    return only === undefined || only.has(caseKey(origin, testCase.id));
  };
}

/** Names a case within a run; once for each set of variables. */
export function caseKey({ test_id, variables }: CaseOrigin, caseId: string): string {
  const variant = variables?.variant ?? '';
  return variant === '' ? `${test_id}\n${caseId}` : `${test_id}\n${caseId}\n${variant}`;
}
