// Compares two tapes of the same case: requests and answers.

import { isObject } from '../json/is-object.ts';
import { bodyPieces } from './body.ts';
import { findDifferences, focused, requestName } from './match.ts';
import type { Normalizer } from './normalize.ts';
import { canonical } from './normalize.ts';
import type { Exchange, TapedResponse, TapeFile } from './tape-file.ts';

/** One difference. `what`: `request`, `answer`, `runs`, or `requests` if there are more or fewer of them. */
export type TapeChange = {
  run: number;
  /** The number of the exchange, from 1; undefined if the whole run differs. */
  exchange?: number;
  request?: string;
  what: 'answer' | 'request' | 'requests' | 'runs';
  /** The path in the JSON. */
  path?: string;
  before: string;
  after: string;
};

/** Differences reported per answer. */
const MAX_DIFFERENCES = 5;
/** Fields of answers that differ every time. */
const IGNORED = new Set(['created', 'created_at', 'id', 'system_fingerprint', 'usage']);
/** Fields of streamed events that hold pieces of the answer's text. */
const TEXT_FIELDS = new Set([
  'finish_reason',
  'stop_reason',
  'arguments',
  'content',
  'name',
  'partial_json',
  'reasoning_content',
  'refusal',
  'text',
  'thinking',
]);

/** Returns all differences, in the order of runs and requests. */
export function compareTapes(before: TapeFile, after: TapeFile, normalizer: Normalizer): TapeChange[] {
  const changes: TapeChange[] = [];
  const numbers = new Set([...before.runs, ...after.runs].map(({ run }) => run));
  for (const run of [...numbers].sort((a, b) => a - b)) {
    const [old, now] = [before, after].map((tape) => tape.runs.find((one) => one.run === run));
    if (old === undefined || now === undefined) {
      const side = (there: unknown): string => (there === undefined ? 'not recorded' : 'recorded');
      changes.push({ run, what: 'runs', before: side(old), after: side(now) });
      continue;
    }
    if (old.exchanges.length !== now.exchanges.length) {
      const [was, is] = [old, now].map(({ exchanges }) => `${String(exchanges.length)} requests`);
      changes.push({ run, what: 'requests', before: was ?? '', after: is ?? '' });
    }
    for (const [exchange, other, index] of pairExchanges(old.exchanges, now.exchanges, normalizer)) {
      const place = { run, exchange: index + 1, request: requestName(exchange.request) };
      for (const change of compareExchanges(exchange, other, normalizer))
        changes.push({ ...place, ...change });
    }
  }
  return changes;
}

/** Pairs equal requests at any position, then the remaining ones with the same method and URL in order. */
function pairExchanges(
  before: readonly Exchange[],
  after: readonly Exchange[],
  { normal }: Normalizer,
): [Exchange, Exchange, number][] {
  const left = [...after];
  const take = (is: (other: Exchange) => boolean): Exchange | undefined => {
    const at = left.findIndex(is);
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  const pairs = new Map<number, Exchange>();
  const keepBy = (same: (one: Exchange, other: Exchange) => boolean): void => {
    for (const [index, one] of before.entries()) {
      const other = pairs.has(index) ? undefined : take((candidate) => same(one, candidate));
      if (other !== undefined) pairs.set(index, other);
    }
  };
  keepBy((one, other) => normal(one.request) === normal(other.request));
  keepBy((one, other) => requestName(one.request) === requestName(other.request));
  return before.flatMap((one, index): [Exchange, Exchange, number][] => {
    const other = pairs.get(index);
    return other === undefined ? [] : [[one, other, index]];
  });
}

type Change = Omit<TapeChange, 'exchange' | 'request' | 'run'>;

function compareExchanges(before: Exchange, after: Exchange, normalizer: Normalizer): Change[] {
  if (normalizer.normal(before.request) !== normalizer.normal(after.request))
    return places(before.request, after.request, 'request', normalizer);
  const [old, now] = [before.response, after.response];
  if (streamed(old) !== undefined && streamed(now) !== undefined) {
    const [was, is] = [streamedText(old), streamedText(now)];
    const [shownBefore, shownAfter] = focused(was, is);
    const isSame = normalizer.text(was) === normalizer.text(is);
    const said: Change[] = isSame ? [] : [{ what: 'answer', before: shownBefore, after: shownAfter }];
    const [head, other] = [old, now].map(statusAndHeaders);
    return [...places(head, other, 'answer', normalizer), ...said];
  }
  return places(answerContent(old), answerContent(now), 'answer', normalizer);
}

function places(
  before: unknown,
  after: unknown,
  what: 'answer' | 'request',
  normalizer: Normalizer,
): Change[] {
  const found: Change[] = [];
  for (const difference of findDifferences(before, after, '')) {
    const { path } = difference;
    if (IGNORED.has(path.slice(path.lastIndexOf('.') + 1))) continue;
    if (canonicalText(difference.before, normalizer) === canonicalText(difference.after, normalizer))
      continue;
    const [old, now] = focused(difference.before, difference.after);
    found.push({ what, ...(path !== '' && { path }), before: old, after: now });
    if (found.length === MAX_DIFFERENCES) break;
  }
  return found;
}

function canonicalText(value: unknown, { text }: Normalizer): string {
  return value === undefined ? '' : text(canonical(value, IGNORED));
}

/** A response without its timing. */
function answerContent(response: TapedResponse | undefined): unknown {
  if (response === undefined) return {};
  if ('failure' in response) return { failure: response.failure };
  if ('result' in response) return response.result;
  const { status, headers, json, text, base64, ended } = response;
  const location = headers?.['location'];
  const said = response.stream === undefined ? { json, text, base64 } : { text: streamedText(response) };
  return { status, location, ended, ...said };
}

function statusAndHeaders(response: TapedResponse | undefined): object {
  if (response === undefined || !('status' in response)) return {};
  const { status, headers, ended } = response;
  return { status, location: headers?.['location'], ended };
}

function streamed(response: TapedResponse | undefined): unknown {
  return response !== undefined && 'stream' in response ? response.stream : undefined;
}

/** The text of a streamed answer; the raw body if its format is unknown. */
function streamedText(response: TapedResponse | undefined): string {
  if (response === undefined || !('status' in response)) return '';
  let said = '';
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect);
    if (!isObject(value)) return;
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === 'string' && TEXT_FIELDS.has(name)) said += field;
      else collect(field);
    }
  };
  for (const piece of response.stream ?? []) if (typeof piece !== 'string') collect(piece.data);
  return said === '' ? bodyPieces(response).map(String).join('') : said;
}
