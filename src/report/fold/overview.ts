// The facts that a report shows before its first result: start, counts, and whether the run finished.

import { ConfigError } from '../../errors.ts';
import type { StartEvent, SummaryEvent } from '../../model/event.ts';
import type { EventSource } from '../../model/sink.ts';
import type { Counter, Counts } from './counter.ts';
import { clusteredCounts } from './clusters.ts';
import { createCounter } from './counter.ts';
import { loggedMinPassRate } from './fold.ts';

export type Overview = {
  start: StartEvent;
  counts: Counts;
  /** Number of planned cases. */
  planned: number;
  /** Null if the run did not finish. */
  completedAt: string | null;
  /** The minimum pass rate of a case in percent; a resumed run may have changed it. */
  minPassRate: number | undefined;
};

/** Reads a log once. Without a summary it counts the results itself. */
export async function readOverview(source: EventSource): Promise<Overview> {
  let start: StartEvent | undefined;
  let summary: SummaryEvent | undefined;
  let counter: Counter | undefined;
  for await (const event of source.events()) {
    if (event.type === 'start') {
      start = event;
      counter = createCounter(event);
    } else if (event.type === 'summary') summary = event;
    else if (event.type === 'result') counter?.add(event);
  }
  if (start === undefined || counter === undefined) {
    throw new ConfigError('the run log has no start line', { hint: 'give a log that `assay test` wrote' });
  }
  if (summary === undefined) {
    const minPassRate = loggedMinPassRate(start);
    return { start, counts: counter.counts(), planned: start.total_cases, completedAt: null, minPassRate };
  }
  const { type: _type, timestamp, exit_code: _code, min_pass_rate, ...counts } = summary;
  const minPassRate = min_pass_rate ?? loggedMinPassRate(start);
  // Logs of older versions have neither of them.
  const own = counter.counts();
  const unmeasured = counts.unmeasured ?? Math.min(counts.errors, own.unmeasured ?? 0);
  if (unmeasured > 0) counts.unmeasured = unmeasured;
  if (own.pass_rate_interval !== undefined) counts.pass_rate_interval ??= own.pass_rate_interval;
  if (own.metrics !== undefined) counts.metrics ??= own.metrics;
  // The groups may be others than those of the run.
  if (own.clusters !== undefined) Object.assign(counts, clusteredCounts(own));
  return { start, counts, planned: counts.total, completedAt: timestamp, minPassRate };
}
