// `assay/node-test`: assertions for tests of Node, and `describeEval`, which makes a test of every case.

import { AssertionError } from 'node:assert';
import { after, describe, test } from 'node:test';
import type { EvaluateOptions } from '../evaluate/options.ts';
import { CONFIGURATION, EvalSuite } from './eval-suite.ts';
import { comparedValues, refuseUnmeasured, resultText, withoutFrames } from './failure-text.ts';
import type { Matched } from './matchers.ts';
import { callTool, matchTrajectory, passAtLeast, passCase, satisfy, satisfyJudge } from './matchers.ts';

export type { ExpectedCall, JudgeOptions, MatchOptions } from './matchers.ts';
export type { EvaluateCase, EvaluateOptions } from '../evaluate/options.ts';
export type { EvaluateRun } from '../evaluate/evaluate.ts';
export type { Assertion } from '../model/case.ts';

/** The agent passes the case. */
export async function assertPassesCase(...args: Parameters<typeof passCase>): Promise<void> {
  refuse(await passCase(...args), assertPassesCase);
}

/** At least this share of the runs of a report passed, from 0 to 1. */
export function assertPassesAtLeast(...args: Parameters<typeof passAtLeast>): void {
  refuse(passAtLeast(...args), assertPassesAtLeast);
}

/** The agent called the tool, with at least these arguments if they are given. */
export async function assertCallsTool(...args: Parameters<typeof callTool>): Promise<void> {
  refuse(await callTool(...args), assertCallsTool);
}

/** The agent made these tool calls. */
export async function assertMatchesTrajectory(...args: Parameters<typeof matchTrajectory>): Promise<void> {
  refuse(await matchTrajectory(...args), assertMatchesTrajectory);
}

/** The answer satisfies assertions as cases have them. */
export async function assertSatisfies(...args: Parameters<typeof satisfy>): Promise<void> {
  refuse(await satisfy(...args), assertSatisfies);
}

/** A judge says that the answer meets the criteria. */
export async function assertSatisfiesJudge(...args: Parameters<typeof satisfyJudge>): Promise<void> {
  refuse(await satisfyJudge(...args), assertSatisfiesJudge);
}

// oxlint-disable-next-line typescript/no-unsafe-function-type -- what AssertionError takes
function refuse({ pass, message, expected, actual }: Matched, stackStartFn: Function): void {
  if (!pass) throw new AssertionError({ message, expected, actual, operator: 'assay', stackStartFn });
}

/**
 * Makes one test of every case. The cases run together, as `evaluate` runs them.
 *
 * @example describeEval('arithmetic', { agent: './agent.ts', cases: 'cases.jsonl', runs: 3, parallel: 4 })
 */
export function describeEval(name: string, options: EvaluateOptions): void {
  // At once, so that all tests ask for their case before the first run begins.
  void describe(name, { concurrency: true }, async () => {
    const opened = await EvalSuite.open(options);
    if ('error' in opened) return void test(CONFIGURATION, () => Promise.reject(opened.error));
    const { suite, cases } = opened;
    for (const { key, title, skip } of cases) {
      void test(title, { skip }, async (context) => {
        const end = await suite.end(key);
        if ('skipped' in end) return context.skip(end.skipped.message ?? end.skipped.reason);
        const { result } = end;
        refuseUnmeasured(result);
        if (result.status === 'passed') return undefined;
        if (!suite.counts(result)) return context.diagnostic(`does not count: ${resultText(result)}`);
        const error = new AssertionError({
          message: resultText(result),
          operator: 'assay',
          ...comparedValues(result),
        });
        throw withoutFrames(error);
      });
    }
    after(() => suite.check());
  });
}
