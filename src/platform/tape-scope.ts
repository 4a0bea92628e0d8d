// The traffic of an attempt, as seen by whoever causes it: with a tape, it is recorded or played back; without one, it
// just happens.

import { AsyncLocalStorage } from 'node:async_hooks';

/** A request over HTTP. Its headers are not told: they hold keys, and what changes by itself. */
export type WireRequest = {
  method: string;
  url: string;
  /** The type of the body, which tells the parts of a form apart. */
  type?: string | undefined;
  body?: string | Uint8Array | undefined;
  /** Its sender sends it again if it is refused. */
  isRetried?: true;
  /** What it says to show who sends it, which must never be seen. */
  secrets?: string[];
};

/** A question to something that is not reached over HTTP alone: a tool server, a model that is a file. */
export type CallRequest = { to: string; method: string; params: unknown };

export type HeaderFields = Record<string, string | string[] | undefined>;

/** Hears of a response: `head`, any number of `data`, `end`; or `fail` if there is no head. */
export type ResponseListener = {
  head(status: number, headers: HeaderFields): void;
  data(piece: string | Uint8Array): void;
  end(isComplete: boolean): void;
  fail(error: Error): void;
  /** Instead of all that, if it is there as a whole and the listener prefers to have it so. */
  whole?(status: number, headers: HeaderFields, pieces: (string | Uint8Array)[]): void;
};

/** A request under way; one that is cancelled is not heard of again. */
export type Sending = { cancel(): void };

/** A response that is there as a whole, or why there is none. */
export type WholeAnswer = { status: number; headers: [string, string][]; text: string } | { problem: string };

/** What records and plays the traffic of one attempt. */
export type Tape = {
  /** Plays the recording of a request to the listener, or sends it with `live` and records what the listener hears. */
  send(
    request: WireRequest,
    listener: ResponseListener,
    live: (listener: ResponseListener) => Sending,
  ): Sending;
  /** The same for a request whose sender stands still until it is answered. Throws AttemptError. */
  sendBlocking(request: WireRequest, live: () => WholeAnswer): WholeAnswer;
  /** The same for a question with one answer, which must be JSON. Failures that are an AttemptError are recorded, too. */
  ask<T>(request: CallRequest, live: () => Promise<T>): Promise<T>;
  /** Begins to measure; what it returns gives the milliseconds, which are those of the recording if there is one. */
  stopwatch(name: string): () => number;
  /** The same for what somebody else has measured. */
  time(name: string, ms: number): number;
  /** Told of a connection that no recording can hold. Throws if it must not be made. */
  connect(address: string): void;
};

const scope = new AsyncLocalStorage<Tape | undefined>();

/** The tape of the attempt that the running code belongs to, if its traffic is recorded or played. */
export function currentTape(): Tape | undefined {
  return scope.getStore();
}

/** Everything that the work causes belongs to the tape; without a tape, to none. */
export function withTape<T>(tape: Tape | undefined, work: () => T): T {
  return scope.run(tape, work);
}

/** Asks through the tape, if there is one. */
export function askTaped<T>(request: () => CallRequest, live: () => Promise<T>): Promise<T> {
  const tape = currentTape();
  return tape === undefined ? live() : tape.ask(request(), live);
}

/** Begins to measure; what it returns gives the milliseconds to report. */
export function stopwatch(name: string): () => number {
  const tape = currentTape();
  if (tape !== undefined) return tape.stopwatch(name);
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** What was measured, as it is to be reported. */
export function reportedTime(name: string, ms: number): number {
  return currentTape()?.time(name, ms) ?? ms;
}
