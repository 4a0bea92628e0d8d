// Masks secrets on tapes, and matches requests against masked recordings.

import { isCredentialField, isCredentialName } from '../secrets/credential-name.ts';
import { isObject } from '../json/is-object.ts';
import { findStringEnd } from '../json/json-scan.ts';
import type { Redactor } from '../secrets/redact.ts';
import { secretsIn, secretsInFields } from '../secrets/secrets.ts';
import type { Exchange, TapeFile } from './tape-file.ts';

/** Replaces secrets on tapes; needs no escaping in URLs and JSON. */
export const TAPE_MASK = '__secret__';
/** Replaces secrets in replayed responses, as in logs. */
const SHOWN = '***';

/** Takes the values that are masked. */
export type Found = (secrets: string[]) => void;

/** A copy with the values of credential fields masked. */
export function withoutCredentials(value: unknown, found?: Found): unknown {
  if (found !== undefined) found(secretsInFields(value, isCredential));
  return maskedFields(value, found);
}

function maskedFields(value: unknown, found: Found | undefined): unknown {
  if (typeof value === 'string') return textWithoutCredentials(value, found);
  if (Array.isArray(value)) return value.map((item) => maskedFields(item, found));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isCredential(name, field) ? maskedValue(field) : maskedFields(field, found),
    ]),
  );
}

/** A field that is only called `token` holds a credential if its value looks like one: models name words so. */
function isCredential(name: string, value: unknown): boolean {
  if (isCredentialField(name)) return true;
  return /^token$/i.test(name) && typeof value === 'string' && RANDOM.test(value);
}

const RANDOM = /^(?=[^\d]*\d)(?=[^a-z]*[a-z])[\w.~+/=-]{20,}$/i;

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : TAPE_MASK;
  if (Array.isArray(value)) return value.map(maskedValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskedValue(field)]));
}

/**
 * Credentials in text: `"access_token": "…"` in JSON, also escaped inside JSON, `password=…`, multipart fields, elements
 * and attributes of XML, and lines of YAML.
 */
const IN_JSON = /"([\w-]{2,40})"\s*:\s*"/g;
const IN_ESCAPED_JSON = /(\\"([\w-]{2,40})\\"\s*:\s*\\")([^"\\]*)(?=\\")/g;
const IN_FORM = /((?<![^?&\n])([\w.-]{2,40})=)([^&\s"]+)/g;
const IN_PART = /(name="([\w-]{2,40})"(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n)([^\r\n]+)/g;

const IN_XML =
  /(<(?:[\w.-]{1,40}:)?([\w.-]{2,40})(?:\s[^<>]{0,200})?>\s{0,40}(?:<!\[CDATA\[)?)([^<\]\s][^<\]]*)/g;
const IN_ATTRIBUTE = /((?<=\s)(?:[\w.-]{1,40}:)?([\w.-]{2,40})=["'])([^"'<>]+)/g;
const IN_YAML =
  /((?<![^\n])[ \t]{0,40}(?:- )?([\w.-]{2,40}): {1,4}["']?)([^\s"',{}[\]]+)(?=["']?[ \t]{0,40}(?:\r?\n|$))/g;

/** Masks credentials in a text with JSON, a form, XML or YAML. */
export function textWithoutCredentials(text: string, found?: Found): string {
  if (!/auth|cookie|cred|jwt|key|pass|pw|secret|token/i.test(text)) return text;
  const masked = (whole: string, before: string, name: string, value: string): string => {
    if (value === TAPE_MASK || !isCredential(name, value)) return whole;
    found?.(secretsIn(value));
    return before + TAPE_MASK;
  };
  return maskJsonFields(text, found)
    .replaceAll(IN_ESCAPED_JSON, masked)
    .replaceAll(IN_FORM, masked)
    .replaceAll(IN_PART, masked)
    .replaceAll(IN_XML, masked)
    .replaceAll(IN_ATTRIBUTE, masked)
    .replaceAll(IN_YAML, masked);
}

/** Finds the end of a value by hand: a pattern for it overflows the stack on values of megabytes. */
function maskJsonFields(text: string, found: Found | undefined): string {
  let masked = '';
  let from = 0;
  IN_JSON.lastIndex = 0;
  for (let match = IN_JSON.exec(text); match !== null; match = IN_JSON.exec(text)) {
    const name = match[1] ?? '';
    if (!isCredentialField(name) && !/^token$/i.test(name)) continue;
    const start = IN_JSON.lastIndex;
    const end = findStringEnd(text, start);
    if (end === -1) break;
    const value = text.slice(start, end);
    if (!isCredential(name, value)) continue;
    found?.(secretsIn(value));
    masked += text.slice(from, start) + TAPE_MASK;
    from = end;
    IN_JSON.lastIndex = end + 1;
  }
  return masked + text.slice(from);
}

const SIGNATURE =
  /^(?:sig|signature|x-amz-(?:credential|security-token|signature)|x-goog-(?:credential|signature))$/i;

/** Masks credentials in a URL. */
export function cleanUrl(url: string): string {
  if (!URL.canParse(url)) return textWithoutCredentials(url);
  const address = new URL(url);
  address.username = '';
  address.password = '';
  address.hash = '';
  // Copy the names: setting one removes duplicates of it.
  for (const name of new Set(address.searchParams.keys()))
    if (isCredentialName(name) || SIGNATURE.test(name)) address.searchParams.set(name, TAPE_MASK);
  return address.href;
}

// A request is compared piece by piece; an answer that comes in pieces has one mask, as in the log.
const IN_REQUEST = { mask: TAPE_MASK, rest: TAPE_MASK };
const IN_ANSWER = { mask: TAPE_MASK, rest: '' };

/** A tape without the secrets that a redactor knows. */
export function maskTape({ runs, ...head }: TapeFile, redactor: Redactor): TapeFile {
  return {
    ...redactor.data(head, IN_REQUEST),
    runs: runs.map(({ exchanges, ...run }) => ({
      ...redactor.data(run, IN_REQUEST),
      exchanges: exchanges.map((exchange) => maskExchange(exchange, redactor)),
    })),
  };
}

/** An exchange without the secrets that a redactor knows. */
export function maskExchange({ request, response, ...rest }: Exchange, redactor: Redactor): Exchange {
  return {
    ...rest,
    request: maskBody(request, (body) => redactor.data(body, IN_REQUEST)),
    ...(response !== undefined && { response: maskBody(response, (body) => redactor.data(body, IN_ANSWER)) }),
  };
}

/** Bytes are masked as text and stay valid base64. */
function maskBody<T extends object>(body: T, mask: (body: T) => T): T {
  if (!('base64' in body) || typeof body.base64 !== 'string') return mask(body);
  const text = Buffer.from(body.base64, 'base64').toString('latin1');
  const masked: T & { base64?: unknown } = mask({ ...body, base64: text });
  return { ...masked, base64: Buffer.from(String(masked.base64), 'latin1').toString('base64') };
}

/** A copy with every string changed, including field names. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [change(name), mapTexts(field, change)]),
  );
}

/** Replaces the mask of tapes by that of logs, for replay. */
export function unmasked<T>(value: T): T {
  // Only texts change.
  return mapTexts(value, (text) =>
    text.includes(TAPE_MASK) ? text.replaceAll(TAPE_MASK, SHOWN) : text,
  ) as T;
}

const MASK_OR_TEXT = new RegExp(`"?${TAPE_MASK}"?`);

/** True if the text equals the recorded one, where a mask matches anything; `isWide`: and so does the rest of its word. */
export function matchesMasked(text: string, recorded: string, { isWide = false } = {}): boolean {
  // A number that is masked becomes a text.
  const parts = recorded.split(MASK_OR_TEXT);
  if (parts.length === 1) return text === recorded;
  const [first = '', ...rest] = isWide ? parts.map(withoutTornWords) : parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** The text between two masks, without the rest of the words that they are part of. */
function withoutTornWords(part: string, index: number, { length }: readonly string[]): string {
  const from = index === 0 ? 0 : (/^[\w-]*={0,2}/.exec(part)?.[0].length ?? 0);
  if (index === length - 1) return part.slice(from);
  let to = part.length;
  while (to > from && /[\w-]/.test(part.charAt(to - 1))) to -= 1;
  return part.slice(from, to);
}
