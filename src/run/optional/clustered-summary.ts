// `--cluster`: the summary of a run has the interval of the pass rate for groups of related cases.

import { openLog } from '../../log/reader.ts';
import type { StartEvent } from '../../model/event.ts';
import type { LoggedEvent, Sink } from '../../model/sink.ts';
import { clusteredCounts } from '../../report/fold/clusters.ts';
import type { Counter } from '../../report/fold/counter.ts';
import { createCounter } from '../../report/fold/counter.ts';
import type { ResumableRun } from '../earlier/earlier-run.ts';
import type { PipelineOptions } from '../pipeline.ts';

/** The sinks of a run; results are counted on their way to them, and the summary gets what they say about groups. */
export async function clusteredSinks(
  { opening, sinks }: Pick<PipelineOptions, 'opening' | 'sinks'>,
  { cluster, min_pass_rate, resumed }: ClusterSettings,
): Promise<readonly Sink[]> {
  const start = opening.type === 'start' ? opening : resumed?.start;
  if (start === undefined) return sinks;
  const counter = createCounter(
    withFlags(start, { cluster, ...(min_pass_rate !== undefined && { min_pass_rate }) }),
  );
  if (resumed !== undefined) await countKept(counter, resumed);

  const all: Sink = {
    write(batch) {
      const told = batch.map((logged) => tell(counter, logged));
      for (const sink of sinks) sink.write(told);
    },
    running(count) {
      for (const sink of sinks) sink.running?.(count);
    },
  };
  return [all];
}

type ClusterSettings = {
  cluster: string;
  min_pass_rate: number | undefined;
  resumed: Pick<ResumableRun, 'kept' | 'path' | 'start'> | undefined;
};

function withFlags(start: StartEvent, flags: Record<string, unknown>): StartEvent {
  return { ...start, flags: { ...start.flags, ...flags } };
}

/** Counts the results of an earlier part of the run that stay. */
async function countKept(
  counter: Counter,
  { path, kept }: Pick<ResumableRun, 'kept' | 'path'>,
): Promise<void> {
  for await (const event of openLog(path).events())
    if (event.type === 'result' && kept.has(event.key)) counter.add(event);
}

function tell(counter: Counter, logged: LoggedEvent): LoggedEvent {
  const { event } = logged;
  if (event.type === 'result') counter.add(event);
  if (event.type !== 'summary') return logged;
  const summary = { ...event, ...clusteredCounts(counter.counts()) };
  return { event: summary, line: JSON.stringify(summary) };
}
