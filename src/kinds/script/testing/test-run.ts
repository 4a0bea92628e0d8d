// Runs one test function and returns its end. It never throws, and is asynchronous only if the test is.

import type { Outcome } from '../../../model/outcome.ts';
import { messageOf } from '../../../errors.ts';
import type { Steps } from './control.ts';
import { isStop, Limit, runSteps } from './control.ts';
import { lifecycle } from './lifecycle.ts';
import { Scope } from './scope.ts';
import { createT } from './testing-t.ts';
import { toProblem } from './thrown.ts';

export type TestFunction = (t: unknown, ctx: unknown) => unknown;

/** Services that a test needs from the worker. */
export type TestHost = {
  /** The global object of the code under test: timers, Date and fetch are replaced there by mocks. */
  realm: Record<string, unknown>;
  /** The first location of a V8 stack in the user's sources: `expense/src/setup_test.ts:12:5`; undefined if there is no such frame. */
  locate(stack: string): string | undefined;
  /** The same stack with lines of the user's sources. */
  mapStack(stack: string): string;
  /** Adds a line to the test's log. */
  log(line: string): void;
  /** Replaces a module, named by its specifier as in the test file; returns a function that restores it. Throws if it cannot. */
  mockModule(specifier: string, exports: Record<string, unknown>): () => void;
  /** The names that a module exports; undefined if unknown. */
  moduleNames?(specifier: string): string[] | undefined;
  /** Asks a judging agent; rejects with AttemptError('judge', …) if there is no judgement. */
  judge(
    response: unknown,
    agentId: string,
    options: Record<string, unknown>,
  ): Promise<{ passed: boolean; reason?: string; score?: number }>;
  /** The timers of the worker, never mocked. */
  setTimeout: typeof setTimeout;
  clearTimeout: typeof clearTimeout;
};

/** How a test ended: the fields of an Outcome that the test itself determines. */
export type TestEnd = Pick<
  Outcome,
  'status' | 'error' | 'code' | 'stack' | 'verdicts' | 'assertions' | 'subtests' | 'skip_message' | 'reason'
>;

export type TestParts = {
  name: string;
  test: TestFunction;
  beforeEach?: TestFunction | undefined;
  afterEach?: TestFunction | undefined;
};

/** How long tear-down may take after a deadline has passed. */
const TEAR_DOWN_MS = 5000;

export class TestRun {
  readonly #parts: TestParts;
  readonly #ctx: unknown;
  readonly #scope: Scope;
  #tearDownTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: TestParts, ctx: unknown, host: TestHost) {
    this.#parts = parts;
    this.#ctx = ctx;
    this.#scope = new Scope(parts.name, {
      host,
      verdicts: [],
      assertions: 0,
      subtests: [],
      tearDown: new Limit(),
      isInterrupted: false,
      isOver: false,
    });
  }

  /** Runs BeforeEach, the function, AfterEach and the cleanups; returns a promise only if one of them is asynchronous. */
  begin(): TestEnd | Promise<TestEnd> {
    try {
      const end = runSteps(this.#steps());
      return end instanceof Promise ? end.catch((error: unknown) => this.#harnessError(error)) : end;
    } catch (error) {
      return this.#harnessError(error);
    }
  }

  /** True when the outcome can no longer change. */
  get isOver(): boolean {
    return this.#scope.shared.isOver;
  }

  /** Ends the test as `error` after an uncaught exception or unhandled rejection; tear-down still runs. */
  fail(error: unknown): void {
    const { shared } = this.#scope;
    if (shared.isOver) return;
    if (!isStop(error)) {
      shared.isInterrupted = true;
      this.#scope.interrupt(toProblem(error, shared.host));
    } else if (error.scope instanceof Scope && error.scope.shared === shared) {
      // `t.fatal` in a callback: the scope has noted the failure already.
      shared.isInterrupted = true;
      error.scope.interrupt();
    }
  }

  /** Ends the test as `timeout` with this message; tear-down still runs, for at most 5 s. */
  expire(message: string): void {
    const { shared } = this.#scope;
    if (shared.isOver || this.#tearDownTimer !== undefined) return;
    shared.isInterrupted = true;
    this.#tearDownTimer = shared.host.setTimeout(() => shared.tearDown.reach(), TEAR_DOWN_MS);
    this.#scope.interrupt({ status: 'timeout', message });
  }

  *#steps(): Steps<TestEnd> {
    const scope = this.#scope;
    yield* lifecycle(scope, this.#parts, [createT(scope, this.#ctx), this.#ctx]);
    this.#close();
    return testEnd(scope);
  }

  #close(): void {
    const { shared } = this.#scope;
    shared.isOver = true;
    if (this.#tearDownTimer !== undefined) shared.host.clearTimeout(this.#tearDownTimer);
  }

  /** The harness itself threw, not the test. */
  #harnessError(error: unknown): TestEnd {
    this.#close();
    return {
      status: 'error',
      code: 'harness',
      error: messageOf(error),
      assertions: this.#scope.shared.assertions,
    };
  }
}

function testEnd(scope: Scope): TestEnd {
  const { verdicts, assertions, subtests } = scope.shared;
  return {
    ...statusAndReason(scope),
    ...(verdicts.length > 0 && { verdicts }),
    assertions,
    ...(subtests.length > 0 && { subtests }),
  };
}

function statusAndReason({ status, problem, headline, skip }: Scope): TestEnd {
  switch (status) {
    case 'passed':
      return { status };
    case 'failed':
      return { status, error: headline };
    case 'skipped':
      return { status, reason: 'skip', skip_message: skip?.message };
    case 'error':
    case 'timeout':
      return { status, error: problem?.message, code: problem?.code, stack: problem?.stack };
  }
}
