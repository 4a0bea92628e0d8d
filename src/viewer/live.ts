// Streams the results of a running run as server-sent events, until it ends or the client leaves.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsFrom } from '../history/store/store.ts';
import type { Application } from './viewer-application.ts';
import { toSummaryEvent } from './run-events.ts';

const POLL_MS = 400;
const HEARTBEAT_MS = 15_000;

/** `send` waits until there is room for more. */
export type LiveOptions = {
  /** The number of results that the client has already. */
  skip: number;
  send(text: string): Promise<void>;
  signal: AbortSignal;
};

/**
 * Sends the results after the first `skip`. A silent run may still be running, so its stream stays open; only a run that this
 * server started is known to be over when its process has ended.
 */
export async function streamLive(
  { store, importPending, started }: Application,
  runId: string,
  { skip, send, signal }: LiveOptions,
): Promise<void> {
  let from: ResultsFrom = { skip };
  let sent = skip;
  let isOwn = false;
  let heardAt = Date.now();
  await send('retry: 2000\n\n');
  while (!signal.aborted) {
    // Checked before reading: results read after the end of the process are complete.
    const isRunning = started().includes(runId);
    const isOver = isOwn && !isRunning;
    isOwn ||= isRunning;
    await importPending();
    const summary = toSummaryEvent(await store.run(runId));
    for await (const { results, position } of store.resultPages(runId, from)) {
      if (signal.aborted) return;
      from = { after: position };
      if (results.length === 0) continue;
      sent += results.length;
      // A browser sends this id when it reconnects.
      await send(`id: ${String(sent)}\ndata: ${JSON.stringify({ events: results })}\n\n`);
      heardAt = Date.now();
    }
    if (summary !== null || isOver) return send(`event: end\ndata: ${JSON.stringify({ summary })}\n\n`);
    if (Date.now() - heardAt >= HEARTBEAT_MS) {
      await send(':\n\n');
      heardAt = Date.now();
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
