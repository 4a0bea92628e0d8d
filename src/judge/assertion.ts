// The interface of an assertion type.

import type { Problem } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import type { Assertion, CaseInput } from '../model/case.ts';
import type { Verdict } from '../model/outcome.ts';
import type { Fields } from '../schema/object.ts';
import type { Spending } from '../model/spending.ts';
import type { FinishedCheck } from '../agents/command/run-check.ts';
import type { Evaluated } from '../scripts/expressions/evaluate.ts';
import type { AnswerValues } from '../model/answer-values.ts';

/** The answer to judge, with the question and the transcript. Everything is plain JSON. */
export type Subject = {
  output: unknown;
  input: CaseInput;
  expected?: unknown;
  /** Values of the case, for users' judging code. */
  vars?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  transcript: Transcript;
  duration_ms: number;
};

/** Assertions run no user code: they ask for it, and it runs elsewhere. */
export type JudgeDeps = {
  signal: AbortSignal;
  ask: Ask;
  embed: Embed;
  /** Calls a function of the user, with the context behind its arguments. */
  callScript(reference: string, args: unknown[]): Promise<unknown>;
  /** Evaluates an expression of the user, which errors call `name`. */
  evaluate(code: string, values: AnswerValues, name: string): Promise<Evaluated>;
  /** Runs a program of the user in the folder of the cases; it gets the values on stdin. */
  runCheck(command: readonly string[], values: AnswerValues): Promise<FinishedCheck>;
  /** Applied to every answer before it is judged: the `transform` of the case. */
  transform?: string | undefined;
  /** Judges in a process that can be killed; without it, everything is judged here. */
  judgeApart?(assertion: Assertion, subject: Subject): Promise<Judgement>;
};

/** Asks another agent, or the built-in judge if there is only a `connector`. Throws on failure. */
export type Ask = (
  who: { use?: string | undefined; connector?: string | undefined },
  request: { input: unknown; metadata?: Record<string, unknown>; options?: Record<string, unknown> },
) => Promise<Transcript>;

/** Embeds texts with the model of a connector; returns the vectors and what they cost. */
export type Embed = (connector: string, texts: string[]) => Promise<Spending & { vectors: number[][] }>;

/** Without `root` a check reads no files. */
export type CheckDeps = { root?: string | undefined };

/** The result of an assertion before `negate` is applied. */
export type Judgement = {
  pass: boolean;
  message?: string;
  expected?: unknown;
  actual?: unknown;
  diff?: string;
  score?: number;
  reason?: string;
  /** Of a combinator: the verdicts of the assertions inside. */
  verdicts?: Verdict[];
} & Spending;

/** A judge failed after it was paid for; keeps what it cost, and the verdicts that a combinator could not combine. */
export class JudgeError extends Error {
  readonly spent: Spending;
  readonly verdicts: Verdict[] | undefined;

  constructor(
    message: string,
    { usage, cost_usd: cost }: Spending,
    { verdicts, ...options }: ErrorOptions & { verdicts?: Verdict[] } = {},
  ) {
    super(message, options);
    this.verdicts = verdicts;
    this.spent = { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost_usd: cost }) };
  }
}

/** `apart`: its time may grow faster than the answer. `here`: it only asks others and reads their reply. */
type JudgePlace = 'apart' | 'here';

/** One assertion type. `check` runs before any test and returns the configuration errors of the assertion. */
export type AssertionType = {
  /** The fields of the assertion besides those that all types share. */
  fields: Fields;
  /** Checks the value, and rules that depend on several fields. */
  check(assertion: Assertion, deps: CheckDeps): readonly Problem[];
  /** Without it, a small answer is judged here and a large one apart. `expected` is that of the case. */
  place?(assertion: Assertion, expected: unknown): JudgePlace | undefined;
  /** Throws if the answer cannot be judged. */
  judge(assertion: Assertion, subject: Subject, deps: JudgeDeps): Judgement | Promise<Judgement>;
};

/** An assertion type whose `value` is a list of other assertions. Throws if the verdicts leave its result open. */
export type Combinator = { combine(verdicts: readonly Verdict[]): Judgement };

/** A passed assertion without details. */
export const PASS: Judgement = Object.freeze({ pass: true });

/** The result of a check without problems. */
export const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);

/** Reports a missing `value`, and an empty text that every answer contains. */
export function missingText(assertion: Assertion): readonly Problem[] {
  const { type, value } = assertion;
  if (value !== '') return missingValue(assertion);
  return [{ message: `"${type}" has an empty text as "value", which every answer contains` }];
}

/** Reports a missing `value`. */
export function missingValue(assertion: Assertion): readonly Problem[] {
  return assertion.value === undefined ? [{ message: `"${assertion.type}" needs a "value"` }] : NO_PROBLEMS;
}
