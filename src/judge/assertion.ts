// What every assertion looks like to the rest of the program.

import type { AttemptError, Problem } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import type { Assertion, CaseInput } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import type { Spending } from '../model/spending.ts';

/** What is judged: the answer and how it came about. Everything is plain JSON. */
export type Subject = {
  output: unknown;
  input: CaseInput;
  expected?: unknown;
  transcript: Transcript;
  duration_ms: number;
};

export type JudgeDeps = {
  root: string;
  context: ContextData;
  signal: AbortSignal;
  ask: Ask;
  embed: Embed;
  /** Told who is waited for, because what happens meanwhile is not the agent's doing; gives what ends it. */
  waiting?(reason: AttemptError): () => void;
};

/** Asks another agent, or with `connector` alone the built-in judge. Failures are thrown. */
export type Ask = (
  who: { use?: string | undefined; connector?: string | undefined },
  request: { input: unknown; metadata?: Record<string, unknown>; options?: Record<string, unknown> },
) => Promise<Transcript>;

/** The vectors of texts, by an embedding model behind a connector, and what they took. */
export type Embed = (connector: string, texts: string[]) => Promise<Spending & { vectors: number[][] }>;

/** What a check may look at; without `root` it looks at no file. */
export type CheckDeps = { root?: string };

/** A judgement before `negate` is applied. */
export type Judgement = {
  pass: boolean;
  message?: string;
  expected?: unknown;
  actual?: unknown;
  diff?: string;
  score?: number;
  reason?: string;
} & Spending;

/** Thrown by what could not be judged although somebody was paid for it. */
export class CostlyError extends Error {
  readonly spent: Spending;

  constructor(message: string, { usage, cost_usd: cost }: Spending, options?: ErrorOptions) {
    super(message, options);
    this.spent = { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost_usd: cost }) };
  }
}

/** One assertion type. `check` runs before anything is executed and returns what is wrong with the assertion. */
export type AssertionType = {
  /** The fields it reads besides `type`, `message` and `negate`. */
  fields: readonly string[];
  check(assertion: Assertion, deps: CheckDeps): readonly Problem[];
  /** Throws if it cannot be judged. */
  judge(assertion: Assertion, subject: Subject, deps: JudgeDeps): Judgement | Promise<Judgement>;
};

/** The judgement of everything that is as it should be. */
export const PASS: Judgement = Object.freeze({ pass: true });

/** The result of a check that found nothing. */
export const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);

/** The one problem of an assertion that has no `value`, if it has none. */
export function missingValue(assertion: Assertion): readonly Problem[] {
  return assertion.value === undefined ? [{ message: `"${assertion.type}" needs a "value"` }] : NO_PROBLEMS;
}
