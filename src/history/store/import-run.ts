// Imports the events of a run log into the history. Importing again changes nothing.

import { ConfigError } from '../../errors.ts';
import type { ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { Imported, Recorder } from './store.ts';

const BATCH_SIZE = 1000;

/** Imports a run. A log without an end is valid; a later import may complete it. */
export async function importRun(
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  record: (start: StartEvent) => Recorder,
): Promise<Imported> {
  let recorder: Recorder | undefined;
  let runId = '';
  let results = 0;
  let end: SummaryEvent | ResumeEvent | undefined;
  let batch: RunEvent[] = [];
  for await (const event of events) {
    if (event.type === 'start' && recorder !== undefined && event.run_id !== runId)
      throw new ConfigError('there are two runs in this log', { hint: 'every run has a log of its own' });
    if (event.type === 'start' && recorder === undefined) {
      recorder = record(event);
      runId = event.run_id;
    }
    if (recorder === undefined) break;
    // Only the last end counts: one before a resume must not become visible.
    if (event.type === 'summary' || event.type === 'resume') end = event;
    if (event.type === 'result') results += 1;
    if (event.type === 'result' || event.type === 'provenance') batch.push(event);
    if (batch.length < BATCH_SIZE) continue;
    await recorder.add(batch);
    if (recorder.failure() !== undefined) break;
    batch = [];
  }
  if (recorder === undefined) throw new ConfigError('the run log has no start line');
  await recorder.add(end === undefined ? batch : [...batch, end]);
  await recorder.finish();
  return { run_id: runId, results, finished: end?.type === 'summary' };
}
