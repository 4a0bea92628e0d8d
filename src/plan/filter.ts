// Which cases of a run are wanted.

import type { TestCase } from '../model/case.ts';
import { caseKey } from '../model/case-key.ts';

/** The test that a case belongs to. */
type CaseOrigin = {
  test_id: string;
  tags?: readonly string[];
  /** Runs of each of its cases, if different from those of the others. */
  runs?: number;
  variables?: { variant: string; values: Record<string, unknown> };
};

/** Decides for a case whether it is part of the run. */
export type Select = (testCase: TestCase, origin: CaseOrigin) => boolean;

export type SelectOptions = {
  /** A compiled `--run` pattern on the id. */
  pattern?: { test(text: string): boolean } | undefined;
  tags?: readonly string[];
  /** The `caseKey` of the only cases wanted (`--failed`). */
  only?: ReadonlySet<string> | undefined;
};

/** Joins `--run`, `--tag` and `--failed`: a case must satisfy all that are given, and one of the tags. */
export function createSelect({ pattern, tags = [], only }: SelectOptions): Select {
  return (testCase, origin) => {
    if (pattern !== undefined && !pattern.test(testCase.id)) return false;
    const hasTag = (tag: string): boolean =>
      testCase.tags?.includes(tag) === true || origin.tags?.includes(tag) === true;
    if (tags.length > 0 && !tags.some(hasTag)) return false;
    return only === undefined || only.has(caseKey(origin.test_id, testCase.id, origin.variables?.variant));
  };
}
