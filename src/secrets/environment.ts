// The environment comes in, the values in it that must never be shown come out.

import { isObject } from '../json/is-object.ts';
import { parseJson } from '../json/parse-json.ts';
import { isCredentialList, isCredentialName } from './credential-name.ts';
import { decode, secretsIn, secretsInFields, secretsInUrl } from './secrets.ts';
import { MIN_SECRET } from './written-forms.ts';

/** The secrets in the environment: values of variables with the name of a credential, and passwords in all other values. */
export function secretsInEnv(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => secretsInVariable(name, value.trim()));
  return [...new Set(found)].filter((text) => text.length >= MIN_SECRET);
}

function secretsInVariable(name: string, value: string): string[] {
  if (value.length < MIN_SECRET) return [];
  const inside = [...passwordsInUrls(value), ...secretsInSettings(value), ...secretsInJson(value)];
  if (!isCredentialName(name) || isPlainValue(value)) return inside;
  const items = isCredentialList(name) ? value.split(/[,;\s]+/) : [];
  return [...secretsIn(value), ...items.flatMap(secretsIn), ...inside];
}

/** Values that are no secret, whatever their variable is called: paths, addresses, locales and switches. */
function isPlainValue(value: string): boolean {
  const isAddress = /^[a-z][\w+.-]*:\/\//i.test(value);
  return (
    isAddress ||
    isPath(value) ||
    /^(?:[a-z]{2,3}_[A-Z]{2}(?:\.[\w-]+)?|(?:dis|en)abled|optional|required|undefined)$/.test(value)
  );
}

/** Base64 may begin like a path, but its characters are mixed. */
function isPath(value: string): boolean {
  if (!/^(?:~|\.{1,2})?\/|^[a-z]:[\\/]/i.test(value)) return false;
  const runs = value.match(/[A-Za-z\d+=]{16,}/g) ?? [];
  return !runs.some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /[\d+]/.test(run));
}

/** The passwords of all URLs in a text, also of those with several hosts, which cannot be parsed. */
function passwordsInUrls(text: string): string[] {
  if (!text.includes('://')) return [];
  return text.split(/\s+/).flatMap((word) => {
    const [, password = ''] = /^[^/]{1,40}:\/\/[^\s:@/]*:(.*)@/.exec(word) ?? [];
    const [, first = ''] = /^[^/]{1,40}:\/\/[^\s:@/]*:([^@,]*)@/.exec(word) ?? [];
    // The only user of a database is often called like the database; on the web it is a token.
    const isWeb = /^https?:/i.test(word);
    const parsed = secretsInUrl(isWeb ? word : withoutUser(word));
    return [password, first, decode(password), decode(first)].concat(parsed);
  });
}

function withoutUser(url: string): string {
  return url.replace(/^([^/]{1,40}:\/\/)[^\s:@/]*@/, '$1');
}

/** Credentials in settings such as `Server=db;Password=…` and `host=db password=…`. */
function secretsInSettings(text: string): string[] {
  return SETTINGS.flatMap((pattern) => Array.from(text.matchAll(pattern))).flatMap(
    ([, name = '', value = '']) => {
      if (!isCredentialName(name)) return [];
      const plain = value.replaceAll(/^["']|["']$/g, '');
      return [plain, decode(plain)].flatMap(secretsIn);
    },
  );
}

/** A password may hold a comma, and settings may be separated by one. */
const SETTINGS = [
  /(?<![^;\s])([\w.-]{2,40})=("[^"]*"|'[^']*'|[^;\s]+)/g,
  /(?<![^,;\s])([\w.-]{2,40})=([^,;\s]+)/g,
];

/** The values of credential fields in a text that is JSON, such as the key of a service account. */
function secretsInJson(text: string): string[] {
  if (!text.startsWith('{')) return [];
  const { value } = parseJson(text) ?? {};
  return isObject(value) ? secretsInFields(value, isCredentialName) : [];
}
