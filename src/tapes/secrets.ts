// Masks secrets on tapes, and matches requests against masked recordings.

import { isCredentialName } from '../secrets/credential-name.ts';
import { isObject } from '../json/is-object.ts';

/** Replaces secrets on tapes; needs no escaping in URLs and JSON. */
export const TAPE_MASK = '__secret__';
/** Replaces secrets in replayed responses, as in logs. */
const SHOWN = '***';

/** Names of credential fields. `key` and `token` alone are too general. */
const CREDENTIAL =
  /^(?:\w*_)?(?:(?:access|api|auth|bearer|bot|csrf|gitlab|github|id|refresh|security|session|slack)_?token|secret(?:_access)?(?:_?key)?|(?:api|private|access)_?key|authorization|passwords?|passwd|passphrase)$/;

function isCredentialField(name: string): boolean {
  const plain = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return CREDENTIAL.test(plain);
}

/** A copy with the values of credential fields masked. */
export function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutCredentials(value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isCredentialField(name) ? maskedValue(field) : withoutCredentials(field),
    ]),
  );
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : TAPE_MASK;
  if (Array.isArray(value)) return value.map(maskedValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskedValue(field)]));
}

/** Credentials in text: `"access_token": "…"` in JSON, also escaped inside JSON, `password=…` and multipart fields. */
const IN_JSON = /("([\w-]{2,40})"\s*:\s*")((?:[^"\\]|\\[^])*)(?=")/g;
const IN_ESCAPED_JSON = /(\\"([\w-]{2,40})\\"\s*:\s*\\")([^"\\]*)(?=\\")/g;
const IN_FORM = /((?<![^?&\n])([\w.-]{2,40})=)([^&\s"]+)/g;
const IN_PART = /(name="([\w-]{2,40})"(?:\r?\n[^\r\n]{1,200}){0,4}\r?\n\r?\n)([^\r\n]+)/g;

/** Masks credentials in a text with JSON or a form. */
export function textWithoutCredentials(text: string): string {
  if (!/authori|key|pass|secret|token/i.test(text)) return text;
  const masked = (whole: string, before: string, name: string): string =>
    isCredentialField(name) ? before + TAPE_MASK : whole;
  return text
    .replaceAll(IN_JSON, masked)
    .replaceAll(IN_ESCAPED_JSON, masked)
    .replaceAll(IN_FORM, masked)
    .replaceAll(IN_PART, masked);
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

/** A copy with every string changed, including field names. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
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

/** True if the text equals the recorded one, where a mask matches anything. */
export function matchesMasked(text: string, recorded: string): boolean {
  const [first = '', ...rest] = recorded.split(TAPE_MASK);
  if (rest.length === 0) return text === recorded;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
