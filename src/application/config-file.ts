// Reads assay.config.*. A module is executed in a worker, never on this thread.

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import { parseJsonDocument } from '../json/jsonc.ts';
import { readTextFile } from '../json/text-file.ts';
import { parseYamlDocument } from '../json/yaml-document.ts';
import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import { CONFIG_KEYS } from './settings.ts';

/** The possible names of the configuration; an application has at most one of these files. */
export const CONFIG_FILES = [
  'assay.config.ts',
  'assay.config.js',
  'assay.config.mjs',
  'assay.config.json',
  'assay.config.yml',
  'assay.config.yaml',
] as const;

/** More unknown settings are only counted. */
const MAX_UNKNOWN = 50;

/** Runs a module in a worker and returns its default export. */
export type Evaluate = (file: string) => Promise<unknown>;

type Parsed = { value: unknown; lineOf(path: readonly string[]): number | undefined };

/** The configuration of an application, if it has one. */
export function configFiles(root: string): string[] {
  return CONFIG_FILES.map((name) => path.join(root, name)).filter((file) => existsSync(file));
}

/** Reads the configuration of an application; empty if it has none. `resolveSettings` checks the values. */
export async function readConfigFile(root: string, evaluate: Evaluate): Promise<Record<string, unknown>> {
  const [name, ...others] = CONFIG_FILES.filter((candidate) => existsSync(path.join(root, candidate)));
  if (name === undefined) return {};
  if (others.length > 0) {
    throw new ConfigError(`there are two configurations: ${[name, ...others].join(' and ')}`, {
      at: root,
      hint: 'keep one of them',
    });
  }
  const { value, lineOf } = await parseConfig(path.join(root, name), name, evaluate);
  // A YAML file that has only comments is null.
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ConfigError('the configuration must be an object', { at: name });
  }
  const unknown = Object.keys(value).filter((key) => !CONFIG_KEYS.includes(key) && key !== '$schema');
  const problems = unknown.slice(0, MAX_UNKNOWN).map((key): Problem => {
    const line = lineOf([key]);
    const at = line === undefined ? name : `${name}:${line}`;
    return { message: `unknown setting ${quote(key)}`, at, hint: didYouMean(key, CONFIG_KEYS) };
  });
  const left = unknown.length - problems.length;
  if (left > 0) problems.push({ message: `and ${left} more unknown settings`, at: name });
  if (problems.length > 0) throw ConfigError.of(problems);
  return { ...value };
}

async function parseConfig(file: string, name: string, evaluate: Evaluate): Promise<Parsed> {
  switch (path.extname(name)) {
    case '.json':
      return await parseJsonDocument(readTextFile(file, name), name);
    case '.yml':
    case '.yaml':
      return await parseYamlDocument(readTextFile(file, name), name);
    default:
      return { value: await evaluateObject(file, name, evaluate), lineOf: () => undefined };
  }
}

/** A function cannot be sent to this thread, so an exported function arrives as undefined. */
async function evaluateObject(file: string, name: string, evaluate: Evaluate): Promise<unknown> {
  const value = await evaluate(file);
  if (value !== undefined && value !== null) return value;
  throw new ConfigError('the configuration has no object as its default export', {
    at: name,
    hint: 'export default { … }',
  });
}
