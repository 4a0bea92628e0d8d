// Which cases of a run are wanted.

import type { TestCase } from '../model/case.ts';

/** Decides for a case whether it is part of the run. */
export type Select = (testCase: TestCase, testId: string) => boolean;

export type SelectOptions = {
  /** A compiled `--run` pattern on the id. */
  pattern?: { test(text: string): boolean } | undefined;
  tags?: readonly string[];
  /** Only these `testId` + id pairs (`--failed`). */
  only?: ReadonlySet<string> | undefined;
};

/** Joins `--run`, `--tag` and `--failed`: a case must satisfy all that are given, and one of the tags. */
export function createSelect({ pattern, tags = [], only }: SelectOptions): Select {
  return (testCase, testId) => {
    if (pattern !== undefined && !pattern.test(testCase.id)) return false;
    if (tags.length > 0 && !tags.some((tag) => testCase.tags?.includes(tag) === true)) return false;
    return only === undefined || only.has(caseKey(testId, testCase.id));
  };
}

/** Names a case within a run. */
export function caseKey(testId: string, caseId: string): string {
  return `${testId}\n${caseId}`;
}
