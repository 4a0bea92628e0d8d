import type { Target } from '../model/attempt.ts';
import { subjectIds } from '../model/attempt.ts';
import type { ResumeEvent, StartEvent } from '../model/event.ts';
import type { LoadedCase } from '../model/case.ts';
import type { Quarantine } from '../model/quarantine.ts';
import { testedAgent } from '../model/subject.ts';
import type { Decider } from '../plan/decider.ts';
import { autoSettling } from '../stats/pass-rules.ts';
import type { RunTapes } from '../tapes/run-tapes.ts';
import type { Io } from './io.ts';
import type { SideCallRunner } from './lazy-side-calls.ts';
import type { Origin } from './origin.ts';
import { withLateOrigin } from './origin.ts';
import type { Coverage } from './optional/coverage.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { RunPlan } from './plan.ts';

type SessionParts = {
  /** The first event of the log. */
  opening: StartEvent | ResumeEvent;
  sideCalls: SideCallRunner;
  origin: Origin;
  coverage: Coverage | undefined;
  tapes: RunTapes | undefined;
  deciders: readonly Decider[];
  quarantine: Quarantine | undefined;
  /** In the order in which they run. */
  cases: AsyncIterable<LoadedCase[]>;
};

/** With more attempts, a run that stops early may have begun some more. */
const MANY = 1000;

/** Takes from the plan and from the session what the pipeline needs. */
export function pipelineOptions(
  plan: RunPlan,
  { sinks, log }: Pick<Outputs, 'log' | 'sinks'>,
  { opening, sideCalls, origin, coverage, tapes, deciders, quarantine, cases }: SessionParts,
  io: Io,
): PipelineOptions {
  const { request, application, inputs, prepared } = plan;
  const { settings, select } = inputs;
  const { targets, context } = prepared;
  const { resumed } = request;
  return {
    cases,
    opening,
    plan: {
      targets,
      context,
      settings,
      select,
      ...(resumed === undefined ? {} : { prior: resumed.kept }),
      ...(settings.rule !== undefined && { auto: autoSettling(settings.rule) }),
      ...(deciders.length > 0 && { deciders, total: prepared.total }),
      quarantine,
    },
    pool: {
      ...(plan.graded !== undefined && { kinds: plan.graded.kinds }),
      parallel: settings.parallel,
      retries: settings.retries,
      isBlocking: targets.some(isBlocking),
      isolate: settings.isolate,
      cwd: application.cwd,
      env: application.dotenv,
      first: io.worker,
      ...(io.caller?.startWorker !== undefined && { startWorker: io.caller.startWorker }),
      coverage: coverage?.folder,
      tapes,
      async after(attempt, outcome, before) {
        const { runAfterHook } = await import('./optional/after-hook.ts');
        return runAfterHook((call) => sideCalls.run(call), attempt, outcome, before);
      },
    },
    reruns: resumed?.reruns,
    failFast: settings.fail_fast,
    // In a large run a few attempts more do not matter, but waiting for each of them does. Money always matters.
    isExact: settings.budget !== undefined || (deciders.length > 0 && prepared.attempts <= MANY),
    maxMs: settings.budget_time_ms,
    minPassRate: settings.min_pass_rate,
    nameAgents: new Set(targets.flatMap(subjectIds)).size > 1,
    ...(prepared.selectsAt !== undefined && {
      async conclude() {
        const { selectBest } = await import('./optional/select-best.ts');
        return selectBest(plan, { log, sideCalls, interrupt: io.interrupt });
      },
    }),
    redactor: application.redactor,
    sinks: withLateOrigin(sinks, origin),
    interrupt: io.interrupt,
  };
}

/** Agents that call synchronous globals. */
function isBlocking({ subject }: Target): boolean {
  const run = testedAgent(subject)?.run;
  return run?.type === 'assistant' && run.is_blocking === true;
}
