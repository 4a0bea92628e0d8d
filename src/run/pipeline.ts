// load → plan → execute → sinks: cases come in as a stream, events go out as a stream. Read this first.

import type { Settled } from '../execute/pool-options.ts';
import { openPools } from '../kinds/pools.ts';
import type { Pools, PoolsOptions } from '../kinds/pools.ts';
import { KINDS } from '../kinds/registry.ts';
import type { Attempt } from '../model/attempt.ts';
import type { CaseInput, LoadedCase, TestCase } from '../model/case.ts';
import type { ResultEvent, ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../model/event.ts';
import { runExitCode } from '../model/exit-code.ts';
import type { Outcome } from '../model/outcome.ts';
import type { LoggedEvent, Sink } from '../model/sink.ts';
import type { KindId } from '../model/subject.ts';
import type { Tally } from '../model/tally.ts';
import { createTally } from '../model/tally.ts';
import type { Planner, PlannerOptions } from '../plan/planner.ts';
import { createPlanner } from '../plan/planner.ts';
import type { Redactor } from '../secrets/redact.ts';
import { toWellFormedJson } from '../json/well-formed.ts';

export type PipelineOptions = {
  cases: AsyncIterable<LoadedCase[]>;
  /** The first event, of a new or a resumed run. */
  opening: StartEvent | ResumeEvent;
  plan: Omit<PlannerOptions, 'tally' | 'failFast'>;
  pool: Omit<PoolsOptions, 'dropped' | 'exact' | 'learn' | 'settled'>;
  failFast: boolean;
  minPassRate?: number | undefined;
  /** Name the agent in each result; needed when a run has several. */
  nameAgents: boolean;
  /** Takes up what workers find out to be secret. */
  redactor: Redactor;
  /** In order; the log comes first. */
  sinks: readonly Sink[];
  /** Aborts when the user wants the run to stop: what is executing is finished, the rest is recorded as skipped. */
  interrupt: AbortSignal;
};

/** Executes a run and gives its summary, after every event has reached every sink. */
export function runPipeline(options: PipelineOptions): Promise<SummaryEvent> {
  return new Promise((resolve, reject) => new Pipeline(options, resolve, reject).start());
}

/** One run under way: moves attempts from the planner to the pools, and events to the sinks. */
class Pipeline {
  readonly #options: PipelineOptions;
  readonly #resolve: (summary: SummaryEvent) => void;
  readonly #reject: (error: Error) => void;
  readonly #tally: Tally;
  readonly #planner: Planner;
  readonly #pools: Pools;
  readonly #withInput: ReadonlySet<KindId>;
  readonly #onInterrupt = (): void => this.#guard(() => this.#interrupt());
  readonly #started = performance.now();
  #events: LoggedEvent[] = [];
  #isWaiting = false;
  #isOver = false;

  constructor(
    options: PipelineOptions,
    resolve: (summary: SummaryEvent) => void,
    reject: (error: Error) => void,
  ) {
    const { failFast, minPassRate, plan, redactor } = options;
    const { kinds = KINDS } = options.pool;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#withInput = new Set(kinds.filter(({ hasInput }) => hasInput === true).map(({ id }) => id));
    this.#tally = createTally({ runs: plan.settings.runs, minPassRate });
    this.#planner = createPlanner(options.cases, { ...plan, tally: this.#tally, failFast });
    this.#pools = openPools({
      ...options.pool,
      exact: failFast,
      settled: (batch) => this.#guard(() => this.#settle(batch)),
      dropped: (attempt) => this.#guard(() => this.#skip(attempt)),
      learn: (secrets) => redactor.learn(secrets),
    });
  }

  start(): void {
    const { interrupt, opening } = this.#options;
    interrupt.addEventListener('abort', this.#onInterrupt);
    this.#guard(() => {
      this.#emit(opening);
      this.#flush();
      if (interrupt.aborted) this.#planner.stop('interrupted');
      this.#pump();
    });
  }

  /** Submits attempts until the pools are full or the planner has none. */
  #pump(): void {
    if (this.#isOver) return;
    const { interrupt, sinks } = this.#options;
    while (!this.#isWaiting) {
      if (this.#pools.room <= 0 && !interrupt.aborted) break;
      const next = this.#planner.next();
      if (next === 'done') {
        if (this.#pools.size === 0) this.#finish();
        break;
      }
      if (next === 'full') break;
      if (next === 'wait') {
        this.#waitForCases();
        break;
      }
      if (next.skip === undefined) this.#pools.submit(next.attempt);
      else this.#record(next.attempt, skipped(next.skip));
    }
    this.#flush();
    for (const sink of sinks) sink.running?.(this.#pools.running);
  }

  #waitForCases(): void {
    this.#isWaiting = true;
    const resume = (): void => {
      this.#isWaiting = false;
      this.#pump();
    };
    this.#planner.ready().then(
      () => this.#guard(resume),
      (error: unknown) => this.#fail(error),
    );
  }

  #settle(batch: readonly Settled[]): void {
    for (const { attempt, outcome } of batch) this.#record(attempt, outcome);
    if (this.#planner.stopped === 'fail_fast') this.#pools.dropFiles();
    this.#flush();
    this.#pump();
  }

  #skip(attempt: Attempt): void {
    this.#record(attempt, skipped(this.#planner.stopped ?? 'interrupted'));
    // It may have been the last attempt, and then no other event leads to the end of the run.
    queueMicrotask(() => this.#guard(() => this.#pump()));
  }

  #interrupt(): void {
    this.#planner.stop('interrupted');
    this.#pools.drop();
    this.#pump();
  }

  #record(attempt: Attempt, outcome: Outcome): void {
    const { nameAgents } = this.#options;
    this.#planner.settled(attempt, outcome);
    this.#emit(resultEvent(attempt, outcome, { nameAgents, withInput: this.#withInput }));
  }

  #emit(event: RunEvent): void {
    const { redactor } = this.#options;
    const json = JSON.stringify(event);
    const line = toWellFormedJson(json);
    // Only characters inside strings are replaced, so the shape stays.
    const readable = line === json ? event : (JSON.parse(line) as RunEvent);
    if (!redactor.mayContainSecret(line)) {
      this.#events.push({ event: readable, line });
      return;
    }
    const clean = redactor.redact(readable);
    this.#events.push({ event: clean, line: JSON.stringify(clean) });
  }

  #flush(): void {
    if (this.#events.length === 0) return;
    const batch = this.#events;
    this.#events = [];
    for (const sink of this.#options.sinks) sink.write(batch);
  }

  #finish(): void {
    const { interrupt, minPassRate } = this.#options;
    this.#close();
    const summary: SummaryEvent = {
      type: 'summary',
      ...this.#tally.summary(performance.now() - this.#started),
      timestamp: new Date().toISOString(),
      exit_code: runExitCode({ ...this.#tally.failures(), interrupted: interrupt.aborted }),
      ...(minPassRate === undefined ? {} : { min_pass_rate: minPassRate }),
    };
    this.#emit(summary);
    this.#flush();
    this.#resolve(summary);
  }

  #close(): void {
    this.#isOver = true;
    this.#options.interrupt.removeEventListener('abort', this.#onInterrupt);
    this.#pools.close();
  }

  /** An error of a stage is a bug or a full disk: the run ends and the caller gets the error. */
  #fail(error: unknown): void {
    this.#close();
    this.#reject(error instanceof Error ? error : new Error(String(error)));
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error);
    }
  }
}

function skipped(reason: 'skip' | 'fail_fast' | 'interrupted'): Outcome {
  return { status: 'skipped', duration_ms: 0, reason };
}

/** In the order of reading: what happened, then where it comes from. */
function resultEvent(
  attempt: Attempt,
  outcome: Outcome,
  { nameAgents, withInput }: { nameAgents: boolean; withInput: ReadonlySet<KindId> },
): ResultEvent {
  const { case: testCase, key, subject, test_id, run, line, variables } = attempt;
  const { kind } = subject;
  const event: ResultEvent = { type: 'result', id: testCase.id, run, ...outcome, key, kind, test_id };
  if (nameAgents) event.agent_id = subject.id;
  if (line !== undefined) event.line = line;
  if (withInput.has(kind)) event.input = shownInput(testCase);
  if (testCase.expected !== undefined) event.expected = testCase.expected;
  if (testCase.description !== undefined) event.description = testCase.description;
  if (testCase.tags !== undefined) event.tags = testCase.tags;
  if (variables !== undefined) event.variables = variables;
  return event;
}

/** A case whose turns say everything is known by its first one. */
function shownInput({ input, turns }: TestCase): CaseInput {
  const [first] = turns ?? [];
  return Array.isArray(input) && input.length === 0 && first !== undefined ? first.input : input;
}
