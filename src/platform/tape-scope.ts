// The tape of the running attempt: code that sends requests records or replays them through it.

import { AsyncLocalStorage } from 'node:async_hooks';

/** An HTTP request without headers, which hold keys and values that change every time. */
export type WireRequest = {
  method: string;
  url: string;
  /** The content type of the body; for forms it has the boundary. */
  type?: string | undefined;
  body?: string | Uint8Array | undefined;
  /** The sender retries refusals. */
  isRetried?: true;
  /** Credentials in the request, to be masked. */
  secrets?: string[];
  /** Values of cookies in the request, to be masked where they are repeated. */
  cookies?: string[];
};

/** A call of something not reached over HTTP only: a tool server, a model in a file. */
export type CallRequest = { to: string; method: string; params: unknown };

export type HeaderFields = Record<string, string | string[] | undefined>;

/** Receives a response: `head`, any number of `data`, `end`; or `fail` if there is no head. */
export type ResponseListener = {
  head(status: number, headers: HeaderFields): void;
  data(piece: string | Uint8Array): void;
  end(isComplete: boolean): void;
  fail(error: Error): void;
  /** Called instead of all others if the whole response is available. */
  whole?(status: number, headers: HeaderFields, pieces: (string | Uint8Array)[]): void;
};

/** A pending request; after `cancel` its listener is not called again. */
export type Sending = { cancel(): void };

/** A whole response, or the reason why the request failed. */
export type WholeAnswer = { status: number; headers: [string, string][]; text: string } | { problem: string };

/** Records or replays the traffic of one attempt. */
export type Tape = {
  /** Replays a recording to the listener, or sends the request with `live` and records the response. */
  send(
    request: WireRequest,
    listener: ResponseListener,
    live: (listener: ResponseListener) => Sending,
  ): Sending;
  /** The same for a synchronous request. Throws AttemptError. */
  sendBlocking(request: WireRequest, live: () => WholeAnswer): WholeAnswer;
  /** The same for a call with a JSON result. AttemptErrors are recorded too. */
  ask<T>(request: CallRequest, live: () => Promise<T>): Promise<T>;
  /** The same for a synchronous call, whose result says itself whether it failed. Throws AttemptError. */
  askBlocking<T>(request: CallRequest, live: () => T): T;
  /** Starts a stopwatch; the result returns the elapsed milliseconds, or those of the recording. */
  stopwatch(name: string): () => number;
  /** The same for a time that is already measured. */
  time(name: string, ms: number): number;
  /** Reports a connection that cannot be recorded. Throws if it is not allowed. */
  connect(address: string): void;
};

const scope = new AsyncLocalStorage<Tape | undefined>();

/** The tape of the attempt that the running code belongs to; undefined without one. */
export function currentTape(): Tape | undefined {
  return scope.getStore();
}

/** Runs the work with the tape as its current tape. */
export function withTape<T>(tape: Tape | undefined, work: () => T): T {
  return scope.run(tape, work);
}

/** Calls through the tape, if there is one. */
export function askTaped<T>(request: () => CallRequest, live: () => Promise<T>): Promise<T> {
  const tape = currentTape();
  return tape === undefined ? live() : tape.ask(request(), live);
}

/** Starts a stopwatch; the result returns the milliseconds to report. */
export function stopwatch(name: string): () => number {
  const tape = currentTape();
  if (tape !== undefined) return tape.stopwatch(name);
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** The time to report for a measured one. */
export function reportedTime(name: string, ms: number): number {
  return currentTape()?.time(name, ms) ?? ms;
}
