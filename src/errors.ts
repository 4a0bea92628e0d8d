// The errors that cross a stage: what the user can fix (exit 2), what could not be done (exit 3),
// and why an attempt has no answer (it becomes an outcome).

import type { ErrorCode } from './model/outcome.ts';

/** One thing that is wrong with the set-up: what, where and what to do about it. */
export type Problem = {
  message: string;
  /** `file`, `file:line` or another place the user can go to. */
  at?: string;
  hint?: string;
};

/** The user can fix this; nothing was executed. Carries every problem that was found. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  /**
   * @example throw new ConfigError('unknown assertion "equal"', { at: 'cases.jsonl:3', hint: 'did you mean "equals"?' })
   */
  constructor(message: string, options: { at?: string; hint?: string; cause?: unknown } = {}) {
    super(options.at === undefined ? message : `${options.at}: ${message}`, { cause: options.cause });
    this.problems = [withoutUndefined({ message, at: options.at, hint: options.hint })];
  }

  /** Joins all problems found in one go into the one error that is thrown. */
  static of(problems: readonly Problem[]): ConfigError {
    const [first] = problems;
    const error = new ConfigError(
      first?.message ?? 'invalid configuration',
      withoutUndefined({ at: first?.at }),
    );
    Object.defineProperty(error, 'problems', { value: problems, enumerable: true });
    return error;
  }
}

/** Does a step of checking; what it finds wrong joins the list, so that everything is reported at once. */
export async function collectProblems<T>(
  problems: Problem[],
  step: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const isKnown = (problem: Problem): boolean =>
      problems.some(({ message, at }) => message === problem.message && at === problem.at);
    problems.push(...error.problems.filter((problem) => !isKnown(problem)));
    return undefined;
  }
}

/** Assay could not do its own work: a file that cannot be written, a worker that cannot start. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.hint = options.hint;
  }
}

/** Why an attempt could not be completed; becomes an outcome with status `error`. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly code: ErrorCode;
  /** What the other side asked for before another try. */
  readonly retryAfterMs: number | undefined;
  /** Another try cannot end otherwise. */
  readonly isFinal: boolean;
  /** Lines the agent wrote before it failed. */
  readonly logs: string[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; isFinal?: boolean; logs?: string[] } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.isFinal = options.isFinal ?? false;
    this.logs = options.logs;
  }
}

/** The first problem of a ConfigError in one line, with its place and remedy. */
export function describeProblem({ problems: [first], message }: ConfigError): string {
  if (first === undefined) return message;
  const place = first.at === undefined ? '' : `${first.at}: `;
  return `${place}${first.message}${first.hint === undefined ? '' : `; ${first.hint}`}`;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // The entries with undefined are gone, which is what the return type says.
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as never;
}
