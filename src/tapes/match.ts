// Finds the recording that answers a request, or the closest one for the error message.

import { isObject } from '../json/is-object.ts';
import { textSimilarity } from '../text/similarity.ts';
import type { Normalizer } from './normalize.ts';
import { matchesMasked, TAPE_MASK } from './secrets.ts';
import type { Exchange, TapedRequest, TapedResponse } from './tape-file.ts';
import { isTransientStatus } from '../platform/http-status.ts';
import { ellipsize } from '../text/cut-text.ts';

type Entry = { exchange: Exchange; index: number; isUsed: boolean; exact?: string; normal?: string };

/** Differences shown in a message. */
const MAX_SHOWN = 4;
/** Characters shown of each side. */
const MAX_LENGTH = 60;
/** Recordings compared to find the nearest one. */
const MAX_CANDIDATES = 50;
/** Characters compared to find the nearest one. */
const COMPARED = 4000;

/** The recordings of one attempt; each answers one request. */
export class Recordings {
  readonly #entries: Entry[];
  readonly #normalizer: Normalizer;
  /** Those that answer requests of this process; on older tapes it is not known which process made a request. */
  readonly #own: Entry[];

  constructor(exchanges: readonly Exchange[], normalizer: Normalizer, by?: 'judge') {
    this.#entries = exchanges.map((exchange, index) => ({ exchange, index, isUsed: false }));
    this.#normalizer = normalizer;
    const isKnown = exchanges.some((exchange) => exchange.by !== undefined);
    this.#own = isKnown ? this.#entries.filter(({ exchange }) => exchange.by === by) : this.#entries;
  }

  /** Takes the first unused recording that is equal, else one that is equal after normalisation. */
  take(request: TapedRequest): Exchange | undefined {
    const free = this.#own.filter(({ isUsed }) => !isUsed);
    const again = this.#own.filter(
      ({ exchange, isUsed }) => isUsed && (isRefusal(exchange.response) || isRepeatable(exchange.request)),
    );
    const found = this.#among(free, request) ?? this.#among(again, request);
    if (found === undefined) return undefined;
    found.isUsed = true;
    return found.exchange;
  }

  #among(entries: readonly Entry[], request: TapedRequest): Entry | undefined {
    if (entries.length === 0) return undefined;
    const exact = this.#normalizer.exact(request);
    return (
      entries.find((entry) => this.#exact(entry) === exact) ??
      this.#similar(entries, this.#normalizer.normal(request))
    );
  }

  /** Recordings that no request used, without those that any attempt may use. */
  unused(): { index: number; request: TapedRequest }[] {
    return this.#entries
      .filter(({ isUsed, exchange }) => !isUsed && !isShared(exchange.request))
      .map(({ index, exchange }) => ({ index, request: exchange.request }));
  }

  /** Explains why there is no recording: the nearest one and its differences. */
  explain(request: TapedRequest): string {
    if (this.#own.length === 0) return 'nothing is recorded for this attempt';
    const normal = this.#normalizer.normal(request);
    const used = this.#own.filter((entry) => entry.isUsed && this.#normal(entry) === normal);
    if (used.length > 0) return `it was recorded ${times(used.length)} and is asked for once more`;
    const nearest = this.#nearest(request);
    const isSame = requestName(nearest.exchange.request) === requestName(request);
    const name = isSame ? '' : `${requestName(nearest.exchange.request)}, `;
    const place = `nearest: ${name}request ${String(nearest.index + 1)} of the recording`;
    return `${this.#differences(nearest.exchange.request, request)} (${place})`;
  }

  #similar(free: readonly Entry[], normal: string): Entry | undefined {
    const masked = free.filter((entry) => this.#normal(entry).includes(TAPE_MASK));
    return (
      free.find((entry) => this.#normal(entry) === normal) ??
      masked.find((entry) => matchesMasked(normal, this.#normal(entry))) ??
      // A key that is part of an id, such as a longer hex text, is normalised together with it.
      masked.find((entry) => matchesMasked(normal, this.#normal(entry), { isWide: true }))
    );
  }

  #nearest(request: TapedRequest): Entry {
    const kind = requestGroup(request);
    const free = this.#own.filter(({ isUsed }) => !isUsed);
    const all = free.length > 0 ? free : this.#own;
    const alike = all.filter(({ exchange }) => requestGroup(exchange.request) === kind);
    const candidates = (alike.length > 0 ? alike : all).slice(0, MAX_CANDIDATES);
    const exact = this.#normalizer.exact(request);
    let best: Entry | undefined;
    let bestScore = -1;
    for (const entry of candidates) {
      const score = similarity(exact, this.#exact(entry));
      if (score <= bestScore) continue;
      best = entry;
      bestScore = score;
    }
    if (best === undefined) throw new Error('nothing is recorded');
    return best;
  }

  #differences(recorded: TapedRequest, asked: TapedRequest): string {
    const { text } = this.#normalizer;
    const found = [...findDifferences(recorded, asked, '')].filter(({ before, after }) => {
      const areTexts = typeof before === 'string' && typeof after === 'string';
      return !areTexts || (text(before) !== text(after) && !matchesMasked(after, before));
    });
    if (found.length === 0) return 'it differs only in ignored parts';
    const shown = found.slice(0, MAX_SHOWN).map(({ path, before, after }) => {
      const [a, b] = focused(before, after);
      return `${path} was ${a}, is ${b}`;
    });
    const more = found.length > MAX_SHOWN ? `; and ${String(found.length - MAX_SHOWN)} more differences` : '';
    return shown.join('; ') + more;
  }

  #exact(entry: Entry): string {
    return (entry.exact ??= this.#normalizer.exact(entry.exchange.request));
  }

  #normal(entry: Entry): string {
    return (entry.normal ??= this.#normalizer.normal(entry.exchange.request));
  }
}

/** A refusal may be replayed any number of times, because the number of retries varies. */
export function isRefusal(response: TapedResponse | undefined): boolean {
  if (response === undefined) return false;
  if ('failure' in response) return true;
  return 'status' in response && isTransientStatus(response.status);
}

/** Requests whose number varies, because attempts share the answers. */
export function isRepeatable({ method }: TapedRequest): boolean {
  return method === 'tools/list' || method === 'agent/card';
}

/** Requests that a program sends once for all attempts, such as tokens and discovery; any attempt may be the first. */
export function isShared(request: TapedRequest): boolean {
  if ('to' in request) return isRepeatable(request);
  const { url, text = '', json } = request;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  if (
    /\/(?:\.well-known|authorize|discovery|jwks|login|oauth2?|openapi\.json|session|token)(?:\/|$)/i.test(
      path,
    )
  )
    return true;
  return text.includes('grant_type=') || (isObject(json) && 'grant_type' in json);
}

/** `POST https://api.example.com/v1/chat/completions` */
export function requestName(request: TapedRequest): string {
  return 'to' in request ? `${request.method} ${request.to}` : `${request.method} ${request.url}`;
}

function requestGroup(request: TapedRequest): string {
  if ('to' in request) return requestName(request);
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : request.url;
  return `${request.method} ${path}`;
}

/** Compares the beginnings and the ends, because conversations differ at their ends. */
function similarity(first: string, second: string): number {
  const ends = (text: string): string =>
    text.length <= COMPARED ? text : text.slice(0, COMPARED / 2) + text.slice(-COMPARED / 2);
  return textSimilarity(ends(first), ends(second));
}

type Difference = { path: string; before: unknown; after: unknown };

/** Yields the innermost differences of two values. */
export function* findDifferences(before: unknown, after: unknown, path: string): Generator<Difference> {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1)
      yield* findDifferences(before[index], after[index], `${path}[${String(index)}]`);
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* findDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`);
    return;
  }
  yield { path, before, after };
}

/** Excerpts of both values around their first difference. */
export function focused(before: unknown, after: unknown): [string, string] {
  if (typeof before !== 'string' || typeof after !== 'string') return [shown(before), shown(after)];
  let same = 0;
  while (same < Math.min(before.length, after.length) && before[same] === after[same]) same += 1;
  const from = Math.max(0, same - 20);
  const cut = (text: string): string => (from > 0 ? '…' : '') + text.slice(from);
  return [shown(cut(before)), shown(cut(after))];
}

function shown(value: unknown): string {
  return ellipsize(JSON.stringify(value) ?? 'nothing', MAX_LENGTH);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${String(count)} times`;
}
