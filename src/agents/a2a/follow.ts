// Sends a message and follows the task until the turn is settled: by stream, then resubscribing, then polling.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Message as A2aMessage, StreamResponse } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { AttemptError } from '../../errors.ts';
import { CutOffError } from './endpoint-fetch.ts';
import { toA2aFailure } from './failure.ts';
import type { TaskView } from './task-view.ts';

/** Pause between two polls of a task. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;
/** Polls that may fail in a row. */
const MAX_FAILURES = 5;
/** Timeout of the request that cancels a task. */
const CANCEL_MS = 1000;

export type FollowOptions = {
  /** The agent's card says that it streams. */
  streams: boolean;
  signal: AbortSignal;
  where: string;
};

/** Returns when the view is settled. Throws AttemptError, or the reason of the signal. */
export async function follow(
  client: Client,
  message: A2aMessage,
  view: TaskView,
  options: FollowOptions,
): Promise<void> {
  const { streams, signal, where } = options;
  const request = { tenant: '', message, configuration: undefined, metadata: undefined };
  try {
    if (streams) await readStream(client.sendMessageStream(request, { signal }), view, where);
    else {
      view.expectNothingOld();
      const answer = await client.sendMessage(request, { signal });
      if ('messageId' in answer) view.takeMessage(answer);
      else view.takeTask(answer);
    }
    if (!view.isSettled) await followTask(client, view, options);
  } catch (error) {
    throw signal.aborted ? signal.reason : toA2aFailure(error, where);
  }
}

/** Cancels a task at the agent. Never throws; takes at most CANCEL_MS. */
export async function cancel(client: Client, taskId: string): Promise<void> {
  const request = { tenant: '', id: taskId, metadata: undefined };
  await client.cancelTask(request, { signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => undefined);
}

/** Reads events until the turn is settled or the stream ends. A broken connection is ignored once the task id is known. */
async function readStream(
  events: AsyncIterable<StreamResponse>,
  view: TaskView,
  where: string,
): Promise<void> {
  try {
    for await (const event of events) {
      view.take(event);
      if (view.isSettled) return;
    }
  } catch (error) {
    if (!(error instanceof CutOffError) || view.taskId === '') throw error;
  }
  if (view.taskId === '') throw new AttemptError('protocol', `${where} ended its stream without an answer`);
}

async function followTask(
  client: Client,
  view: TaskView,
  { streams, signal, where }: FollowOptions,
): Promise<void> {
  let mayStream = streams;
  let failures = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    if (mayStream) mayStream = await resubscribe(client, view, signal, where);
    if (view.isSettled) return;
    await sleep(pauseMs, undefined, { signal });
    if (mayStream) continue;
    try {
      view.takeTask(await client.getTask({ tenant: '', id: view.taskId }, { signal }));
      failures = 0;
    } catch (error) {
      const failure = toA2aFailure(error, where);
      failures += 1;
      if (signal.aborted || !isTransient(failure) || failures >= MAX_FAILURES) throw failure;
      if (failure.retryAfterMs !== undefined) await sleep(failure.retryAfterMs, undefined, { signal });
    }
    if (view.isSettled) return;
  }
}

/** Returns false if the agent refuses: the task may have ended, or resubscribing is not supported. */
async function resubscribe(
  client: Client,
  view: TaskView,
  signal: AbortSignal,
  where: string,
): Promise<boolean> {
  try {
    await readStream(client.resubscribeTask({ tenant: '', id: view.taskId }, { signal }), view, where);
    return true;
  } catch (error) {
    const failure = toA2aFailure(error, where);
    if (signal.aborted || failure.code === 'agent' || failure.code === 'auth') throw failure;
    return false;
  }
}

function isTransient(failure: AttemptError): boolean {
  return failure instanceof CutOffError || failure.code === 'connection' || failure.code === 'rate_limit';
}
