// Runs one test file in a worker, from loading it to its AfterAll. Its tests share its state and run in order.

import { dirname } from 'node:path';
import type { ContextData } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { ScriptSubject } from '../../../model/script.ts';
import type { UserContext } from '../../../scripts/user-context.ts';
import { userContext } from '../../../scripts/user-context.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { timeoutText } from '../../../text/duration.ts';
import type { TestEnd, TestFunction, TestHost } from '../testing/test-run.ts';
import { TestRun } from '../testing/test-run.ts';
import { toProblem } from '../testing/thrown.ts';
import { attemptScope } from '../../../execute/worker/capture.ts';
import { clearTimeout, now, setTimeout } from '../../../execute/process/intrinsics.ts';
import { asyncCount } from './async-count.ts';
import { endAfterTurn, endOrTimeout, nextTurn } from './test-end.ts';
import type { LoadedScript } from './load-script.ts';
import { loadScript } from './load-script.ts';
import { ExitError, TestMainRunner } from './test-main-runner.ts';
import type { TestOutput } from './test-scope.ts';
import { FileScope, TestScope } from './test-scope.ts';
import type { SourceLocations } from './source-locations.ts';
import { createSourceLocations } from './source-locations.ts';

/** Services that a test file gets from its worker. */
export type FileHost = {
  cwd: string;
  /** True if coverage is collected. */
  isCounted: boolean;
  judge: TestHost['judge'];
  /** Saves output of a test at once, in case the process dies before the outcome is sent. */
  printed(seq: number, text: string): void;
  /** Reports that the worker is not stuck. */
  progress(): void;
  /** Reports an error of a test that has ended. */
  late(seq: number): void;
};

/** A test to run. */
export type FileTest = { seq: number; name: string; context: ContextData; timeout_ms: number };

/** Time limit of AfterAll and of the end of TestMain. */
const TEAR_DOWN_MS = 30_000;
/** How long to wait for timers and operations that tests left behind: they may still fail. */
const LEFTOVER_MS = 100;

/** A test file while its tests run. Methods never throw because of user code. */
export class ScriptFile {
  #script: ScriptSubject;
  #host: FileHost;
  #locations: SourceLocations;
  #output: TestOutput;
  #loaded: LoadedScript | undefined;
  /** Why none of its tests can run. */
  #broken: Partial<Outcome> | undefined;
  #main: TestMainRunner | undefined;
  #isReady = false;
  #isClosing = false;
  #current: TestScope | undefined;
  /** False if operations of the file are still running after its end, or its changes remain. */
  isClean = true;
  /** The context of the last test, for AfterAll. */
  #context: ContextData | undefined;
  #hasFailed = false;
  /** Scopes of tests whose outcomes are not final yet. */
  #scopes = new Map<number, TestScope>();
  /** Errors of tests whose outcomes were sent before. */
  #orphans: string[] = [];
  /** Number of active resources before the file was loaded, and after the last asynchronous test. */
  #resources = 0;
  #resourcesNow = 0;

  constructor(script: ScriptSubject, host: FileHost) {
    this.#script = script;
    this.#host = host;
    this.#locations = createSourceLocations(script.bundle, host);
    this.#output = { locations: this.#locations, printed: (seq, text) => host.printed(seq, text) };
  }

  /** Runs one test; loads the file and runs its BeforeAll before the first. */
  run(test: FileTest): Outcome | Promise<Outcome> {
    const scope = new TestScope(test.seq, test.name, this.#output);
    this.#current = scope;
    this.#scopes.set(test.seq, scope);
    scope.onLateError = (error) => {
      scope.late.push(error);
      this.#host.late(test.seq);
    };
    this.#context = test.context;
    const started = now();
    if (!this.#isReady) return this.#prepare(test, scope).then(() => this.#runTest(test, scope, now()));
    return this.#runTest(test, scope, started);
  }

  /** Fails the running test with an uncaught exception that belongs to no scope. */
  failCurrent(error: unknown): void {
    this.#current?.fail(error);
  }

  /** True if a test that has ended may still fail: an operation that it started is still running. */
  mayStillFail(seq: number, resources: number): boolean {
    this.#resourcesNow = Math.min(this.#resourcesNow, resources);
    const scope = this.#scopes.get(seq);
    if (scope === undefined || scope.late.length > 0) return false;
    return scope.timers > 0 || (scope.hasLeaks && resources > scope.resourcesBefore);
  }

  /** True if a test had an error after its end. */
  hasLateError(seq: number): boolean {
    return (this.#scopes.get(seq)?.late.length ?? 0) > 0;
  }

  /** True if the outcome of a test can no longer change. */
  isFinal(seq: number): boolean {
    return !this.#scopes.has(seq);
  }

  /** Passes an uncaught exception to the file's own listeners; true if there were any. */
  emitUncaught(event: 'uncaughtException' | 'unhandledRejection', error: unknown, origin: unknown): boolean {
    const realm = this.#loaded?.realm;
    return realm === undefined ? process.listenerCount(event) > 1 : realm.emitUncaught(event, error, origin);
  }

  /** The final outcome of a test, with an error that came after its end. */
  finalize(seq: number, outcome: Outcome): Outcome {
    const scope = this.#scopes.get(seq);
    const late = scope?.late ?? [];
    this.#scopes.delete(seq);

    // Later errors are reported at the end of the file, but only one error of each test.
    if (scope !== undefined)
      scope.onLateError = (error) => {
        if (late.length === 0) this.#orphans.push(lateText(scope.name, this.#describe(error).error));
      };

    const [error] = late;
    if (late.length === 0 || outcome.status === 'error' || outcome.status === 'timeout') return outcome;
    const described = this.#describe(error);
    return {
      ...outcome,
      status: 'error',
      code: 'agent',
      ...described,
      error: `after it had ended: ${described.error}`,
    };
  }

  /** True if timers of the tests have not fired yet. */
  get #isPending(): boolean {
    return this.#loaded?.timers.arePending() ?? false;
  }

  /** Waits a moment for pending timers, runs AfterAll, and returns the errors of tear-down. */
  async close(): Promise<string | undefined> {
    if (this.#isPending) await this.#waitForTimers(LEFTOVER_MS);
    this.#isClosing = true;
    const scope = new TestScope(0, 'AfterAll', this.#output);
    this.#current = scope;
    const problems: string[] = [];

    if (this.#loaded !== undefined && this.#isReady) {
      const { status, error } = await this.#call('AfterAll', scope);
      if (status !== 'passed' && status !== 'skipped') problems.push(`AfterAll: ${error ?? status}`);
      const problem = await this.#main?.finish(this.#hasFailed ? 1 : 0, TEAR_DOWN_MS);
      if (problem !== undefined) problems.push(this.#describe(problem, 'TestMain: ').error);
    }

    await this.#drain();
    const code = this.#loaded?.exitCode();
    if (code !== undefined && Number(code) !== 0 && !this.#hasFailed)
      problems.push(`process.exitCode was set to ${String(Number(code))}`);
    problems.push(...this.#orphans);
    problems.push(...scope.late.map((error) => `after the last test: ${this.#describe(error).error}`));

    const isRestored = this.#loaded?.close() ?? true;
    await nextTurn();
    this.isClean = isRestored && process.getActiveResourcesInfo().length <= this.#resources;
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  /** Waits a moment for operations that the file started: they may still fail. */
  async #drain(): Promise<void> {
    const end = now() + LEFTOVER_MS;
    do await nextTurn();
    while (process.getActiveResourcesInfo().length > this.#resources && now() < end);
  }

  async #waitForTimers(limitMs: number): Promise<void> {
    const end = now() + limitMs;
    while (this.#isPending && now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Loads the file and runs TestMain up to `m.run()`, then BeforeAll. */
  async #prepare(test: FileTest, scope: TestScope): Promise<void> {
    this.#isReady = true;
    this.#resources = process.getActiveResourcesInfo().length;
    await attemptScope.run(new FileScope(() => this.#current ?? scope), async () => {
      try {
        this.#loaded = await loadScript(this.#script, {
          exit: (code) => this.#exit(code),
          isCounted: this.#host.isCounted,
        });
      } catch (error) {
        this.#broken = this.#describe(error);
        return;
      }
      const { TestMain: main } = this.#loaded.hooks;
      if (main !== undefined) {
        const context = freshContext(test.context, this.#script);
        this.#main = new TestMainRunner((m) => main(m, context));
        const problem = await this.#main.begin(test.timeout_ms);
        if (problem !== undefined) this.#broken = this.#describe(problem, 'TestMain: ');
      }
      if (this.#broken !== undefined) return;
      this.#broken = await this.#beforeAll(scope, test);
    });
    this.#resourcesNow = process.getActiveResourcesInfo().length;
    this.#host.progress();
  }

  /** Runs BeforeAll; returns why no test can run. A skip in it skips all tests. */
  async #beforeAll(scope: TestScope, test: FileTest): Promise<Partial<Outcome> | undefined> {
    const { status, error, stack, verdicts, skip_message } = await this.#call('BeforeAll', scope, test);
    if (status === 'skipped') return { status, reason: 'skip', skip_message };
    if (status === 'passed') return undefined;
    return { error: `BeforeAll: ${error ?? status}`, stack, verdicts };
  }

  /** Runs a hook of the file. */
  async #call(name: 'AfterAll' | 'BeforeAll', scope: TestScope, test?: FileTest): Promise<TestEnd> {
    const hook = this.#loaded?.hooks[name];
    if (hook === undefined) return { status: 'passed' };
    const limitMs = test?.timeout_ms ?? TEAR_DOWN_MS;
    const data = test?.context ?? this.#context;
    const context = data === undefined ? {} : freshContext(data, this.#script);
    const run = this.#testRun(name, hook, context, scope);
    const hookScope = name === 'BeforeAll' ? new FileScope(() => this.#current ?? scope) : scope;
    const end = await endOrTimeout(
      run,
      attemptScope.run(hookScope, () => run.begin()),
      limitMs,
    );
    scope.run = undefined;
    this.#host.progress();
    return end;
  }

  #runTest(test: FileTest, scope: TestScope, started: number): Outcome | Promise<Outcome> {
    if (this.#broken !== undefined) return this.#brokenOutcome();
    const body = this.#loaded?.tests[test.name];
    if (body === undefined)
      return { status: 'error', code: 'agent', duration_ms: 0, error: `${test.name} is not a function` };
    if (/Generator/.test(Object.prototype.toString.call(body))) return generatorError(test.name);

    const context = freshContext(test.context, this.#script);
    const run = this.#testRun(test.name, body, context, scope, this.#loaded?.hooks);
    const before = asyncCount();
    const end = attemptScope.run(scope, () => run.begin());
    if (!(end instanceof Promise) && asyncCount() === before) {
      // The test started nothing asynchronous: its outcome is final.
      scope.run = undefined;
      return this.#toOutcome(end, scope, { elapsedMs: now() - started, limitMs: test.timeout_ms });
    }

    // An unhandled rejection is known only after the code that caused it has returned.
    return endAfterTurn(run, end, { scope, limitMs: test.timeout_ms, started }).then(
      ({ ended, elapsedMs }) => {
        scope.resourcesBefore = this.#resourcesNow;
        this.#resourcesNow = process.getActiveResourcesInfo().length;
        scope.hasLeaks = this.#resourcesNow > scope.resourcesBefore;
        return this.#toOutcome(ended, scope, { elapsedMs, limitMs: test.timeout_ms });
      },
    );
  }

  #testRun(
    name: string,
    test: TestFunction,
    context: unknown,
    scope: TestScope,
    hooks: LoadedScript['hooks'] = {},
  ): TestRun {
    const { BeforeEach: beforeEach, AfterEach: afterEach } = hooks;
    const run = new TestRun({ name, test, beforeEach, afterEach }, context, {
      realm: this.#loaded?.global ?? {},
      locate: (stack) => this.#locations.locate(stack),
      mapStack: (stack) => this.#locations.mapStack(stack),
      log: (line) => scope.logs.add(line),
      moduleNames: (specifier) => this.#loaded?.mockable.names(this.#loaded.mocks[specifier] ?? ''),
      mockModule: (specifier, exports) => this.#mockModule(specifier, exports),
      judge: this.#host.judge,
      setTimeout,
      clearTimeout,
    });
    scope.run = run;
    return run;
  }

  #mockModule(specifier: string, exports: Record<string, unknown>): () => void {
    const { mocks = {}, mockable } = this.#loaded ?? {};
    const id = mocks[specifier];
    if (id === undefined || mockable === undefined) {
      throw new Error(
        `mock.module("${specifier}"): this module cannot be replaced; write its specifier as a string literal, as it is imported, in the test file`,
      );
    }
    return mockable.replace(id, exports);
  }

  #exit(code: unknown): never {
    const error = new ExitError(code);
    // During tear-down it is not a failure: a TestMain may end with process.exit.
    const scope = attemptScope.getStore();
    const isOwned = scope instanceof TestScope || scope instanceof FileScope;
    if (!this.#isClosing) (isOwned ? scope : this.#current)?.fail(error);
    throw error;
  }

  #toOutcome(
    end: TestEnd,
    scope: TestScope,
    { elapsedMs, limitMs }: { elapsedMs: number; limitMs: number },
  ): Outcome {
    const outcome: Outcome = { ...end, duration_ms: Math.round(elapsedMs) };
    if (elapsedMs > limitMs && (end.status === 'passed' || end.status === 'failed'))
      Object.assign(outcome, { status: 'timeout', error: timeoutText(limitMs) });
    this.#hasFailed ||= outcome.status !== 'passed' && outcome.status !== 'skipped';
    const logs = scope.logs.lines();
    if (logs !== undefined) outcome.logs = logs;
    return outcome;
  }

  #brokenOutcome(): Outcome {
    if (this.#broken?.status === 'skipped') return { status: 'skipped', duration_ms: 0, ...this.#broken };
    this.#hasFailed = true;
    return {
      status: 'error',
      code: 'agent',
      duration_ms: 0,
      error: 'the file could not be loaded',
      ...this.#broken,
    };
  }

  #describe(error: unknown, prefix = ''): { error: string; stack?: string } {
    const { message, stack } = toProblem(error, this.#locations);
    return {
      error: `${prefix}${boundedText(message)}`,
      ...(stack !== undefined && { stack: boundedText(stack) }),
    };
  }
}

function lateText(name: string, error: string): string {
  return `${name}, after it had ended: ${error}`;
}

function generatorError(name: string): Outcome {
  const error = `${name} is a generator, whose body would never run; write a function or an async function`;
  return { status: 'error', code: 'agent', duration_ms: 0, error };
}

/** A context that a test may change; cloned only if it has nested data, which then is of the realm of the process. */
function freshContext(data: ContextData, { file, root }: ScriptSubject): UserContext {
  const { authorized, metadata, variables } = data;
  const isDeep =
    authorized.constraints !== undefined || Object.keys(metadata).length > 0 || variables !== undefined;
  // A script test is in `src/` of its assistant.
  const host = { root, folder: dirname(dirname(file)), agentId: data.assistant_id };
  return userContext(isDeep ? structuredClone(data) : { ...data }, undefined, host);
}
