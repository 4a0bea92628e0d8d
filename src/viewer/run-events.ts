// Converts a run of the history back into the events of its log, from which reports are made.

import type { StartEvent, SummaryEvent } from '../model/event.ts';
import { LOG_VERSION } from '../model/event.ts';
import { runsRule } from '../model/runs-rule.ts';
import type { EventSource } from '../model/sink.ts';
import type { Store, StoredRun } from '../history/store/store.ts';

/** The events of a run so far, without its definitions, which the history stores separately. */
export function runEvents(store: Store, run: StoredRun): EventSource {
  return {
    async *events() {
      yield toStartEvent(run);
      for await (const { results } of store.resultPages(run.run_id)) yield* results;
      const summary = toSummaryEvent(run);
      if (summary !== null) yield summary;
    },
  };
}

/** The summary event of a run; null if it has not ended. */
export function toSummaryEvent(run: StoredRun): SummaryEvent | null {
  const { summary, finished_at, exit_code, min_pass_rate } = run;
  if (summary === null || finished_at === null) return null;
  return {
    type: 'summary',
    timestamp: finished_at,
    exit_code: exit_code ?? 0,
    ...(min_pass_rate !== null && { min_pass_rate }),
    ...summary,
  };
}

function toStartEvent(run: StoredRun): StartEvent {
  const rule = runsRule(run.flags);
  const { connector, git, node, os, machine, ci, suite, matrix, resolved_variables } = run;
  return {
    type: 'start',
    run_id: run.run_id,
    log_version: LOG_VERSION,
    timestamp: run.started_at,
    agent_id: run.agent_id,
    total_cases: run.total_cases,
    runs_per_case: run.runs_per_case,
    ...(rule !== undefined && { runs_rule: rule }),
    ...(connector !== null && { connector }),
    ...(run.isolation !== null && { isolation: run.isolation }),
    environment: run.environment,
    inputs: run.inputs,
    flags: run.flags,
    cwd: run.cwd,
    version: run.version,
    ...(run.note !== null && { note: run.note }),
    origin: {
      ...(git !== null && { git }),
      ...(node !== null && { node }),
      ...(os !== null && { os }),
      ...(machine !== null && { machine }),
      ...(ci !== null && { ci }),
    },
    ...(suite !== null && { suite: suite.id }),
    ...(matrix !== null && { matrix }),
    ...(resolved_variables !== null && { resolved_variables }),
  };
}
