// What is different in two tapes of the same case: what was asked, and what was answered.

import { isObject } from '../json/is-object.ts';
import { piecesOf } from './body.ts';
import { differencesOf, focused, nameOf } from './match.ts';
import type { Normalizer } from './normalize.ts';
import { canonical } from './normalize.ts';
import type { Exchange, TapedResponse, TapeFile } from './tape-file.ts';

/** One difference. `what`: `request`, `answer`, `runs`, or `requests` if there are more or fewer of them. */
export type TapeChange = {
  run: number;
  /** From 1; nothing if it is about the run as a whole. */
  exchange?: number;
  request?: string;
  what: 'answer' | 'request' | 'requests' | 'runs';
  /** Where in it, if it is JSON. */
  path?: string;
  before: string;
  after: string;
};

/** So many places of one answer are told. */
const MAX_PLACES = 5;
/** What answers say that is not about the question. */
const IGNORED = new Set(['created', 'created_at', 'id', 'system_fingerprint', 'usage']);
/** The parts of streamed answers that make up what was said. */
const SAID = new Set([
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

/** All differences, in the order of runs and requests. */
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
    for (const [exchange, other, index] of pairsOf(old.exchanges, now.exchanges, normalizer)) {
      const place = { run, exchange: index + 1, request: nameOf(exchange.request) };
      for (const change of compareExchanges(exchange, other, normalizer))
        changes.push({ ...place, ...change });
    }
  }
  return changes;
}

/** What belongs together: the same request, wherever it stands; what is left in the order it has, if it goes to the same place. */
function pairsOf(
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
  keepBy((one, other) => nameOf(one.request) === nameOf(other.request));
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
    const [was, is] = [saidIn(old), saidIn(now)];
    const [shownBefore, shownAfter] = focused(was, is);
    const isSame = normalizer.text(was) === normalizer.text(is);
    const said: Change[] = isSame ? [] : [{ what: 'answer', before: shownBefore, after: shownAfter }];
    const [head, other] = [old, now].map(headOf);
    return [...places(head, other, 'answer', normalizer), ...said];
  }
  return places(answerOf(old), answerOf(now), 'answer', normalizer);
}

function places(
  before: unknown,
  after: unknown,
  what: 'answer' | 'request',
  normalizer: Normalizer,
): Change[] {
  const found: Change[] = [];
  for (const difference of differencesOf(before, after, '')) {
    const { path } = difference;
    if (IGNORED.has(path.slice(path.lastIndexOf('.') + 1))) continue;
    if (canonicalText(difference.before, normalizer) === canonicalText(difference.after, normalizer))
      continue;
    const [old, now] = focused(difference.before, difference.after);
    found.push({ what, ...(path !== '' && { path }), before: old, after: now });
    if (found.length === MAX_PLACES) break;
  }
  return found;
}

function canonicalText(value: unknown, { text }: Normalizer): string {
  return value === undefined ? '' : text(canonical(value, IGNORED));
}

/** What of a response is an answer: not the time it took. */
function answerOf(response: TapedResponse | undefined): unknown {
  if (response === undefined) return {};
  if ('failure' in response) return { failure: response.failure };
  if ('result' in response) return response.result;
  const { status, headers, json, text, base64, ended } = response;
  const location = headers?.['location'];
  const said = response.stream === undefined ? { json, text, base64 } : { text: saidIn(response) };
  return { status, location, ended, ...said };
}

function headOf(response: TapedResponse | undefined): object {
  if (response === undefined || !('status' in response)) return {};
  const { status, headers, ended } = response;
  return { status, location: headers?.['location'], ended };
}

function streamed(response: TapedResponse | undefined): unknown {
  return response !== undefined && 'stream' in response ? response.stream : undefined;
}

/** The text that a streamed answer adds up to; what cannot be understood is taken as it is. */
function saidIn(response: TapedResponse | undefined): string {
  if (response === undefined || !('status' in response)) return '';
  let said = '';
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect);
    if (!isObject(value)) return;
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === 'string' && SAID.has(name)) said += field;
      else collect(field);
    }
  };
  for (const piece of response.stream ?? []) if (typeof piece !== 'string') collect(piece.data);
  return said === '' ? piecesOf(response).map(String).join('') : said;
}
