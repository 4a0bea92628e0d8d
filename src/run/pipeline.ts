// load → plan → execute → sinks: cases come in as a stream, events go out as a stream. Read this first.

import { openPools } from '../kinds/pools.ts';
import type { PoolsOptions } from '../kinds/pools.ts';
import { KINDS } from '../kinds/registry.ts';
import type { Attempt } from '../model/attempt.ts';
import type { CaseInput, LoadedCase, TestCase } from '../model/case.ts';
import type { ResultEvent, ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../model/event.ts';
import { runExitCode } from '../model/exit-code.ts';
import type { Outcome } from '../model/outcome.ts';
import type { LoggedEvent, Sink } from '../model/sink.ts';
import type { KindId } from '../model/subject.ts';
import { createTally } from '../model/tally.ts';
import type { PlannerOptions } from '../plan/planner.ts';
import { createPlanner } from '../plan/planner.ts';
import type { Redactor } from '../secrets/redact.ts';
import { toWellFormedJson } from '../json/well-formed.ts';

export type PipelineOptions = {
  cases: AsyncIterable<LoadedCase[]>;
  /** The first event: a new run, or one that is taken up again. */
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
  const { failFast, minPassRate, sinks, interrupt, redactor, nameAgents } = options;
  const { kinds = KINDS } = options.pool;
  const withInput = new Set(kinds.filter(({ hasInput }) => hasInput === true).map(({ id }) => id));
  const tally = createTally({ runs: options.plan.settings.runs, minPassRate });
  const planner = createPlanner(options.cases, { ...options.plan, tally, failFast });
  const started = performance.now();
  let events: LoggedEvent[] = [];

  function emit(event: RunEvent): void {
    const json = JSON.stringify(event);
    const line = toWellFormedJson(json);
    // Only characters inside strings are replaced, so the shape stays.
    const readable = line === json ? event : (JSON.parse(line) as RunEvent);
    if (!redactor.mayContainSecret(line)) {
      events.push({ event: readable, line });
      return;
    }
    const clean = redactor.redact(readable);
    events.push({ event: clean, line: JSON.stringify(clean) });
  }

  function flush(): void {
    if (events.length === 0) return;
    const batch = events;
    events = [];
    for (const sink of sinks) sink.write(batch);
  }

  function record(attempt: Attempt, outcome: Outcome): void {
    planner.settled(attempt, outcome);
    emit(resultEvent(attempt, outcome, { nameAgents, withInput }));
  }

  return new Promise((resolve, reject) => {
    let isWaiting = false;
    let isOver = false;
    const pool = openPools({
      ...options.pool,
      exact: failFast,
      settled: guard((batch) => {
        for (const { attempt, outcome } of batch) record(attempt, outcome);
        if (planner.stopped === 'fail_fast') pool.dropFiles();
        flush();
        pump();
      }),
      dropped: guard((attempt) => {
        record(attempt, skipped(planner.stopped ?? 'interrupted'));
        // Nobody else may be left to notice that this was the last one.
        queueMicrotask(guard(pump));
      }),
      learn: (secrets) => redactor.learn(secrets),
    });

    function pump(): void {
      if (isOver) return;
      while (!isWaiting) {
        const isFull = pool.room <= 0;
        if (isFull && !interrupt.aborted) break;
        const next = planner.next();
        if (next === 'done') {
          if (pool.size === 0) finish();
          break;
        }
        if (next === 'full') break;
        if (next === 'wait') {
          isWaiting = true;
          planner.ready().then(guard(resume), fail);
          break;
        }
        if (next.skip === undefined) pool.submit(next.attempt);
        else record(next.attempt, skipped(next.skip));
      }
      flush();
      for (const sink of sinks) sink.running?.(pool.running);
    }

    function resume(): void {
      isWaiting = false;
      pump();
    }

    function onInterrupt(): void {
      planner.stop('interrupted');
      pool.drop();
      pump();
    }

    function finish(): void {
      close();
      const summary: SummaryEvent = {
        type: 'summary',
        ...tally.summary(performance.now() - started),
        timestamp: new Date().toISOString(),
        exit_code: runExitCode({ ...tally.failures(), interrupted: interrupt.aborted }),
        ...(minPassRate === undefined ? {} : { min_pass_rate: minPassRate }),
      };
      emit(summary);
      flush();
      resolve(summary);
    }

    function close(): void {
      isOver = true;
      interrupt.removeEventListener('abort', onInterrupt);
      pool.close();
    }

    /** What a stage throws is a bug or a full disk: the run ends and the caller learns why. */
    function fail(error: unknown): void {
      close();
      reject(error instanceof Error ? error : new Error(String(error)));
    }

    function guard<Arguments extends unknown[]>(
      step: (...args: Arguments) => void,
    ): (...args: Arguments) => void {
      return (...args) => {
        try {
          step(...args);
        } catch (error) {
          fail(error);
        }
      };
    }

    interrupt.addEventListener('abort', guard(onInterrupt));
    guard(() => {
      emit(options.opening);
      flush();
      if (interrupt.aborted) planner.stop('interrupted');
      pump();
    })();
  });
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
