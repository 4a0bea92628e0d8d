// Records one exchange: the request and its response, with the time of every piece.

import type { AttemptError } from '../errors.ts';
import type { HeaderFields, ResponseListener } from '../platform/tape-scope.ts';
import type { Arrived } from './body.ts';
import { tapedResponseBody } from './body.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { secretsInAnswer } from '../secrets/secrets.ts';
import type { Found } from './secrets.ts';
import { cleanUrl, textWithoutCredentials, withoutCredentials } from './secrets.ts';
import type { Exchange, Piece, TapedRequest, TapedResponse } from './tape-file.ts';

/** Kept before user code can replace it. */
const now = performance.now.bind(performance);

/** Response headers that are not recorded: transport, server, time and secrets. */
const DROPPED =
  /^(?:access-control-.*|age|alt-svc|cache-control|cf-.*|connection|content-encoding|content-length|content-security-policy|date|etag|expires|keep-alive|last-modified|nel|pragma|report-to|request-id|server|server-timing|set-cookie|strict-transport-security|trailer|transfer-encoding|vary|via|x-cache.*|x-content-type-options|x-frame-options|x-powered-by|x-ratelimit-.*|x-request-id|x-xss-protection)$/;

/** The recording can be read at any time, also before the response ends. */
export class ExchangeRecorder implements ResponseListener {
  readonly #request: TapedRequest;
  readonly #startedAt = now();
  #arrived: Arrived[] = [];
  #head: { status: number; headers: Record<string, string>; afterMs: number } | undefined;
  #response: TapedResponse | undefined;
  #isOver = false;
  #tellOver: (() => void)[] = [];

  /** The sender retries refusals, so only the last answer matters. */
  readonly isRetried: boolean;

  /** Takes the credentials in the answer. */
  readonly #found: Found;

  constructor(request: TapedRequest, found: Found, isRetried = false) {
    this.isRetried = isRetried;
    this.#found = found;
    this.#request = request;
  }

  /** Wraps a listener to record what it receives. */
  tap(listener: ResponseListener): ResponseListener {
    return {
      head: (status, headers) => {
        this.head(status, headers);
        listener.head(status, headers);
      },
      data: (piece) => {
        this.data(piece);
        listener.data(piece);
      },
      end: (isComplete) => {
        this.end(isComplete);
        listener.end(isComplete);
      },
      fail: (error) => {
        this.fail(error);
        listener.fail(error);
      },
    };
  }

  head(status: number, headers: HeaderFields): void {
    this.#found(secretsInAnswer(headerLines(headers)));
    this.#head = { status, headers: keptHeaders(headers), afterMs: this.#elapsed() };
  }

  data(piece: string | Uint8Array): void {
    // Copy it: the sender may reuse the buffer.
    const kept = typeof piece === 'string' ? piece : Uint8Array.from(piece);
    if (kept.length > 0) this.#arrived.push({ piece: kept, atMs: this.#elapsed() });
  }

  end(isComplete: boolean): void {
    this.#end(this.#answered(isComplete));
    this.#arrived = [];
  }

  fail(error: Error): void {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    this.#end({ failure: { code, message: error.message }, after_ms: this.#elapsed() });
  }

  refuse({ code, message, isFinal }: AttemptError): void {
    const failure = { code, message, ...(isFinal && { is_final: true as const }) };
    this.#end({ failure, after_ms: this.#elapsed() });
  }

  result(result: unknown): void {
    this.#end({ result, after_ms: this.#elapsed() });
  }

  exchange(): Exchange {
    const response = this.#response ?? (this.#head === undefined ? undefined : this.#answered(false));
    return response === undefined ? { request: this.#request } : { request: this.#request, response };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  whenOver(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) resolve();
      else this.#tellOver.push(resolve);
    });
  }

  #end(response: TapedResponse | undefined): void {
    this.#isOver = true;
    this.#response ??= response;
    for (const tell of this.#tellOver.splice(0)) tell();
  }

  #answered(isComplete: boolean): TapedResponse | undefined {
    if (this.#head === undefined) return undefined;
    const { status, headers, afterMs } = this.#head;
    const body = tapedResponseBody(this.#arrived, headers['content-type'] ?? '');
    if ('json' in body) body.json = withoutCredentials(body.json, this.#found);
    if (body.text !== undefined) body.text = textWithoutCredentials(body.text, this.#found);
    if (body.stream !== undefined) body.stream = withoutCredentials(body.stream, this.#found) as Piece[];
    return {
      status,
      ...(Object.keys(headers).length > 0 && { headers }),
      after_ms: afterMs,
      ...body,
      ...(!isComplete && { ended: 'early' as const }),
    };
  }

  #elapsed(): number {
    return Math.round((now() - this.#startedAt) * 10) / 10;
  }
}

function headerLines(headers: HeaderFields): [string, string][] {
  return Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((line): [string, string] => [name, line]),
  );
}

function keptHeaders(headers: HeaderFields): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (value === undefined || DROPPED.test(key) || isCredentialName(key)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    kept[key] = /^(?:content-)?location$/.test(key) ? cleanUrl(text) : text;
  }
  return kept;
}
