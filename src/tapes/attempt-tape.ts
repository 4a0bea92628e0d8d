// The tape of one attempt: what it asks is answered from the recording, or asked for real and recorded.

import { AttemptError, messageOf } from '../errors.ts';
import type {
  CallRequest,
  HeaderFields,
  ResponseListener,
  Sending,
  Tape,
  WholeAnswer,
  WireRequest,
} from '../platform/tape-scope.ts';
import { withTape } from '../platform/tape-scope.ts';
import type { Status } from '../model/outcome.ts';
import { addressOf } from './address.ts';
import { isDeep, tapedRequestBody } from './body.ts';
import { isForAll, isRefusal, isRepeatable, nameOf, Recordings } from './match.ts';
import type { Normalizer } from './normalize.ts';
import { play, playAnswer, wholeOf } from './play.ts';
import { ExchangeRecorder } from './record.ts';
import { cleanUrl, textWithoutCredentials, withoutCredentials } from './secrets.ts';
import type { Exchange, TapedRequest, TapedRun } from './tape-file.ts';

/** As it was before user code could replace it. */
const now = performance.now.bind(performance);

export type TapeMode = 'record' | 'replay' | 'update';

export type AttemptTapeOptions = {
  mode: TapeMode;
  run: number;
  /** What is recorded of this run of the case; nothing if it was never recorded. */
  recorded: TapedRun | undefined;
  /** Why nothing is recorded, or not the same. */
  absence: string;
  normalizer: Normalizer;
  /** As many times as quick as it was; nothing: at once. */
  speed: number | undefined;
  /** The recording of a request in the tape of another attempt. */
  elsewhere: (request: TapedRequest) => Exchange | undefined;
  /** Told what was asked after the attempt was over. */
  tellLate: (name: string) => void;
  /** Told what must never be shown, before it could be. */
  learn: (secrets: string[]) => void;
  /** Addresses that may be reached without a recording. */
  allowed: (address: string) => boolean;
};

/** What became of the tape, for whoever writes and counts tapes. */
export type TapeReport = {
  /** There was something to play. */
  isFound?: true;
  /** To be written: the whole run, and how many exchanges of it are new. */
  recorded?: TapedRun;
  added?: number;
  /** Recordings that nobody asked for, by their position. */
  unused?: { index: number; name: string }[];
  /** Connections that no recording holds. */
  unseen?: string[];
};

type Looked = { error: AttemptError } | { request: TapedRequest; found: Exchange | undefined };

/** Implements the tape. One object serves one attempt, which may ask many things at once. */
export class AttemptTape implements Tape {
  readonly #options: AttemptTapeOptions;
  readonly #recordings: Recordings;
  /** In the order in which they began. */
  readonly #made: ExchangeRecorder[] = [];
  readonly #times: Record<string, number[]> = {};
  readonly #counts = new Map<string, number>();
  readonly #unseen = new Set<string>();
  #problem: AttemptError | undefined;
  #isOver = false;
  /** What the attempt waits for and never got when it was recorded. */
  #hanging: string | undefined;
  /** Called when the attempt waits for something that never came when it was recorded. */
  timedOut: (() => void) | undefined;
  /** Called when there is no recording of something. */
  missed: (() => void) | undefined;

  constructor(options: AttemptTapeOptions) {
    this.#options = options;
    const isPlayed = options.mode !== 'record';
    this.#recordings = new Recordings(
      isPlayed ? (options.recorded?.exchanges ?? []) : [],
      options.normalizer,
    );
  }

  /** Why an attempt that is out of time says nothing about its agent, if it does not. */
  get hanging(): AttemptError | undefined {
    if (this.#hanging === undefined) return undefined;
    const text = `${this.#hanging} had no answer when it was recorded, and this time the agent waited for it`;
    return new AttemptError('replay', text, { isFinal: true });
  }

  /** Why the attempt cannot be replayed: whatever the agent made of it, it is no answer. */
  get problem(): AttemptError | undefined {
    return this.#problem;
  }

  send(
    wire: WireRequest,
    listener: ResponseListener,
    live: (listener: ResponseListener) => Sending,
  ): Sending {
    if (this.#isAllowed(wire.url)) return withTape(undefined, () => live(listener));
    if (wire.secrets !== undefined && wire.secrets.length > 0) this.#options.learn(wire.secrets);
    const looked = this.#look(() => toTaped(wire));
    if ('error' in looked) return failLater(listener, looked.error);
    const { request, found } = looked;
    if (found !== undefined && found.response === undefined) return NEVER;
    if (found !== undefined) return play(found, this.#untilTimeout(found, listener), this.#options.speed);
    const recorder = this.#record(request, wire.isRetried);
    return withTape(undefined, () => live(recorder.tap(listener)));
  }

  sendBlocking(wire: WireRequest, live: () => WholeAnswer): WholeAnswer {
    if (this.#isAllowed(wire.url)) return live();
    const looked = this.#look(() => toTaped(wire));
    if ('error' in looked) throw looked.error;
    const { request, found } = looked;
    if (found !== undefined) return found.response === undefined ? { problem: 'timeout' } : wholeOf(found);
    const recorder = this.#record(request);
    const answer = live();
    if ('problem' in answer) recorder.fail(new Error(answer.problem));
    else {
      recorder.head(answer.status, headerFields(answer.headers));
      recorder.data(answer.text);
      recorder.end(true);
    }
    return answer;
  }

  async ask<T>(call: CallRequest, live: () => Promise<T>): Promise<T> {
    const looked = this.#look(() => ({ ...call, params: withoutCredentials(plainJson(call.params)) }));
    if ('error' in looked) throw looked.error;
    const { request, found } = looked;
    if (found !== undefined && found.response === undefined) return new Promise(() => undefined);
    // What was recorded here is what was answered here.
    if (found !== undefined) return playAnswer(found, this.#options.speed) as Promise<T>;
    const recorder = this.#record(request);
    try {
      const answer = await withTape(undefined, live);
      recorder.result(withoutCredentials(plainJson(answer)));
      return answer;
    } catch (error) {
      // A deadline that passed is not the answer of anybody.
      if (error instanceof AttemptError) recorder.refuse(error);
      throw error;
    }
  }

  stopwatch(name: string): () => number {
    const startedAt = now();
    const count = this.#count(name);
    let isRead = false;
    return () => {
      const ms = now() - startedAt;
      if (isRead) return this.time(`${name} (later)`, ms);
      isRead = true;
      return this.#keepTime(name, count, ms);
    };
  }

  time(name: string, ms: number): number {
    return this.#keepTime(name, this.#count(name), ms);
  }

  connect(address: string): void {
    if (this.#options.allowed(address)) return;
    if (this.#isOver) this.#options.tellLate(`a connection to ${address}`);
    if (this.#options.mode !== 'replay') {
      this.#unseen.add(address);
      return;
    }
    throw this.#miss(
      `a connection to ${address} cannot be replayed: it is neither fetch nor node:http; allow it with "tapes": {"allow": ["${address}"]} in assay.config`,
    );
  }

  /** Resolves when everything that was sent is answered; nothing if it is. */
  rest(): Promise<unknown> | undefined {
    const open = this.#made.filter((recorder) => !recorder.isOver);
    return open.length === 0 ? undefined : Promise.all(open.map((recorder) => recorder.whenOver()));
  }

  /** Ends it; what is not answered yet stays without an answer. */
  report(status: Status): TapeReport {
    const { mode, run, recorded } = this.#options;
    this.#isOver = true;
    const report: TapeReport = mode !== 'record' && recorded !== undefined ? { isFound: true } : {};
    if (this.#unseen.size > 0) report.unseen = [...this.#unseen];
    const made = withoutSuperseded(this.#made);
    if (mode === 'record' || made.length > 0) {
      const kept =
        mode === 'record' ? [] : (recorded?.exchanges ?? []).filter(({ response }) => response !== undefined);
      report.recorded = { run, exchanges: [...kept, ...made], times: cleanTimes(this.#times) };
      report.added = made.length;
      if (status === 'timeout') report.recorded.ended = 'timeout';
    }
    // Who did not get to the end has not asked for everything.
    if (mode !== 'record' && status !== 'error' && status !== 'timeout') {
      const unused = this.#recordings.unused();
      if (unused.length > 0)
        report.unused = unused.map(({ index, request }) => ({ index, name: nameOf(request) }));
    }
    return report;
  }

  /** The answer during which the time was over does not end this time either. */
  #untilTimeout(found: Exchange, listener: ResponseListener): ResponseListener {
    const { recorded } = this.#options;
    const { timedOut } = this;
    const isLast = recorded?.ended === 'timeout' && recorded.exchanges.at(-1) === found;
    if (!isLast || timedOut === undefined) return listener;
    return {
      head: (status, headers) => listener.head(status, headers),
      data: (piece) => listener.data(piece),
      fail: (error) => listener.fail(error),
      end: (isComplete) => (isComplete ? listener.end(true) : timedOut()),
    };
  }

  /** The request as it stands on tapes and its recording, which is nothing if it is to be made; or why there is none. */
  #look(read: () => TapedRequest): Looked {
    try {
      const request = read();
      const late = this.#late(nameOf(request));
      if (late !== undefined) return { error: late };
      const found = this.#find(request);
      return found instanceof AttemptError ? { error: found } : { request, found };
    } catch (error) {
      // What cannot be written down cannot be looked for.
      return { error: this.#miss(`a request cannot be recorded or replayed: ${messageOf(error)}`) };
    }
  }

  /** Traffic of an attempt that is over belongs to nobody: it is told, and in a replay refused. */
  #late(name: string): AttemptError | undefined {
    if (!this.#isOver) return undefined;
    this.#options.tellLate(name);
    return this.#options.mode === 'replay'
      ? new AttemptError('replay', `${name} was asked for after the attempt was over`, { isFinal: true })
      : undefined;
  }

  /** The recording, nothing if it is to be made, or why there is none. */
  #find(request: TapedRequest): Exchange | AttemptError | undefined {
    const { mode, recorded, absence } = this.#options;
    if (mode === 'record') return undefined;
    const found = this.#recordings.take(request);
    if (found !== undefined) {
      if (found.response !== undefined) return found;
      if (mode === 'update') return undefined;
      if (recorded?.ended === 'timeout' && this.timedOut !== undefined) queueMicrotask(this.timedOut);
      else this.#hanging = nameOf(request);
      return found;
    }
    if (mode === 'update') return undefined;
    const elsewhere = isForAll(request) ? this.#options.elsewhere(request) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    const why = recorded === undefined ? absence : `${this.#recordings.explain(request)}${absence}`;
    return this.#miss(`no recording of ${nameOf(request)}: ${why}`);
  }

  #miss(message: string): AttemptError {
    const error = new AttemptError('replay', message, { isFinal: true });
    if (this.#problem !== undefined) return error;
    this.#problem = error;
    // Whatever the agent would make of it, nothing of it counts.
    if (this.missed !== undefined) queueMicrotask(this.missed);
    return error;
  }

  #record(request: TapedRequest, isRetried = false): ExchangeRecorder {
    const recorder = new ExchangeRecorder(request, isRetried);
    this.#made.push(recorder);
    return recorder;
  }

  /** How often this was measured before. */
  #count(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  #keepTime(name: string, count: number, measured: number): number {
    const { mode, recorded } = this.#options;
    const ms = (mode === 'record' ? undefined : recorded?.times[name]?.[count]) ?? rounded(measured);
    (this.#times[name] ??= [])[count] = ms;
    return ms;
  }

  #isAllowed(url: string): boolean {
    return URL.canParse(url) && this.#options.allowed(addressOf(url));
  }
}

/** Nothing will ever be heard of it. */
const NEVER: Sending = { cancel: () => undefined };

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function toTaped({ method, url, type, body }: WireRequest): TapedRequest {
  const taped = tapedRequestBody(body, type);
  if ('json' in taped) taped.json = withoutCredentials(taped.json);
  if (taped.text !== undefined) taped.text = textWithoutCredentials(taped.text);
  return { method: method.toUpperCase(), url: cleanUrl(url), ...taped };
}

function failLater(listener: ResponseListener, error: Error): Sending {
  let isCancelled = false;
  queueMicrotask(() => {
    if (!isCancelled) listener.fail(error);
  });
  return {
    cancel() {
      isCancelled = true;
    },
  };
}

/** A request that Assay itself sent again is known by its last answer; one that is asked at any time, too. */
function withoutSuperseded(made: readonly ExchangeRecorder[]): Exchange[] {
  const exchanges = made.map((recorder) => recorder.exchange());
  const texts = exchanges.map(({ request }) => JSON.stringify(request));
  return exchanges.filter(({ request, response }, index) => {
    const isLast = texts.lastIndexOf(texts[index] ?? '') === index;
    const isRefused = made[index]?.isRetried === true && isRefusal(response);
    return isLast || !(isRefused || isRepeatable(request));
  });
}

/** A watch that was never read has left a hole. */
function cleanTimes(times: Record<string, number[]>): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(times).map(([name, values]) => [name, Array.from(values, (value) => value ?? 0)]),
  );
}

function headerFields(entries: [string, string][]): HeaderFields {
  return Object.fromEntries(entries);
}

/** As it is on the tape, so that the first answer is the same as the replayed one. */
function plainJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  if (text !== undefined && isDeep(text)) throw new Error('it is nested too deeply');
  return text === undefined ? null : (JSON.parse(text) as unknown);
}
