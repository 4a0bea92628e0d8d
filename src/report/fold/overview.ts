// What a report says before its first result: how the run was started, its counts, whether it came to its end.

import { ConfigError } from '../../errors.ts';
import type { StartEvent, SummaryEvent } from '../../model/event.ts';
import type { EventSource } from '../../model/sink.ts';
import type { Counter, Counts } from './counter.ts';
import { createCounter } from './counter.ts';
import { minPassRateOf } from './fold.ts';

export type Overview = {
  start: StartEvent;
  counts: Counts;
  /** Cases the run set out to do. */
  planned: number;
  /** Null if the run never came to its end. */
  completedAt: string | null;
  /** The percentage of runs that is enough for a case; a resumed run may have changed it. */
  minPassRate: number | undefined;
};

/** Reads a log once; without a summary the counts come from the results that are there. */
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
    const minPassRate = minPassRateOf(start);
    return { start, counts: counter.counts(), planned: start.total_cases, completedAt: null, minPassRate };
  }
  const { type: _type, timestamp, exit_code: _code, min_pass_rate, ...counts } = summary;
  const minPassRate = min_pass_rate ?? minPassRateOf(start);
  return { start, counts, planned: counts.total, completedAt: timestamp, minPassRate };
}
