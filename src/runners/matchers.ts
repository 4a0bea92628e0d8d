// What the matchers of vitest and the assertions for node:test check, without the words of either.

import { ConfigError } from '../errors.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { EvaluateCase, EvaluateOptions } from '../evaluate/options.ts';
import { isObject } from '../json/is-object.ts';
import type { Comparison, Mode } from '../judge/trajectory.ts';
import type { Assertion } from '../model/case.ts';
import type { JsonReport, ReportResult } from '../report/formats/json-report.ts';
import { quote } from '../text/quote.ts';
import {
  comparedValues,
  refuseUnmeasured,
  resultText,
  UnmeasuredError,
  withAllProblems,
} from './failure-text.ts';

/** `message` says why it did not match; `opposite` says that it did. */
export type Matched = {
  pass: boolean;
  message: string;
  opposite: string;
  expected?: unknown;
  actual?: unknown;
};

/** Options of a run for matchers. */
export type MatchOptions = Omit<EvaluateOptions, 'agent' | 'cases'>;

/** How a judge is asked: `connector` for the built-in judge, or `use` for an agent of yours. */
export type JudgeOptions = MatchOptions & {
  use?: string;
  threshold?: number;
  preset?: string;
  /** What the agent was asked, for the judge. */
  input?: EvaluateCase['input'];
};

/** A tool by its name, or with arguments that the call must have. */
export type ExpectedCall = string | { name: string; arguments?: unknown };

/** Functions run where the test runs, which has nothing to protect from them. */
export function withIsolation<T extends Pick<EvaluateOptions, 'agent' | 'isolation'>>(options: T): T {
  const isNamed =
    typeof options.agent === 'string' ||
    (isObject(options.agent) && 'run' in options.agent && isObject(options.agent['run']));
  return { ...options, isolation: options.isolation ?? (isNamed ? 'process' : 'none') };
}

/** The agent passes the case. */
export async function passCase(
  agent: EvaluateOptions['agent'],
  testCase: EvaluateCase,
  options: MatchOptions = {},
): Promise<Matched> {
  if (!isObject(testCase))
    throw new ConfigError(`expected a case such as { input, expected }, got ${quote(testCase)}`);
  const result = await onlyResult({ ...options, agent, cases: [testCase] });
  return {
    pass: result.status === 'passed',
    message: resultText(result),
    opposite: `case ${result.id} passed`,
    ...comparedValues(result),
  };
}

/** At least this share of the runs of a report passed. */
export function passAtLeast(run: unknown, share: number): Matched {
  if (typeof share !== 'number' || !(share >= 0 && share <= 1))
    throw new ConfigError(`expected a share from 0 to 1, got ${quote(share)}`, {
      hint:
        typeof share === 'number' && share > 1 && share <= 100
          ? `write ${String(share / 100)}`
          : 'write 0.9 for 90 %',
    });
  if (!isReport(run)) throw new ConfigError(`expected the run that evaluate gives, got ${quote(run)}`);
  const { overall_pass_rate: rate, unmeasured = 0, total, skipped } = run.summary;
  const failing = run.results.filter(({ status }) => status !== 'passed');
  const reasons = failing.slice(0, 10).map((result) => resultText(result));
  if (unmeasured > 0 || rate === null) {
    const count = unmeasured > 0 ? `${String(unmeasured)} of ${String(total)} cases` : 'the cases';
    throw new UnmeasuredError([`${count} could not be measured`, ...reasons].join('\n'));
  }
  const left = skipped > 0 ? `; ${String(skipped)} cases were skipped` : '';
  const told = `${String(rate)} % of the runs passed${left}`;
  return {
    pass: rate >= share * 100,
    message: [`${told}, wanted at least ${String(share * 100)} %`, ...reasons].join('\n'),
    opposite: `${told}, wanted less than ${String(share * 100)} %`,
  };
}

/** The answer satisfies assertions as cases have them. */
export async function satisfy(
  received: unknown,
  assert: Assertion | Assertion[],
  { input = '', ...options }: MatchOptions & { input?: EvaluateCase['input'] } = {},
): Promise<Matched> {
  const answer = await answerOf(received);
  const result = await onlyResult({
    ...options,
    agent: () => answer,
    cases: [{ id: 'answer', input, assert }],
  });
  const [, ...lines] = resultText(result).split('\n');
  return {
    pass: result.status === 'passed',
    message: lines.map((line) => line.slice(2)).join('\n'),
    opposite: `the answer satisfies ${[assert]
      .flat()
      .map(({ type }) => type)
      .join(', ')}`,
    ...comparedValues(result),
  };
}

export async function callTool(received: unknown, name: string, args?: unknown): Promise<Matched> {
  const value = args === undefined ? name : { name, arguments: args };
  return {
    ...(await satisfy(received, { type: 'tool_called', value })),
    opposite: `tool ${quote(name)} was called`,
  };
}

export async function matchTrajectory(
  received: unknown,
  calls: ExpectedCall[],
  options: { mode?: Mode; arguments?: Comparison } = {},
): Promise<Matched> {
  return satisfy(received, { type: 'trajectory', value: calls, ...options });
}

export async function satisfyJudge(
  received: unknown,
  criteria: string,
  options: JudgeOptions = {},
): Promise<Matched> {
  const { use, threshold, preset, connector, input, ...rest } = options;
  const judge = { use, threshold, preset, connector };
  const fields = Object.fromEntries(Object.entries(judge).filter(([, value]) => value !== undefined));
  return satisfy(received, { type: 'agent', value: criteria, ...fields }, { ...rest, input });
}

/** The one result of a run with one case; throws if it is no measurement. */
async function onlyResult(options: EvaluateOptions): Promise<ReportResult> {
  const { results, skipped_cases } = await evaluate(withIsolation(options)).catch((error: unknown) => {
    throw withAllProblems(error);
  });
  const [result] = results;
  if (result === undefined)
    throw new UnmeasuredError(`the case was skipped: ${skipped_cases[0]?.reason ?? 'it is not selected'}`);
  refuseUnmeasured(result);
  return result;
}

/** An answer as agents return them; that of a run is the answer of its only case. */
async function answerOf(received: unknown): Promise<unknown> {
  const value: unknown = await received;
  if (!isReport(value)) return value;
  const [result, ...others] = value.results;
  if (result === undefined || others.length > 0)
    throw new ConfigError(`the run has ${String(value.results.length)} cases with an answer`, {
      hint: 'expect one of them: run.results[0]',
    });
  return result;
}

function isReport(value: unknown): value is JsonReport {
  return isObject(value) && Array.isArray(value['results']) && isObject(value['summary']);
}
