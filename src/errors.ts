// The errors that cross stages: ConfigError (the user can fix it, exit 2), RuntimeError (Assay failed, exit 3)
// and AttemptError (becomes an outcome).

import type { ErrorCode } from './model/outcome.ts';

/** One configuration problem: what, where and how to fix it. */
export type Problem = {
  message: string;
  /** `file`, `file:line` or another location, such as a flag. */
  at?: string;
  hint?: string;
};

/** More than people read. */
const MAX_PROBLEMS = 1000;

/** Configuration errors that the user can fix; nothing was executed. Has all problems that were found. */
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

  /** Joins several problems into one error. */
  static of(all: readonly Problem[]): ConfigError {
    const [first] = all;
    const left = all.length - MAX_PROBLEMS;
    const problems =
      left > 0 ? [...all.slice(0, MAX_PROBLEMS), { message: `and ${left} more problems` }] : all;
    const error = new ConfigError(
      first?.message ?? 'invalid configuration',
      withoutUndefined({ at: first?.at }),
    );
    Object.defineProperty(error, 'problems', { value: problems, enumerable: true });
    return error;
  }
}

/** Runs a check and adds its problems to the list, so that all are reported at once. */
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

/** Assay itself failed: a file cannot be written, a worker cannot start. */
export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly hint: string | undefined;

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.hint = options.hint;
  }
}

/** An attempt could not be completed; becomes an outcome with status `error`. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';
  readonly code: ErrorCode;
  /** The wait that the server asked for. */
  readonly retryAfterMs: number | undefined;
  /** A retry cannot help. */
  readonly isFinal: boolean;
  /** Log lines of the agent before it failed. */
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

/** The agent itself is set up wrongly, which shows only when it is loaded or started: the run ends as a configuration error. */
export class MisconfiguredAgent extends AttemptError {
  readonly problem: Problem;

  constructor(problem: Problem, options: { cause?: unknown } = {}) {
    const { message, at, hint } = problem;
    const place = at === undefined ? '' : `${at}: `;
    super('harness', `${place}${message}${hint === undefined ? '' : `; ${hint}`}`, {
      ...options,
      isFinal: true,
    });
    this.problem = problem;
  }
}

/** The first problem of a ConfigError in one line, with its location and hint. */
export function describeProblem({ problems: [first], message }: ConfigError): string {
  if (first === undefined) return message;
  const place = first.at === undefined ? '' : `${first.at}: `;
  return `${place}${first.message}${first.hint === undefined ? '' : `; ${first.hint}`}`;
}

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'a value that cannot be converted to text was thrown';
  }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // Matches the return type: entries with undefined are removed.
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as never;
}
