// What every assertion looks like to the rest of the program.

import type { Transcript } from '../model/agent.ts';
import type { Assertion, CaseInput } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import type { Verdict } from '../model/outcome.ts';

/** What is judged: the answer and how it came about. Everything is plain JSON. */
export type Subject = {
  output: unknown;
  input: CaseInput;
  expected?: unknown;
  transcript: Transcript;
  duration_ms: number;
};

export type JudgeDeps = { root: string; context: ContextData; signal: AbortSignal };

/** A judgement before `negate` is applied. */
export type Judgement = { pass: boolean; message?: string; expected?: unknown; actual?: unknown; diff?: string };

/** One assertion type. `check` runs before anything is executed and returns what is wrong with the assertion. */
export type AssertionType = {
  check(assertion: Assertion): string[];
  /** Throws if it cannot be judged. */
  judge(assertion: Assertion, subject: Subject, deps: JudgeDeps): Judgement | Promise<Judgement>;
};

export type { Assertion, Verdict };
