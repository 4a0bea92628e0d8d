/* oxlint-disable vitest/valid-describe-callback, vitest/valid-title, vitest/no-focused-tests, vitest/no-disabled-tests, vitest/expect-expect, vitest/no-conditional-tests -- this file makes tests and has none */
// `assay/vitest`: matchers for `expect`, and `describeEval`, which makes a test of every case.

import { afterAll, describe, expect, test } from 'vitest';
import type { EvaluateOptions } from '../evaluate/options.ts';
import { CONFIGURATION, EvalSuite } from './eval-suite.ts';
import { comparedValues, refuseUnmeasured, resultText, withoutFrames } from './failure-text.ts';
import type { Matched } from './matchers.ts';
import { callTool, matchTrajectory, passAtLeast, passCase, satisfy, satisfyJudge } from './matchers.ts';

export type { ExpectedCall, JudgeOptions, MatchOptions } from './matchers.ts';
export type { EvaluateCase, EvaluateOptions } from '../evaluate/options.ts';
export type { EvaluateRun } from '../evaluate/evaluate.ts';
export type { Assertion } from '../model/case.ts';

type Verdict = { pass: boolean; message: () => string; expected?: unknown; actual?: unknown };

expect.extend({
  toPassCase: async (...args: Parameters<typeof passCase>) => toVerdict(await passCase(...args)),
  toPassAtLeast: (...args: Parameters<typeof passAtLeast>) => toVerdict(passAtLeast(...args)),
  toCallTool: async (...args: Parameters<typeof callTool>) => toVerdict(await callTool(...args)),
  toMatchTrajectory: async (...args: Parameters<typeof matchTrajectory>) =>
    toVerdict(await matchTrajectory(...args)),
  toSatisfyAssertion: async (...args: Parameters<typeof satisfy>) => toVerdict(await satisfy(...args)),
  toSatisfyJudge: async (...args: Parameters<typeof satisfyJudge>) => toVerdict(await satisfyJudge(...args)),
});

function toVerdict({ pass, message, opposite, ...values }: Matched): Verdict {
  return { pass, message: () => (pass ? opposite : message), ...values };
}

/**
 * Makes one test of every case. The cases run together, as `evaluate` runs them, when the first test begins.
 *
 * @example describeEval('arithmetic', { agent: './agent.ts', cases: 'cases.jsonl', runs: 3, parallel: 4 })
 */
export function describeEval(name: string, options: EvaluateOptions): void {
  describe(name, declare(options));
}

describeEval.only = (name: string, options: EvaluateOptions): void =>
  void describe.only(name, declare(options));
describeEval.skip = (name: string, options: EvaluateOptions): void =>
  void describe.skip(name, declare(options));

function declare(options: EvaluateOptions): () => Promise<void> {
  return async () => {
    const opened = await EvalSuite.open(options);
    if ('error' in opened) {
      // Or the other tests of the file would not run.
      test(CONFIGURATION, () => Promise.reject(opened.error));
      return;
    }
    const { suite, cases } = opened;
    const keys = new Map(cases.map(({ title, key }) => [title, key]));
    for (const { key, title, skip } of cases) {
      // The time limit is that of the run.
      test(title, { timeout: 0, skip }, async (context) => {
        // With the first test; a filter of vitest leaves tests out.
        const wanted = (context.task.suite?.tasks ?? []).filter(
          ({ mode }) => mode === 'run' || mode === 'queued',
        );
        suite.start(wanted.flatMap((task) => keys.get(task.name) ?? []));
        const end = await suite.end(key);
        if ('skipped' in end) return context.skip(end.skipped.message ?? end.skipped.reason);
        const { result } = end;
        refuseUnmeasured(result);
        if (!suite.counts(result)) return undefined;
        const error = Object.assign(new Error(resultText(result)), comparedValues(result));
        error.name = 'AssertionError';
        throw withoutFrames(error);
      });
    }
    afterAll(() => suite.check(), 0);
  };
}
