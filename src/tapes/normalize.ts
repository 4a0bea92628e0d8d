// Normalises requests for comparison: removes ids, times and other parts that differ every time.

import { isObject } from '../json/is-object.ts';
import type { TapedRequest } from './tape-file.ts';

/** The user's rules: names of fields to ignore, and patterns to replace. */
export type TapeRules = { ignore?: string[]; replace?: { pattern: string; with: string }[] };

export type Replace = (text: string) => string;

export type Normalizer = {
  /** The exact text, without secrets and with fields in a fixed order. */
  exact(request: TapedRequest): string;
  /** Without ids, times and the parts that the rules name. */
  normal(request: TapedRequest): string;
  /** The same for a text alone. */
  text: Replace;
};

const ID_FIELDS = new Set([
  'call_id',
  'idempotency_key',
  'idempotencyKey',
  'message_id',
  'messageId',
  'request_id',
  'requestId',
  'toolCallId',
  'tool_call_id',
  'tool_use_id',
  'toolcall_id',
  'trace_id',
  'traceId',
]);
/** Lists whose items have a generated `id`. */
const ID_LISTS = new Set(['tool_calls', 'toolCalls']);
/** Types of items with a generated `id`. */
const ID_TYPES = new Set([
  'function',
  'function_call',
  'message',
  'reasoning',
  'tool-call',
  'tool_call',
  'tool_use',
]);

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*';

/** Longest first, so that a part is not replaced before the whole. */
const PATTERNS: [RegExp, string][] = [
  // In the JSON message to a simulator, recordings of earlier versions lack these fields.
  [/\\+"(?:turn_number\\+":\d+|checkpoints_(?:reached|pending)\\+":\[[^\]]*\]),/g, ''],
  // Local servers listen on random ports.
  [/\b(127\.0\.0\.1|localhost):\d+\b/g, '$1:<port>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [new RegExp(`\\b(?:${DAY},? )?${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b`, 'g'), '<date>'],
  [new RegExp(`\\b(?:${DAY},? )?\\d{1,2}\\.? ${MONTH}\\.?,? \\d{4}\\b`, 'g'), '<date>'],
  [/\b\d{4}[-/]\d\d[-/]\d\d\b/g, '<date>'],
  [/\b\d{1,2}[./]\d{1,2}[./]20\d\d\b/g, '<date>'],
  [/\b\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M\b)?/gi, '<clock>'],
  // Ids of model services, such as call_9f8e7d6c or chatcmpl-Abc123.
  [
    /\b(call|chatcmpl|fc|gen|msg|req|resp|rs|run|thread|toolu|toolcall)[_-](?=[\w-]{0,64}\d|[A-Za-z]{16})[\w-]+/g,
    '<$1>',
  ],
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '<ulid>'],
  [/\b(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{16,64}\b/g, '<hex>'],
  // Durations, also in JSON inside JSON strings.
  [/(_ms\\*":\s*)\d+(?:\.\d+)?/g, '$1<ms>'],
  // Seconds and milliseconds since 1970, from 2017 to 2050.
  [/\b(?:1[5-9]|2[0-4])\d{8}(?:\d{3})?\b/g, '<epoch>'],
];

/** Compiles the rules. `compile` parses a pattern of the user. */
export function createNormalizer(
  { ignore = [], replace = [] }: TapeRules,
  compile: (pattern: string, replacement: string) => Replace,
): Normalizer {
  const ignored = new Set(ignore);
  const own = replace.map(({ pattern, with: replacement }) => compile(pattern, replacement));
  const normalText: Replace = (text) => {
    const custom = own.reduce((rest, change) => change(rest), text);
    return PATTERNS.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), custom);
  };
  return {
    text: normalText,
    exact: (request) => requestText(request, (value) => JSON.stringify(value), identity),
    normal: (request) =>
      requestText(request, (value) => normalText(canonical(value, ignored)), normalText, ignored),
  };
}

function requestText(
  request: TapedRequest,
  write: (value: unknown) => string,
  change: Replace,
  ignored?: ReadonlySet<string>,
): string {
  if ('to' in request) return `${request.method} ${request.to}\n${write(request.params)}`;
  const { method, url, json, text, base64 } = request;
  // Bytes are compared as text, because a mask in them is no base64.
  const plain = text ?? (base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('latin1'));
  const body = plain === undefined ? (json === undefined ? '' : write(json)) : change(plain);
  return `${method} ${change(ignored === undefined ? url : withoutParameters(url, ignored))}\n${body}`;
}

function withoutParameters(url: string, ignored: ReadonlySet<string>): string {
  if (ignored.size === 0 || !url.includes('?') || !URL.canParse(url)) return url;
  const address = new URL(url);
  for (const name of new Set(address.searchParams.keys()))
    if (ignored.has(name)) address.searchParams.delete(name);
  return address.href;
}

/** JSON with sorted fields and without ignored ones. */
export function canonical(value: unknown, ignored: ReadonlySet<string>): string {
  return JSON.stringify(plain(value, ignored, ''));
}

function plain(value: unknown, ignored: ReadonlySet<string>, list: string): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, ignored, list));
  if (!isObject(value)) return value;
  const hasOwnId = ID_LISTS.has(list) || 'jsonrpc' in value || ID_TYPES.has(String(value['type']));
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value).sort()) {
    if (ignored.has(name)) continue;
    const isId = ID_FIELDS.has(name) || (name === 'id' && hasOwnId);
    fields.push([name, isId ? '<id>' : plain(value[name], ignored, name)]);
  }
  return Object.fromEntries(fields);
}

function identity(text: string): string {
  return text;
}
