// Which values of a definition must never be shown.

import { isCredentialName } from './credential-name.ts';

/** Shorter values are no secrets worth the name, and would blot out innocent text. */
const MIN_LENGTH = 8;

/** The parts of a credential that must not be seen: the whole value, and the token after a scheme such as Bearer. */
export function secretsIn(value: string): string[] {
  const token = /^(?:Basic|Bearer|Digest|Token|ApiKey)\s+(.+)$/i.exec(value.trim())?.[1];
  return [value.trim(), ...(token === undefined ? [] : [token])].filter((text) => text.length >= MIN_LENGTH);
}

/**
 * The user and the password inside an address, in the forms in which they may turn up, and credentials in its query
 * and fragment. A user without a password is a token.
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
  return [...new Set(found)].filter((text) => text.length >= MIN_LENGTH);
}

/** Variables whose names end like those of keys; paths and switches that happen to be called so are none. */
const SECRET_VARIABLE = /(?:^|_)(?:API_?KEY|ACCESS_?KEY|SECRET_?KEY|SECRET|PASSWORD|(?:[A-Z]+_)?TOKEN)$/i;

/** What must never be shown of the environment that agents find their keys in. */
export function secretsInEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = Object.entries(env).filter(([name]) => SECRET_VARIABLE.test(name));
  return named.flatMap(([, value = '']) => (/^[./~]/.test(value) ? [] : secretsIn(value)));
}

/** What a request says to show who sends it: in its headers and in its address. */
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
