// .yao files: JSON with comments, in which `$ENV.NAME` stands for an environment variable.

import { readFileSync } from 'node:fs';
import type { Problem } from '../errors.ts';
import { ConfigError, messageOf } from '../errors.ts';
import { isObject } from './is-object.ts';
import { parseJsonDocument } from './jsonc.ts';
import { displayPath } from '../platform/paths.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { secretsIn, secretsInUrl } from '../secrets/secrets.ts';

/** A .yao file whose variables are filled in. */
export type YaoFile = {
  value: Record<string, unknown>;
  secrets: string[];
  /** The problems found so far; later checks of the content add theirs. */
  problems: Problem[];
  /** File and line of a key, for messages. */
  at(path: readonly string[]): string;
};

const VARIABLE = /\$ENV\.([A-Za-z_]\w*)/g;

/** Reads a .yao file. Throws on syntax errors; missing or empty variables are listed in `problems`. */
export async function readYaoFile(
  file: string,
  { env, cwd }: { env: Record<string, string | undefined>; cwd: string },
): Promise<YaoFile> {
  const name = displayPath(file, cwd);
  const document = await parseJsonDocument(readTextFile(file, name), name);
  if (!isObject(document.value)) throw new ConfigError('expected an object in braces', { at: `${name}:1` });

  const problems: Problem[] = [];
  const secrets = new Set<string>();
  const at = (path: readonly string[]): string => `${name}:${String(document.lineOf(path))}`;

  const fill = (value: unknown, path: string[], isSecret: boolean): unknown => {
    if (typeof value === 'string') return fillText(value, path, isSecret);
    if (Array.isArray(value))
      return value.map((item, index) => fill(item, [...path, String(index)], isSecret));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, inner]) => {
      return [key, fill(inner, [...path, key], isSecret || isCredentialName(key))];
    });
    return Object.fromEntries(entries);
  };

  const fillText = (text: string, path: string[], isSecret: boolean): string => {
    const filled = text.replaceAll(VARIABLE, (reference, variable: string) => {
      const value = env[variable];
      if (value === undefined || value === '') {
        const state = value === undefined ? 'is not set' : 'is empty';
        const message = `environment variable ${variable} ${state}; ${path.join('.')} needs it`;
        problems.push({ message, at: at(path), hint: `set ${variable}, or write it into the .env file` });
        return reference;
      }
      if (isSecret || isCredentialName(variable)) for (const secret of secretsIn(value)) secrets.add(secret);
      return value;
    });
    for (const secret of isSecret ? secretsIn(filled) : secretsInUrl(filled)) secrets.add(secret);
    return filled;
  };

  const value = Object.fromEntries(
    Object.entries(document.value).map(([key, inner]) => [key, fill(inner, [key], isCredentialName(key))]),
  );
  return { value, secrets: [...secrets], problems, at };
}

/** True if the text still has an environment variable that is not set; that is reported separately. */
export function isUnfilled(text: string): boolean {
  return text.search(VARIABLE) !== -1;
}

/** The problem of an address, if any. An address with an unfilled placeholder has none yet. */
export function addressProblem(text: string): string | undefined {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (isUnfilled(text) || /^https?:$/.test(protocol)) return undefined;
  return 'is not an http:// or https:// address';
}

/** True if the text has a placeholder for a test variable, which gets its value when the test runs. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

/** The content of a file; throws a ConfigError that calls it `name`. */
export function readTextFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { at: name, cause: error });
  }
}
