// Replays a recorded response, at once or with its recorded timing.

import { setTimeout as sleep } from 'node:timers/promises';
import { AttemptError } from '../errors.ts';
import type { ErrorCode } from '../model/outcome.ts';
import type { ResponseListener, Sending, WholeAnswer } from '../platform/tape-scope.ts';
import { bodyPieces } from './body.ts';
import { unmasked } from './secrets.ts';
import type { Exchange, TapedResponse } from './tape-file.ts';

/** Plays a response to a listener. `speed` is a factor; undefined means without delays. */
export function play(exchange: Exchange, listener: ResponseListener, speed: number | undefined): Sending {
  const state = { isCancelled: false };
  const response = unmasked(exchange.response);
  if (speed === undefined) queueMicrotask(() => playAtOnce(response, listener, state));
  else void playTimed(response, listener, state, speed);
  return {
    cancel() {
      state.isCancelled = true;
    },
  };
}

function playAtOnce(
  response: TapedResponse | undefined,
  listener: ResponseListener,
  state: { isCancelled: boolean },
): void {
  if (state.isCancelled) return;
  if (response === undefined || !('status' in response)) return listener.fail(systemError(response));
  const { status, headers = {} } = response;
  const pieces = bodyPieces(response);
  if (listener.whole !== undefined && response.ended === undefined)
    return listener.whole(status, headers, pieces);
  listener.head(status, headers);
  for (const piece of pieces) {
    if (state.isCancelled) return;
    listener.data(piece);
  }
  if (!state.isCancelled) listener.end(response.ended === undefined);
}

async function playTimed(
  response: TapedResponse | undefined,
  listener: ResponseListener,
  state: { isCancelled: boolean },
  speed: number,
): Promise<void> {
  const startedAt = performance.now();
  const until = async (ms: number): Promise<void> => {
    const rest = ms / speed - (performance.now() - startedAt);
    if (rest >= 1) await sleep(rest, undefined, { ref: true });
  };
  await until(response?.after_ms ?? 0);
  if (state.isCancelled) return;
  if (response === undefined || !('status' in response)) return listener.fail(systemError(response));
  listener.head(response.status, response.headers ?? {});
  for (const [index, piece] of bodyPieces(response).entries()) {
    await until(response.at_ms?.[index] ?? 0);
    if (state.isCancelled) return;
    listener.data(piece);
  }
  if (!state.isCancelled) listener.end(response.ended === undefined);
}

/** The whole response, for a synchronous caller; without delays. */
export function wholeAnswer(exchange: Exchange): WholeAnswer {
  const response = unmasked(exchange.response);
  if (response === undefined || !('status' in response)) return { problem: systemError(response).message };
  const pieces = bodyPieces(response).map((piece) =>
    typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'),
  );
  return { status: response.status, headers: Object.entries(response.headers ?? {}), text: pieces.join('') };
}

/** The recorded result of a call; throws its recorded error. */
export async function playAnswer(exchange: Exchange, speed: number | undefined): Promise<unknown> {
  const response = unmasked(exchange.response);
  if (speed !== undefined && response !== undefined) await sleep(response.after_ms / speed);
  if (response !== undefined && 'result' in response) return response.result;
  if (response === undefined || !('failure' in response)) throw systemError(undefined);
  const { code, message, is_final: isFinal = false } = response.failure;
  // Only AttemptErrors are recorded here.
  throw new AttemptError(code as ErrorCode, message, { isFinal });
}

/** The recorded result of a synchronous call; without delays. */
export function wholeResult(exchange: Exchange): unknown {
  const response = unmasked(exchange.response);
  if (response !== undefined && 'result' in response) return response.result;
  throw new AttemptError('replay', 'the call had no answer when it was recorded', { isFinal: true });
}

function systemError(response: TapedResponse | undefined): Error {
  if (response === undefined || !('failure' in response)) return new Error('the recording holds no answer');
  const { code, message } = response.failure;
  return Object.assign(new Error(message), code === '' ? {} : { code });
}
