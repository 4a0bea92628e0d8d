/* oxlint-disable typescript/no-explicit-any -- an interface that is extended must be declared as vitest declares it */
// The matchers of `assay/vitest`.

import type {
  Assertion as CaseAssertion,
  EvaluateCase,
  ExpectedCall,
  JudgeOptions,
  MatchOptions,
} from '../dist/vitest.js';

export * from '../dist/vitest.js';

interface AssayMatchers<R> {
  /** The agent (a function, a path, a URL, a definition) passes the case. */
  toPassCase(testCase: EvaluateCase, options?: MatchOptions): Promise<R>;
  /** At least this share of the runs of a report passed, from 0 to 1. */
  toPassAtLeast(share: number): R;
  /** The answer has a call of the tool, with at least these arguments if they are given. */
  toCallTool(name: string, args?: unknown): Promise<R>;
  /** The answer has these tool calls. */
  toMatchTrajectory(
    calls: ExpectedCall[],
    options?: {
      mode?: 'strict' | 'subset' | 'superset' | 'unordered';
      arguments?: 'exact' | 'ignore' | 'subset';
    },
  ): Promise<R>;
  /** The answer satisfies assertions as cases have them. */
  toSatisfyAssertion(
    assertion: CaseAssertion | CaseAssertion[],
    options?: MatchOptions & { input?: EvaluateCase['input'] },
  ): Promise<R>;
  /** A judge says that the answer meets the criteria: `connector` or `use` says which. */
  toSatisfyJudge(criteria: string, options?: JudgeOptions): Promise<R>;
}

declare module 'vitest' {
  interface Matchers<T = any> extends AssayMatchers<void> {}
  // Vitest before 3.2 has only this one.
  interface Assertion<T = any> extends AssayMatchers<void> {}
}
