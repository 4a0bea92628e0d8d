// .yao files: JSON with comments, in which `$ENV.NAME` stands for an environment variable.

import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { isObject } from './is-object.ts';
import { parseJsonDocument } from './jsonc.ts';
import { readTextFile } from './text-file.ts';
import { displayPath } from '../platform/paths.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { secretsIn, secretsInUrl } from '../secrets/secrets.ts';

/** A .yao file whose variables are filled in. */
export type YaoFile = {
  value: Record<string, unknown>;
  secrets: string[];
  /** The problems found so far; later checks of the content add theirs. */
  problems: Problem[];
  /** Variables that are not set, with the fields that have them. They are problems of the fields that are used. */
  unset: { path: string[]; variable: string; isEmpty: boolean }[];
  /** File and line of a key, for messages. */
  at(path: readonly string[]): string;
};

/** More unset variables of a file are only counted. */
const MAX_UNSET = 50;

const VARIABLE = /\$ENV\.([A-Za-z_]\w*)/g;

/** Reads a .yao file. Throws on syntax errors; `findUnset` has the problems of variables that are not set. */
export async function readYaoFile(
  file: string,
  { env, cwd }: { env: Record<string, string | undefined>; cwd: string },
): Promise<YaoFile> {
  const name = displayPath(file, cwd);
  const document = await parseJsonDocument(readTextFile(file, name), name);
  if (!isObject(document.value)) throw new ConfigError('expected an object in braces', { at: `${name}:1` });

  const at = (path: readonly string[]): string => `${name}:${String(document.lineOf(path))}`;
  return fillYaoValue(document.value, { env, at });
}

/** Fills in the variables of a value with the content of a .yao file. */
export function fillYaoValue(
  content: Record<string, unknown>,
  { env, at }: { env: Record<string, string | undefined>; at: YaoFile['at'] },
): YaoFile {
  const unset: YaoFile['unset'] = [];
  const secrets = new Set<string>();
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
        unset.push({ path, variable, isEmpty: value === '' });
        return reference;
      }
      if (isSecret || isCredentialName(variable)) for (const secret of secretsIn(value)) secrets.add(secret);
      return value;
    });
    for (const secret of isSecret ? secretsIn(filled) : secretsInUrl(filled)) secrets.add(secret);
    return filled;
  };

  const value = Object.fromEntries(
    Object.entries(content).map(([key, inner]) => [key, fill(inner, [key], isCredentialName(key))]),
  );
  return { value, secrets: [...secrets], problems: [], unset, at };
}

/** The problems of variables that are not set, for the fields that are used. */
export function findUnset({ unset, at }: YaoFile, isUsed: (path: readonly string[]) => boolean): Problem[] {
  const used = unset.filter(({ path }) => isUsed(path));
  const problems = used.slice(0, MAX_UNSET).map(({ path, variable, isEmpty }): Problem => {
    const state = isEmpty ? 'is empty' : 'is not set';
    return {
      message: `environment variable ${variable} ${state}; ${path.join('.')} needs it`,
      at: at(path),
      hint: `set ${variable}, or write it into the .env file`,
    };
  });
  const left = used.length - problems.length;
  if (left > 0) problems.push({ message: `and ${left} more variables that are not set`, at: at([]) });
  return problems;
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
