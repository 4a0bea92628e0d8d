// A run that goes on in, its results as they come out: server-sent events, until it ends or nobody listens any more.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsFrom } from '../history/store/store.ts';
import type { Application } from './viewer-application.ts';
import { summaryOf } from './run-events.ts';

const LOOK_MS = 400;
const HEARTBEAT_MS = 15_000;

/** `send` waits until there is room for more. */
export type LiveOptions = {
  /** How many results the listener has already. */
  skip: number;
  send(text: string): Promise<void>;
  signal: AbortSignal;
};

/**
 * Sends what came after the first `skip` results. A run that has fallen silent may still go on, so that its stream does, too; only
 * one that was started here is known to be over when its process is.
 */
export async function streamLive(
  { store, takeIn, started }: Application,
  runId: string,
  { skip, send, signal }: LiveOptions,
): Promise<void> {
  let from: ResultsFrom = { skip };
  let sent = skip;
  let isOwn = false;
  let heardAt = Date.now();
  await send('retry: 2000\n\n');
  while (!signal.aborted) {
    // Asked before reading: what is read after the end is all there is.
    const isRunning = started().includes(runId);
    const isOver = isOwn && !isRunning;
    isOwn ||= isRunning;
    await takeIn();
    const summary = summaryOf(await store.run(runId));
    for await (const { results, position } of store.resultPages(runId, from)) {
      if (signal.aborted) return;
      from = { after: position };
      if (results.length === 0) continue;
      sent += results.length;
      // The id is what a browser says when it connects again.
      await send(`id: ${String(sent)}\ndata: ${JSON.stringify({ events: results })}\n\n`);
      heardAt = Date.now();
    }
    if (summary !== null || isOver) return send(`event: end\ndata: ${JSON.stringify({ summary })}\n\n`);
    if (Date.now() - heardAt >= HEARTBEAT_MS) {
      await send(':\n\n');
      heardAt = Date.now();
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
