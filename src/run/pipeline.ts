// load → plan → execute → sinks: cases come in as a stream, events go out as a stream. Read this first.

import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { Settled } from '../execute/pool-options.ts';
import { openPools } from '../kinds/pools.ts';
import type { Pools, PoolsOptions } from '../kinds/pools.ts';
import { KINDS } from '../kinds/registry.ts';
import type { Attempt } from '../model/attempt.ts';
import type { CaseInput, LoadedCase, TestCase } from '../model/case.ts';
import type {
  ResultEvent,
  ResumeEvent,
  RunEvent,
  SelectionEvent,
  StartEvent,
  SummaryEvent,
} from '../model/event.ts';
import { EXIT, runExitCode } from '../model/exit-code.ts';
import type { Outcome, Reruns, SkipReason } from '../model/outcome.ts';
import { withReruns } from '../model/outcome.ts';
import { addSpending } from '../model/spending.ts';
import type { LoggedEvent, Sink } from '../model/sink.ts';
import type { KindId } from '../model/subject.ts';
import type { Tally } from '../model/tally.ts';
import { createTally } from '../model/tally.ts';
import type { Planner, PlannerOptions } from '../plan/planner.ts';
import { createPlanner } from '../plan/planner.ts';
import type { Redactor } from '../secrets/redact.ts';
import { toWellFormedJson } from '../json/well-formed.ts';
import { createMetricFold } from '../stats/metric-fold.ts';
import { runSummary } from '../stats/run-summary.ts';

export type PipelineOptions = {
  cases: AsyncIterable<LoadedCase[]>;
  /** The first event, of a new or a resumed run. */
  opening: StartEvent | ResumeEvent;
  plan: Omit<PlannerOptions, 'tally' | 'failFast'>;
  pool: Omit<PoolsOptions, 'dropped' | 'exact' | 'learn' | 'misconfigured' | 'settled'>;
  /** The executions of attempts in an earlier part of this run, by attempt key. */
  reruns?: ReadonlyMap<string, Reruns> | undefined;
  failFast: boolean;
  /** Workers get no attempts ahead: what stops the run must not learn of an outcome after much more was sent to them. */
  isExact?: boolean;
  /** The run stops after this time, as if its budget were spent. */
  maxMs?: number | undefined;
  minPassRate?: number | undefined;
  /** Name the agent in each result; needed when a run has several. */
  nameAgents: boolean;
  /** Makes the events that need all results, after the last of them; not called for a run that was cut short. */
  conclude?: () => Promise<readonly SelectionEvent[]>;
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
  readonly #planner: Planner<Outcome>;
  readonly #pools: Pools;
  readonly #withInput: ReadonlySet<KindId>;
  readonly #onInterrupt = (): void => this.#guard(() => this.#stop('interrupted'));
  readonly #started = performance.now();
  #events: LoggedEvent[] = [];
  /** Agents that cannot be tested: the run ends as soon as everything that runs has ended. */
  #problems: Problem[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  /** A stop left something out. */
  #isCut = false;
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
    this.#tally = createTally({
      runs: plan.settings.runs,
      minPassRate,
      auto: plan.auto,
      metrics: createMetricFold(),
    });
    this.#planner = createPlanner<Outcome>(options.cases, { ...plan, tally: this.#tally, failFast });
    this.#pools = openPools({
      ...options.pool,
      exact: failFast || plan.auto !== undefined || options.isExact === true,
      settled: (batch) => this.#guard(() => this.#settle(batch)),
      dropped: (attempt) => this.#guard(() => this.#skip(attempt)),
      misconfigured: (problem) => this.#guard(() => this.#refuse(problem)),
      learn: (secrets) => redactor.learn(secrets),
    });
  }

  start(): void {
    const { interrupt, maxMs, opening } = this.#options;
    interrupt.addEventListener('abort', this.#onInterrupt);
    if (maxMs !== undefined) this.#timer = setTimeout(() => this.#guard(() => this.#stop('budget')), maxMs);
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
    const { sinks } = this.#options;
    if (this.#problems.length > 0) {
      if (this.#pools.size === 0) this.#fail(ConfigError.of(this.#problems));
      return;
    }
    while (!this.#isWaiting) {
      if (this.#pools.room <= 0 && !this.#isStopped) break;
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
    if (this.#isStopped) this.#pools.drop();
    else if (this.#planner.stopped === 'fail_fast') this.#pools.dropFiles();
    this.#flush();
    this.#pump();
  }

  #skip(attempt: Attempt): void {
    if (this.#problems.length === 0) this.#record(attempt, skipped(this.#planner.stopped ?? 'interrupted'));
    // It may have been the last attempt, and then no other event leads to the end of the run.
    queueMicrotask(() => this.#guard(() => this.#pump()));
  }

  #refuse(problem: Problem): void {
    const isKnown = this.#problems.some(
      ({ message, at }) => message === problem.message && at === problem.at,
    );
    if (!isKnown) this.#problems.push(problem);
    this.#pools.drop();
    queueMicrotask(() => this.#guard(() => this.#pump()));
  }

  #stop(reason: 'budget' | 'interrupted'): void {
    this.#planner.stop(reason);
    this.#pools.drop();
    this.#pump();
  }

  /** Nothing more begins. After a failure with `--fail-fast`, pools have nothing that has not begun but whole files. */
  get #isStopped(): boolean {
    const { stopped } = this.#planner;
    return stopped !== undefined && (stopped !== 'fail_fast' || this.#options.interrupt.aborted);
  }

  #record(attempt: Attempt, outcome: Outcome): void {
    const { reruns } = this.#options;
    const earlier = reruns?.get(attempt.key);
    const counted = earlier === undefined ? outcome : withReruns(outcome, earlier);
    const released = this.#planner.settled(attempt, counted);
    if (released === undefined) this.#log(attempt, counted);
    else for (const { attempt: one, outcome, uncounted } of released) this.#log(one, outcome, uncounted);
  }

  #log(attempt: Attempt, outcome: Outcome, uncounted?: ResultEvent['uncounted']): void {
    if (outcome.reason !== undefined && outcome.reason !== 'skip') this.#isCut = true;
    const { nameAgents, plan } = this.#options;
    const event = resultEvent(attempt, outcome, { nameAgents, withInput: this.#withInput });
    if (uncounted !== undefined) event.uncounted = uncounted;
    const quarantined = plan.quarantine?.markOf(attempt);
    if (quarantined !== undefined) event.quarantined = quarantined;
    this.#emit(event);
  }

  #emit(event: RunEvent): void {
    const { redactor } = this.#options;
    const json = JSON.stringify(event);
    const line = toWellFormedJson(json);
    // Only characters inside strings are replaced, so the shape stays.
    const readable = line === json ? event : (JSON.parse(line) as RunEvent);
    const clean = redactor.redact(readable);
    this.#events.push({ event: clean, line: clean === readable ? line : JSON.stringify(clean) });
  }

  #flush(): void {
    if (this.#events.length === 0) return;
    const batch = this.#events;
    this.#events = [];
    for (const sink of this.#options.sinks) sink.write(batch);
  }

  #finish(): void {
    const { conclude } = this.#options;
    this.#close();
    if (conclude === undefined || this.#isCut) return this.#end([]);
    this.#flush();
    conclude().then(
      (selections) => this.#guard(() => this.#end(selections)),
      (error: unknown) => this.#fail(error),
    );
  }

  #end(selections: readonly SelectionEvent[]): void {
    const { interrupt, minPassRate, plan } = this.#options;
    for (const selection of selections) this.#emit(selection);
    const stopped = this.#isCut ? this.#planner.stopped : undefined;
    const incomplete = stopped === 'budget';
    // A stop that left nothing out is none.
    const conclusions = (plan.deciders ?? []).flatMap((decider) => decider.conclude?.({ stopped }) ?? []);
    const answers = conclusions.flatMap(({ exitCode }) => exitCode ?? []);
    const interrupted = interrupt.aborted;
    const { failures, unmeasured } = this.#tally.failures();
    const quarantined = plan.quarantine?.counts();
    const counting = failures - (quarantined?.failed ?? 0);
    const isReportOnly = minPassRate === 0;
    const ended = { failures: counting, unmeasured, interrupted, incomplete, answers, isReportOnly };
    const summary: SummaryEvent = {
      type: 'summary',
      ...runSummary(this.#tally, performance.now() - this.#started),
      timestamp: new Date().toISOString(),
      exit_code: runExitCode(ended),
      ...(incomplete && { incomplete }),
      ...(quarantined !== undefined && quarantined.cases > 0 && { quarantined }),
      ...(minPassRate === undefined ? {} : { min_pass_rate: minPassRate }),
    };
    for (const { fields } of conclusions) Object.assign(summary, fields);
    addSelections(summary, selections);
    this.#emit(summary);
    this.#flush();
    this.#resolve(summary);
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
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

/** Adds what choosing cost. A choice that could not be made is not green. */
function addSelections(summary: SummaryEvent, selections: readonly SelectionEvent[]): void {
  for (const selection of selections) Object.assign(summary, addSpending(summary, selection));
  if (selections.some(({ error }) => error !== undefined) && summary.exit_code === EXIT.passed)
    summary.exit_code = EXIT.unmeasured;
}

function skipped(reason: SkipReason): Outcome {
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
  if (attempt.position !== undefined) event.position = attempt.position;
  if (withInput.has(kind)) {
    if (attempt.case_sha !== undefined) event.case_sha = attempt.case_sha;
    event.input = shownInput(testCase);
  }
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
