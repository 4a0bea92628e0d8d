// In a worker: one file of tests, from loading it to its AfterAll. Its functions share its state and run in order.

import type { ContextData } from '../../../model/context.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { ScriptRun } from '../../../model/script.ts';
import type { UserContext } from '../../../scripts/user-context.ts';
import { userContext } from '../../../scripts/user-context.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { timeoutText } from '../../../text/duration.ts';
import type { TestEnd, TestFunction, TestHost } from '../testing/test-run.ts';
import { TestRun } from '../testing/test-run.ts';
import { toProblem } from '../testing/thrown.ts';
import { attemptScope } from '../../../execute/worker/capture.ts';
import { clearTimeout, now, setImmediate, setTimeout } from '../../../execute/intrinsics.ts';
import { asyncCount } from './async-count.ts';
import type { Loaded } from './load-script.ts';
import { loadScript } from './load-script.ts';
import { ExitError, Main } from './test-main-runner.ts';
import { Owner, SetUp } from './test-scope.ts';
import type { Places } from './source-locations.ts';
import { placesOf } from './source-locations.ts';

/** What a file of tests gets from its worker. */
export type FileHost = {
  cwd: string;
  /** Coverage is wanted. */
  isCounted: boolean;
  judge: TestHost['judge'];
  /** Told what a test prints, in case nobody lives to tell it later. */
  printed(seq: number, text: string): void;
  /** Something went on: the worker is not stuck. */
  progress(): void;
  /** Something came to light about a test that is over. */
  late(seq: number): void;
};

/** A test to run. */
export type FileTest = { seq: number; name: string; context: ContextData; timeout_ms: number };

/** How long those who clean up may take. */
const TEAR_DOWN_MS = 30_000;
/** How long timers that a test has left behind may still show what they do. */
const LEFTOVER_MS = 100;

/** A file that is being tested. Nothing it does makes a method throw. */
export class ScriptFile {
  #script: ScriptRun;
  #host: FileHost;
  #places: Places;
  #printing: { places: Places; printed(seq: number, text: string): void };
  #loaded: Loaded | undefined;
  /** Why no test of it can run. */
  #broken: Partial<Outcome> | undefined;
  #main: Main | undefined;
  #isReady = false;
  #isClosing = false;
  #owner: Owner | undefined;
  /** False if something of it still goes on after its end. */
  isClean = true;
  /** Of the last test, for AfterAll. */
  #context: ContextData | undefined;
  #hasFailed = false;
  /** Of tests that are over but may still be heard of. */
  #owners = new Map<number, Owner>();
  /** What came to light about tests whose outcomes were sent before. */
  #orphans: string[] = [];
  /** How many operations were under way before it was loaded, and after the last test that began some. */
  #resources = 0;
  #resourcesNow = 0;

  constructor(script: ScriptRun, host: FileHost) {
    this.#script = script;
    this.#host = host;
    this.#places = placesOf(script.bundle, host);
    this.#printing = { places: this.#places, printed: (seq, text) => host.printed(seq, text) };
  }

  /** Runs one function; loads the file and runs its BeforeAll before the first. */
  run(test: FileTest): Outcome | Promise<Outcome> {
    const owner = new Owner(test.seq, test.name, this.#printing);
    this.#owner = owner;
    this.#owners.set(test.seq, owner);
    owner.heard = (error) => {
      owner.late.push(error);
      this.#host.late(test.seq);
    };
    this.#context = test.context;
    const started = now();
    if (!this.#isReady) return this.#prepare(test, owner).then(() => this.#runTest(test, owner, now()));
    return this.#runTest(test, owner, started);
  }

  /** An exception nobody caught and nobody's scope explains: whoever runs now. */
  blame(error: unknown): void {
    this.#owner?.fail(error);
  }

  /** Whether more may be heard of a test: something it has begun is still under way. */
  mayBeHeardOf(seq: number, resources: number): boolean {
    this.#resourcesNow = Math.min(this.#resourcesNow, resources);
    const owner = this.#owners.get(seq);
    if (owner === undefined || owner.late.length > 0) return false;
    return owner.timers > 0 || (owner.hasLeftSome && resources > owner.resourcesBefore);
  }

  /** Whether something has come to light about a test since it ended. */
  isLate(seq: number): boolean {
    return (this.#owners.get(seq)?.late.length ?? 0) > 0;
  }

  /** Whether the last word on a test was said. */
  isDecided(seq: number): boolean {
    return !this.#owners.has(seq);
  }

  /** Hands an exception to the file if it listens to such things itself. */
  takes(event: 'uncaughtException' | 'unhandledRejection', error: unknown, origin: unknown): boolean {
    const own = this.#loaded?.realm?.global['process'] as NodeJS.Process | undefined;
    if (own === undefined) return process.listenerCount(event) > 1;
    return own.listenerCount(event) > 0 && Reflect.apply(own.emit, own, [event, error, origin]);
  }

  /** The last word on a test: what came to light after it was over belongs to it, too. */
  amended(seq: number, outcome: Outcome): Outcome {
    const owner = this.#owners.get(seq);
    const late = owner?.late ?? [];
    this.#owners.delete(seq);
    // From now on it can only be told with the end of the file; one failure of a test is enough.
    if (owner !== undefined)
      owner.heard = (error) => {
        if (late.length === 0) this.#orphans.push(lateText(owner.name, this.#told(error).error));
      };
    const [error] = late;
    if (late.length === 0 || outcome.status === 'error' || outcome.status === 'timeout') return outcome;
    const told = this.#told(error);
    return {
      ...outcome,
      status: 'error',
      code: 'agent',
      ...told,
      error: `after it had ended: ${told.error}`,
    };
  }

  /** Whether something that tests have set is still to happen. */
  get #isPending(): boolean {
    return this.#loaded?.timers.arePending() ?? false;
  }

  /** Waits a moment for what is left, runs AfterAll, and gives what went wrong with it. */
  async close(): Promise<string | undefined> {
    if (this.#isPending) await this.#settle(LEFTOVER_MS);
    this.#isClosing = true;
    const owner = new Owner(0, 'AfterAll', this.#printing);
    this.#owner = owner;
    const problems: string[] = [];
    if (this.#loaded !== undefined && this.#isReady) {
      const { status, error } = await this.#call('AfterAll', owner);
      if (status !== 'passed' && status !== 'skipped') problems.push(`AfterAll: ${error ?? status}`);
      const problem = await this.#main?.finish(this.#hasFailed ? 1 : 0, TEAR_DOWN_MS);
      if (problem !== undefined) problems.push(this.#told(problem, 'TestMain: ').error);
    }
    await this.#drain();
    const code = this.#loaded?.exitCode();
    if (code !== undefined && Number(code) !== 0 && !this.#hasFailed)
      problems.push(`process.exitCode was set to ${String(Number(code))}`);
    problems.push(...this.#orphans);
    problems.push(...owner.late.map((error) => `after the last test: ${this.#told(error).error}`));
    this.#loaded?.close();
    await nextTurn();
    this.isClean = process.getActiveResourcesInfo().length <= this.#resources;
    return problems.length === 0 ? undefined : problems.join('; ');
  }

  /** Waits a moment for what the file has begun and not ended: an operation may still fail. */
  async #drain(): Promise<void> {
    const end = now() + LEFTOVER_MS;
    do await nextTurn();
    while (process.getActiveResourcesInfo().length > this.#resources && now() < end);
  }

  async #settle(limitMs: number): Promise<void> {
    const end = now() + limitMs;
    while (this.#isPending && now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #prepare(test: FileTest, owner: Owner): Promise<void> {
    this.#isReady = true;
    this.#resources = process.getActiveResourcesInfo().length;
    await attemptScope.run(new SetUp(() => this.#owner ?? owner), async () => {
      try {
        this.#loaded = await loadScript(this.#script, {
          exit: (code) => this.#exit(code),
          isCounted: this.#host.isCounted,
        });
      } catch (error) {
        this.#broken = this.#told(error);
        return;
      }
      const { hooks } = this.#loaded;
      if (hooks.TestMain !== undefined) {
        const { TestMain: main } = hooks;
        const context = freshContext(test.context);
        this.#main = new Main((m) => main(m, context));
        const problem = await this.#main.begin(test.timeout_ms);
        if (problem !== undefined) this.#broken = this.#told(problem, 'TestMain: ');
      }
      if (this.#broken !== undefined) return;
      this.#broken = await this.#beforeAll(owner, test);
    });
    this.#resourcesNow = process.getActiveResourcesInfo().length;
    this.#host.progress();
  }

  /** Gives why no test can run; a skip there skips them all. */
  async #beforeAll(owner: Owner, test: FileTest): Promise<Partial<Outcome> | undefined> {
    const { status, error, stack, verdicts, skip_message } = await this.#call('BeforeAll', owner, test);
    if (status === 'skipped') {
      return { status, reason: 'skip', ...(skip_message !== undefined && { skip_message }) };
    }
    if (status === 'passed') return undefined;
    return {
      error: `BeforeAll: ${error ?? status}`,
      ...(stack !== undefined && { stack }),
      ...(verdicts !== undefined && { verdicts }),
    };
  }

  /** Runs a hook of the file. */
  async #call(name: 'AfterAll' | 'BeforeAll', owner: Owner, test?: FileTest): Promise<TestEnd> {
    const hook = this.#loaded?.hooks[name];
    if (hook === undefined) return { status: 'passed' };
    const limitMs = test?.timeout_ms ?? TEAR_DOWN_MS;
    const data = test?.context ?? this.#context;
    const context = data === undefined ? {} : freshContext(data);
    const run = this.#testRun(name, hook, context, owner);
    const end = await within(
      run,
      attemptScope.run(name === 'BeforeAll' ? new SetUp(() => this.#owner ?? owner) : owner, () =>
        run.begin(),
      ),
      limitMs,
    );
    owner.run = undefined;
    this.#host.progress();
    return end;
  }

  #runTest(test: FileTest, owner: Owner, started: number): Outcome | Promise<Outcome> {
    if (this.#broken !== undefined) return this.#brokenOutcome();
    const found = this.#loaded?.tests[test.name];
    if (found === undefined)
      return { status: 'error', code: 'agent', duration_ms: 0, error: `${test.name} is not a function` };
    if (/Generator/.test(Object.prototype.toString.call(found))) return noGenerators(test.name);
    const context = freshContext(test.context);
    const run = this.#testRun(test.name, found, context, owner, this.#loaded?.hooks);
    const before = asyncCount();
    const end = attemptScope.run(owner, () => run.begin());
    if (!(end instanceof Promise) && asyncCount() === before) {
      // Nothing was begun that could still be heard of.
      owner.run = undefined;
      return this.#outcomeOf(end, owner, { elapsedMs: now() - started, limitMs: test.timeout_ms });
    }
    // A rejection that nobody handles is known only when the code that caused it has returned.
    return nextTurnOf(run, end, { owner, limitMs: test.timeout_ms, started }).then(({ ended, elapsedMs }) => {
      owner.resourcesBefore = this.#resourcesNow;
      this.#resourcesNow = process.getActiveResourcesInfo().length;
      owner.hasLeftSome = this.#resourcesNow > owner.resourcesBefore;
      return this.#outcomeOf(ended, owner, { elapsedMs, limitMs: test.timeout_ms });
    });
  }

  #testRun(
    name: string,
    test: TestFunction,
    context: unknown,
    owner: Owner,
    hooks: Loaded['hooks'] = {},
  ): TestRun {
    const { BeforeEach: beforeEach, AfterEach: afterEach } = hooks;
    const run = new TestRun({ name, test, beforeEach, afterEach }, context, {
      realm: this.#loaded?.realm?.global ?? globalThis,
      locate: (stack) => this.#places.placeOf(stack),
      mapStack: (stack) => this.#places.mapStack(stack),
      log: (line) => owner.logs.add(line),
      moduleNames: (specifier) => this.#loaded?.mockable.names(this.#loaded.mocks[specifier] ?? ''),
      mockModule: (specifier, exports) => this.#mockModule(specifier, exports),
      judge: this.#host.judge,
      setTimeout,
      clearTimeout,
    });
    owner.run = run;
    return run;
  }

  #mockModule(specifier: string, exports: Record<string, unknown>): () => void {
    const { mocks = {}, mockable } = this.#loaded ?? {};
    const id = mocks[specifier];
    if (id === undefined || mockable === undefined) {
      throw new Error(
        `mock.module("${specifier}"): this module cannot be replaced; write its name as a plain text, as it is imported, and in the file of the tests`,
      );
    }
    return mockable.replace(id, exports);
  }

  #exit(code: unknown): never {
    const error = new ExitError(code);
    // A TestMain may end with it, as programs do.
    const scope = attemptScope.getStore();
    const isOwned = scope instanceof Owner || scope instanceof SetUp;
    if (!this.#isClosing) (isOwned ? scope : this.#owner)?.fail(error);
    throw error;
  }

  #outcomeOf(
    end: TestEnd,
    owner: Owner,
    { elapsedMs, limitMs }: { elapsedMs: number; limitMs: number },
  ): Outcome {
    const outcome: Outcome = { ...end, duration_ms: Math.round(elapsedMs) };
    if (elapsedMs > limitMs && (end.status === 'passed' || end.status === 'failed'))
      Object.assign(outcome, { status: 'timeout', error: timeoutText(limitMs) });
    this.#hasFailed ||= outcome.status !== 'passed' && outcome.status !== 'skipped';
    const logs = owner.logs.lines();
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

  #told(error: unknown, prefix = ''): { error: string; stack?: string } {
    const { message, stack } = toProblem(error, this.#places);
    return {
      error: `${prefix}${boundedText(message)}`,
      ...(stack !== undefined && { stack: boundedText(stack) }),
    };
  }
}

function lateText(name: string, error: string): string {
  return `${name}, after it had ended: ${error}`;
}

function noGenerators(name: string): Outcome {
  const error = `${name} is a generator, whose body nobody would run; write a function or an async function`;
  return { status: 'error', code: 'agent', duration_ms: 0, error };
}

/** A context that a test may change as it likes; what is deep is copied only if there is any. */
function freshContext(data: ContextData): UserContext {
  const isDeep = data.authorized.constraints !== undefined || Object.keys(data.metadata).length > 0;
  return userContext(isDeep ? structuredClone(data) : data);
}

async function nextTurnOf(
  run: TestRun,
  end: TestEnd | Promise<TestEnd>,
  { owner, limitMs, started }: { owner: Owner; limitMs: number; started: number },
): Promise<{ ended: TestEnd; elapsedMs: number }> {
  const ended = end instanceof Promise ? await within(run, end, limitMs) : end;
  owner.run = undefined;
  const elapsedMs = now() - started;
  await nextTurn();
  return { ended, elapsedMs };
}

/** Its end, or its timeout. */
async function within(run: TestRun, end: TestEnd | Promise<TestEnd>, limitMs: number): Promise<TestEnd> {
  if (!(end instanceof Promise)) return end;
  const timer = setTimeout(() => run.expire(timeoutText(limitMs)), limitMs);
  const ended = await end;
  clearTimeout(timer);
  return ended;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
