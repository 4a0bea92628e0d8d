// Finds the values that must never be shown.

import { isObject } from '../json/is-object.ts';
import { isCredentialName } from './credential-name.ts';
import { MIN_SECRET } from './written-forms.ts';

/** The secret parts of a credential: the whole value, the token after a scheme such as Bearer, and the password in Basic. */
export function secretsIn(value: string): string[] {
  const whole = value.trim();
  const [, scheme = '', token = ''] = /^(Basic|Bearer|Digest|Token|ApiKey)\s+(.+)$/i.exec(whole) ?? [];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(token, 'base64').toString('utf8') : '';
  const password = pair.slice(pair.indexOf(':') + 1);
  return [whole, token, password].filter((text) => text.length >= MIN_SECRET);
}

/**
 * The password of a URL in every form that may be printed, and credentials in its query and fragment. A user without a
 * password is a token.
 */
export function secretsInUrl(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return [];
  const { username, password } = url;
  const pair = `${decode(username)}:${decode(password)}`;
  const secret = password === '' ? username : password;
  const found = [secret, decode(secret)];
  if (secret !== '') found.push(pair, Buffer.from(pair).toString('base64'));
  for (const part of `${url.search}${url.hash}`.split(/[?&#]/)) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    if (isCredentialName(decode(name))) found.push(value, decode(value), decode(value.replaceAll('+', ' ')));
  }
  return [...new Set(found)].filter((text) => text.length >= MIN_SECRET);
}

/** The texts, and lists of texts, in the credential fields of a value. Iterates, because a value may be nested deeply. */
export function secretsInFields(
  root: unknown,
  isCredential: (name: string, value: unknown) => boolean,
): string[] {
  const found: string[] = [];
  const open: { value: unknown; isSecret: boolean }[] = [{ value: root, isSecret: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isSecret } = next;
    if (typeof value === 'string') {
      if (isSecret) found.push(...secretsIn(value));
    } else if (Array.isArray(value)) for (const item of value) open.push({ value: item, isSecret });
    else if (isObject(value))
      for (const [name, field] of Object.entries(value))
        open.push({ value: field, isSecret: isCredential(name, field) });
  }
  return found;
}

/** The values of the cookies in a `Cookie` or `Set-Cookie` header, whatever their names. */
function secretsInCookies(name: string, header: string): string[] {
  if (!/^(?:set-)?cookie2?$/i.test(name)) return [];
  // The attributes of a cookie that is set follow its value.
  const pairs = /^set-/i.test(name) ? [header.replace(/;.*/s, '')] : header.split(';');
  return pairs.flatMap((pair) => {
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    const plain = value.replaceAll(/^"|"$/g, '');
    return [...new Set([plain, decode(plain)])].filter((text) => text.length >= MIN_SECRET);
  });
}

/** The credentials in the headers of an answer. */
export function secretsInAnswer(headers: Iterable<[string, string]>): string[] {
  const found: string[] = [];
  for (const [name, value] of headers) {
    if (/^set-cookie2?$/i.test(name)) found.push(...secretsInCookies(name, value));
    else if (isCredentialName(name)) found.push(...secretsIn(value));
    else if (/^(?:content-)?location$/i.test(name)) found.push(...secretsInUrl(value));
  }
  return found;
}

/** The credentials in the headers and the URL of a request. */
export function secretsInRequest(
  headers: Iterable<[string, string]>,
  url: string,
): { secrets: string[]; cookies: string[] } {
  const lines = [...headers];
  const inHeaders = lines.flatMap(([name, value]) => (isCredentialName(name) ? secretsIn(value) : []));
  const cookies = lines.flatMap(([name, value]) => secretsInCookies(name, value));
  return { secrets: [...inHeaders, ...secretsInUrl(url)], cookies };
}

/** Decodes percent-encoded text; text that is none stays. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
