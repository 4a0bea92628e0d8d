// The tape of one attempt: answers requests from the recording, or sends and records them.

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
import { hostAndPort } from './address.ts';
import { isDeep, tapedRequestBody } from './body.ts';
import { isShared, isRefusal, isRepeatable, requestName, Recordings } from './match.ts';
import type { Normalizer } from './normalize.ts';
import { play, playAnswer, wholeAnswer, wholeResult } from './play.ts';
import { ExchangeRecorder } from './record.ts';
import type { TrafficSecrets } from './attempt-secrets.ts';
import { AttemptSecrets } from './attempt-secrets.ts';
import type { Found } from './secrets.ts';
import { cleanUrl, textWithoutCredentials, withoutCredentials } from './secrets.ts';
import type { Exchange, TapedRequest, TapedRun } from './tape-file.ts';
import { TapedTimes } from './taped-times.ts';

/** Kept before user code can replace it. */
const now = performance.now.bind(performance);

export type TapeMode = 'record' | 'replay' | 'update';

export type AttemptTapeOptions = {
  mode: TapeMode;
  /** The judge of an attempt has another process than its agent, and requests of its own. */
  by?: 'judge' | undefined;
  run: number;
  /** The recording of this run of the case; undefined if it was never recorded. */
  recorded: TapedRun | undefined;
  /** Why there is no recording, or not one of the same agent. */
  absence: string;
  normalizer: Normalizer;
  /** Speed factor of the replay; undefined means without delays. */
  speed: number | undefined;
  /** Finds the recording of a request in the tape of another attempt. */
  elsewhere: (request: TapedRequest) => Exchange | undefined;
  /** Called for requests after the end of the attempt. */
  reportLate: (name: string) => void;
  /** Registers secrets for masking. */
  learn: (secrets: string[]) => void;
  /** The secrets in the traffic of this worker. */
  traffic: TrafficSecrets;
  /** True for addresses that may be reached without a recording. */
  allowed: (address: string) => boolean;
};

/** The result of an attempt's tape, for the coordinator. */
export type TapeReport = {
  /** There was a recording. */
  isFound?: true;
  /** The run to write and the number of its new exchanges. */
  recorded?: TapedRun;
  added?: number;
  /** The number of requests that recordings have answered. */
  answered?: number;
  /** Recordings that were not requested, by their position. */
  unused?: { index: number; name: string }[];
  /** Connections that cannot be recorded. */
  unseen?: string[];
};

type Looked = { error: AttemptError } | { request: TapedRequest; found: Exchange | undefined };

/** The tape of one attempt, which may send requests concurrently. */
export class AttemptTape implements Tape {
  readonly #options: AttemptTapeOptions;
  readonly #recordings: Recordings;
  /** In the order in which they started. */
  readonly #made: ExchangeRecorder[] = [];
  readonly #times: TapedTimes;
  readonly #secrets: AttemptSecrets;
  readonly #unseen = new Set<string>();
  #problem: AttemptError | undefined;
  #isOver = false;
  #answered = 0;
  /** The request that had no answer when it was recorded. */
  #hanging: string | undefined;
  /** Called when the attempt waits for an answer that never came when it was recorded. */
  timedOut: (() => void) | undefined;
  /** Called when a request has no recording. */
  missed: (() => void) | undefined;

  constructor(options: AttemptTapeOptions) {
    this.#options = options;
    this.#secrets = new AttemptSecrets(options.traffic, options.learn);
    const isPlayed = options.mode !== 'record';
    const exchanges = isPlayed ? (options.recorded?.exchanges ?? []) : [];
    this.#recordings = new Recordings(exchanges, options.normalizer, options.by);
    this.#times = new TapedTimes(isPlayed ? options.recorded?.times : undefined);
  }

  /** The error of an attempt that timed out waiting for an answer that was never recorded. */
  get hanging(): AttemptError | undefined {
    if (this.#hanging === undefined) return undefined;
    const text = `${this.#hanging} had no answer when it was recorded, and this time the agent waited for it`;
    return new AttemptError('replay', text, { isFinal: true });
  }

  /** Why the attempt cannot be replayed; it overrides the agent's answer. */
  get problem(): AttemptError | undefined {
    return this.#problem;
  }

  send(
    wire: WireRequest,
    listener: ResponseListener,
    live: (listener: ResponseListener) => Sending,
  ): Sending {
    if (this.#isAllowed(wire.url)) return withTape(undefined, () => live(listener));
    this.#learn(wire);
    const looked = this.#look(() => toTaped(wire, this.#secrets.add));
    if ('error' in looked) return failLater(listener, looked.error);
    const { request, found } = looked;
    if (found !== undefined && found.response === undefined) return NEVER;
    if (found !== undefined) return play(found, this.#untilTimeout(found, listener), this.#options.speed);
    const recorder = this.#record(request, wire.isRetried);
    return withTape(undefined, () => live(recorder.tap(listener)));
  }

  sendBlocking(wire: WireRequest, live: () => WholeAnswer): WholeAnswer {
    if (this.#isAllowed(wire.url)) return live();
    this.#learn(wire);
    const looked = this.#look(() => toTaped(wire, this.#secrets.add));
    if ('error' in looked) throw looked.error;
    const { request, found } = looked;
    if (found !== undefined)
      return found.response === undefined ? { problem: 'timeout' } : wholeAnswer(found);
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
    const looked = this.#look(() => ({
      ...call,
      params: withoutCredentials(plainJson(call.params), this.#secrets.add),
    }));
    if ('error' in looked) throw looked.error;
    const { request, found } = looked;
    if (found !== undefined && found.response === undefined) return new Promise(() => undefined);
    // The recorded answer has the type of this request.
    if (found !== undefined) return playAnswer(found, this.#options.speed) as Promise<T>;
    const recorder = this.#record(request);
    try {
      const answer = await withTape(undefined, live);
      recorder.result(withoutCredentials(plainJson(answer), this.#secrets.add));
      return answer;
    } catch (error) {
      // Record only failures of the other side, not a passed deadline.
      if (error instanceof AttemptError) recorder.refuse(error);
      throw error;
    }
  }

  askBlocking<T>(call: CallRequest, live: () => T): T {
    const looked = this.#look(() => ({
      ...call,
      params: withoutCredentials(plainJson(call.params), this.#secrets.add),
    }));
    if ('error' in looked) throw looked.error;
    const { request, found } = looked;
    // The recorded answer has the type of this request.
    if (found !== undefined) return wholeResult(found) as T;
    const recorder = this.#record(request);
    const answer = live();
    recorder.result(withoutCredentials(plainJson(answer), this.#secrets.add));
    return answer;
  }

  stopwatch(name: string): () => number {
    const startedAt = now();
    return this.#times.stopwatch(name, () => now() - startedAt);
  }

  time(name: string, ms: number): number {
    return this.#times.time(name, ms);
  }

  connect(address: string): void {
    if (this.#options.allowed(address)) return;
    if (this.#isOver) this.#options.reportLate(`a connection to ${address}`);
    if (this.#options.mode !== 'replay') {
      this.#unseen.add(address);
      return;
    }
    throw this.#miss(
      `a connection to ${address} cannot be replayed: it is neither fetch nor node:http; allow it with "tapes": {"allow": ["${address}"]} in assay.config`,
    );
  }

  /** Registers the secrets of the traffic that a value repeats; call it before the value is sent. */
  tell(value: unknown): void {
    this.#secrets.tell(value);
  }

  /** Resolves when all requests are answered; undefined if they are. */
  rest(): Promise<unknown> | undefined {
    const open = this.#made.filter((recorder) => !recorder.isOver);
    return open.length === 0 ? undefined : Promise.all(open.map((recorder) => recorder.whenOver()));
  }

  /** Ends the tape; pending requests stay without an answer. */
  report(status: Status): TapeReport {
    const { by, mode, run, recorded } = this.#options;
    this.#isOver = true;
    const report: TapeReport = mode !== 'record' && recorded !== undefined ? { isFound: true } : {};
    if (this.#unseen.size > 0) report.unseen = [...this.#unseen];
    if (this.#answered > 0) report.answered = this.#answered;
    const made = this.#secrets.mask(withoutSuperseded(this.#made));
    if (by !== undefined) for (const exchange of made) exchange.by = by;
    if (mode === 'record' || made.length > 0) {
      const kept =
        mode === 'record' ? [] : (recorded?.exchanges ?? []).filter(({ response }) => response !== undefined);
      report.recorded = { run, exchanges: [...kept, ...made], times: this.#times.all() };
      report.added = made.length;
      if (status === 'timeout') report.recorded.ended = 'timeout';
    }
    // An attempt that ended early has not sent all its requests.
    if (mode !== 'record' && status !== 'error' && status !== 'timeout') {
      const unused = this.#recordings.unused();
      if (unused.length > 0)
        report.unused = unused.map(({ index, request }) => ({ index, name: requestName(request) }));
    }
    return report;
  }

  /** An answer that was cut off by the recorded timeout does not end in the replay either. */
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

  /** The request as taped and its recording, undefined if it must be recorded; or why there is no recording. */
  #look(read: () => TapedRequest): Looked {
    try {
      const request = read();
      const late = this.#late(requestName(request));
      if (late !== undefined) return { error: late };
      const found = this.#find(request);
      return found instanceof AttemptError ? { error: found } : { request, found };
    } catch (error) {
      // A request that cannot be serialised cannot be matched.
      return { error: this.#miss(`a request cannot be recorded or replayed: ${messageOf(error)}`) };
    }
  }

  /** Requests after the end of the attempt are reported, and refused in a replay. */
  #late(name: string): AttemptError | undefined {
    if (!this.#isOver) return undefined;
    this.#options.reportLate(name);
    return this.#options.mode === 'replay'
      ? new AttemptError('replay', `${name} was requested after the attempt had ended`, { isFinal: true })
      : undefined;
  }

  /** The recording; undefined if the request must be sent; or the reason why no recording matches. */
  #find(request: TapedRequest): Exchange | AttemptError | undefined {
    const { mode, recorded, absence } = this.#options;
    if (mode === 'record') return undefined;
    const found = this.#recordings.take(request);
    if (found !== undefined) {
      if (found.response !== undefined) {
        this.#answered += 1;
        return found;
      }
      if (mode === 'update') return undefined;
      if (recorded?.ended === 'timeout' && this.timedOut !== undefined) queueMicrotask(this.timedOut);
      else this.#hanging = requestName(request);
      return found;
    }
    if (mode === 'update') return undefined;
    const elsewhere = isShared(request) ? this.#options.elsewhere(request) : undefined;
    if (elsewhere !== undefined) return elsewhere;
    const why = recorded === undefined ? absence : `${this.#recordings.explain(request)}${absence}`;
    return this.#miss(`no recording of ${requestName(request)}: ${why}`);
  }

  #miss(message: string): AttemptError {
    const error = new AttemptError('replay', message, { isFinal: true });
    if (this.#problem !== undefined) return error;
    this.#problem = error;
    // The attempt fails anyway: end it now.
    if (this.missed !== undefined) queueMicrotask(this.missed);
    return error;
  }

  #record(request: TapedRequest, isRetried = false): ExchangeRecorder {
    const recorder = new ExchangeRecorder(request, this.#secrets.add, isRetried);
    this.#made.push(recorder);
    return recorder;
  }

  #learn({ secrets = [], cookies = [] }: WireRequest): void {
    if (secrets.length > 0) this.#options.learn(secrets);
    this.#secrets.add([...secrets, ...cookies]);
  }

  #isAllowed(url: string): boolean {
    return URL.canParse(url) && this.#options.allowed(hostAndPort(url));
  }
}

/** A request that never gets a response. */
const NEVER: Sending = { cancel: () => undefined };

function toTaped({ method, url, type, body }: WireRequest, found: Found): TapedRequest {
  const taped = tapedRequestBody(body, type);
  if ('json' in taped) taped.json = withoutCredentials(taped.json, found);
  if (taped.text !== undefined) taped.text = textWithoutCredentials(taped.text, found);
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

/** Of requests that Assay retries or may repeat at any time, keeps the last answer only. */
function withoutSuperseded(made: readonly ExchangeRecorder[]): Exchange[] {
  const exchanges = made.map((recorder) => recorder.exchange());
  const texts = exchanges.map(({ request }) => JSON.stringify(request));
  return exchanges.filter(({ request, response }, index) => {
    const isLast = texts.lastIndexOf(texts[index] ?? '') === index;
    const isRefused = made[index]?.isRetried === true && isRefusal(response);
    return isLast || !(isRefused || isRepeatable(request));
  });
}

function headerFields(entries: [string, string][]): HeaderFields {
  return Object.fromEntries(entries);
}

/** A JSON copy, so that the first answer equals the replayed one. */
function plainJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  if (text !== undefined && isDeep(text)) throw new Error('it is nested too deeply');
  return text === undefined ? null : (JSON.parse(text) as unknown);
}
