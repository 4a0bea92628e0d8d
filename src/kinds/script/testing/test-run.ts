// One test function comes in, how it ended goes out; nothing throws, and nothing waits unless the test does.

import type { Outcome } from '../../../model/outcome.ts';
import { messageOf } from '../../../errors.ts';
import type { Steps } from './control.ts';
import { isStop, Limit, runSteps } from './control.ts';
import { lifecycle } from './lifecycle.ts';
import { Scope } from './scope.ts';
import { createT } from './testing-t.ts';
import { problemOf } from './thrown.ts';

export type TestFunction = (t: unknown, ctx: unknown) => unknown;

/** What a test needs from its surroundings. */
export type TestHost = {
  /** The global object of the code under test: timers, Date and fetch are replaced there by mocks. */
  realm: Record<string, unknown>;
  /** Where in the user's sources a stack (as V8 wrote it) begins: `expense/src/setup_test.ts:12:5`; undefined if nowhere. */
  placeOf(stack: string): string | undefined;
  /** The same stack in the lines of the user's sources. */
  mapStack(stack: string): string;
  /** Keeps a line of the test's log. */
  log(line: string): void;
  /** Replaces a module by its specifier as the test file writes it; gives the undoing. Throws a clear Error if it cannot. */
  mockModule(specifier: string, exports: Record<string, unknown>): () => void;
  /** What the module exports that this specifier means; undefined if nobody can tell. */
  moduleNames?(specifier: string): string[] | undefined;
  /** Asks a judging agent; rejects with AttemptError('judge', …) if there is no judgement. */
  judge(
    response: unknown,
    agentId: string,
    options: Record<string, unknown>,
  ): Promise<{ passed: boolean; reason?: string; score?: number }>;
  /** The timers of the worker itself, never mocked. */
  setTimeout: typeof setTimeout;
  clearTimeout: typeof clearTimeout;
};

/** How a test ended: the part of an Outcome that it knows. */
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

  /** Runs BeforeEach, the function, AfterEach and the cleanups; without a promise if everything was synchronous. */
  begin(): TestEnd | Promise<TestEnd> {
    try {
      const end = runSteps(this.#steps());
      return end instanceof Promise ? end.catch((error: unknown) => this.#broken(error)) : end;
    } catch (error) {
      return this.#broken(error);
    }
  }

  /** Nothing that happens now changes how it ended. */
  get isOver(): boolean {
    return this.#scope.record.isOver;
  }

  /** An exception or rejection nobody caught that belongs to this test: ends it as `error`; tear-down still runs. */
  fail(error: unknown): void {
    const { record } = this.#scope;
    if (record.isOver) return;
    if (!isStop(error)) {
      record.isInterrupted = true;
      this.#scope.interrupt(problemOf(error, record.host));
    } else if (error.scope instanceof Scope && error.scope.record === record) {
      // `t.fatal` in a callback: the test has noted what it means.
      record.isInterrupted = true;
      error.scope.interrupt();
    }
  }

  /** Its deadline has passed: ends it as `timeout` with this message; tear-down still runs, for at most 5 s. */
  expire(message: string): void {
    const { record } = this.#scope;
    if (record.isOver || this.#tearDownTimer !== undefined) return;
    record.isInterrupted = true;
    this.#tearDownTimer = record.host.setTimeout(() => record.tearDown.reach(), TEAR_DOWN_MS);
    this.#scope.interrupt({ status: 'timeout', message });
  }

  *#steps(): Steps<TestEnd> {
    const scope = this.#scope;
    yield* lifecycle(scope, this.#parts, [createT(scope, this.#ctx), this.#ctx]);
    this.#close();
    return endOf(scope);
  }

  #close(): void {
    const { record } = this.#scope;
    record.isOver = true;
    if (this.#tearDownTimer !== undefined) record.host.clearTimeout(this.#tearDownTimer);
  }

  /** Not the test's fault: something around it threw. */
  #broken(error: unknown): TestEnd {
    this.#close();
    return {
      status: 'error',
      code: 'harness',
      error: messageOf(error),
      assertions: this.#scope.record.assertions,
    };
  }
}

function endOf(scope: Scope): TestEnd {
  const { verdicts, assertions, subtests } = scope.record;
  return {
    ...statusOf(scope),
    ...(verdicts.length > 0 && { verdicts }),
    assertions,
    ...(subtests.length > 0 && { subtests }),
  };
}

function statusOf({ status, problem, headline, skip }: Scope): TestEnd {
  switch (status) {
    case 'passed':
      return { status };
    case 'failed':
      return { status, ...(headline !== undefined && { error: headline }) };
    case 'skipped':
      return {
        status,
        reason: 'skip',
        ...(skip?.message !== undefined && { skip_message: skip.message }),
      };
    case 'error':
    case 'timeout':
      return {
        status,
        ...(problem !== undefined && { error: problem.message }),
        ...(problem?.code !== undefined && { code: problem.code }),
        ...(problem?.stack !== undefined && { stack: problem.stack }),
      };
  }
}
