// Finds the values that must never be shown.

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

/** Environment variables whose names end like those of keys. */
const SECRET_VARIABLE = /(?:^|_)(?:API_?KEY|ACCESS_?KEY|SECRET_?KEY|SECRET|PASSWORD|(?:[A-Z]+_)?TOKEN)$/i;

/** The secrets in the environment; values that look like paths are left out. */
export function secretsInEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_VARIABLE.test(name));
  return named.flatMap(([, value = '']) => (/^[./~]/.test(value) ? [] : secretsIn(value)));
}

/** The credentials in the headers and the URL of a request. */
export function secretsInRequest(headers: Iterable<[string, string]>, url: string): string[] {
  const inHeaders = [...headers].flatMap(([name, value]) => (isCredentialName(name) ? secretsIn(value) : []));
  return [...inHeaders, ...secretsInUrl(url)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
