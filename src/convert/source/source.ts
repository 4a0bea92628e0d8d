// A value of a configuration that knows the file and the line it comes from.

import { dirname, extname, relative, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { readTextFile } from '../../json/text-file.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';

export type Source = {
  value: unknown;
  /** The path to the value inside of its file. */
  path: readonly string[];
  /** `file:line` of the value, or of something inside of it. */
  at(...path: (string | number)[]): string;
};

/** A part of a source. */
export function member(source: Source, ...path: (string | number)[]): Source {
  let { value } = source;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return {
    value,
    path: [...source.path, ...path.map(String)],
    at: (...rest) => source.at(...path, ...rest),
  };
}

/** The items of a list; a single value counts as a list of one. */
export function items(source: Source): Source[] {
  if (source.value === undefined || source.value === null) return [];
  if (!Array.isArray(source.value)) return [source];
  return source.value.map((_, index) => member(source, index));
}

/** Another value at the same place. */
export function withValue(source: Source, value: unknown): Source {
  return { ...source, value };
}

/** Reads a YAML, JSON or JSON Lines file. `$ref` and merge keys are resolved. */
export async function readSource(file: string, cwd: string): Promise<Source> {
  const name = relative(cwd, file);
  const text = readTextFile(file, name);
  if (['.jsonl', '.ndjson'].includes(extname(file))) return readLines(text, name);
  const isJson = extname(file) === '.json';
  const { value, lineOf } = isJson
    ? await parseJsonDocument(text, name)
    : await parseYamlDocument(text, name);
  return {
    value: await resolveReferences(merged(value), { file, cwd, root: value, depth: 0 }),
    path: [],
    at: (...path) => `${name}:${lineOf(path.map(String))}`,
  };
}

/** One value per line. */
function readLines(text: string, name: string): Source {
  const rows = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  const value = rows.map(({ line, number }): unknown => {
    try {
      return JSON.parse(line);
    } catch (cause) {
      throw new ConfigError('is no JSON', { at: `${name}:${number}`, cause });
    }
  });
  return { value, path: [], at: (index) => `${name}:${rows[Number(index ?? 0)]?.number ?? 1}` };
}

/** Puts the entries of `<<: *anchor` into their object, behind its own. */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged);
  if (!isObject(value)) return value;
  const { '<<': given, ...own } = value;
  const inherited = [given].flat().filter(isObject).reverse();
  const all: Record<string, unknown> = Object.assign({}, ...inherited, own);
  return Object.fromEntries(Object.entries(all).map(([key, inner]) => [key, merged(inner)]));
}

type Resolution = { file: string; cwd: string; root: unknown; depth: number };

const MAX_DEPTH = 20;

/** `{$ref: '#/definitions/x'}` and `{$ref: 'file.yaml#/x'}`. Schemas keep theirs: they mean something else. */
async function resolveReferences(value: unknown, resolution: Resolution, key = ''): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => resolveReferences(item, resolution)));
  if (!isObject(value)) return value;
  const { $ref: reference } = value;
  if (typeof reference === 'string' && key !== 'properties') return followReference(reference, resolution);
  // A JSON Schema has references of its own.
  if (key === 'value' && ('properties' in value || 'definitions' in value || '$defs' in value)) return value;
  const entries = Object.entries(value).map(async ([name, inner]): Promise<[string, unknown]> => [
    name,
    await resolveReferences(inner, resolution, name),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

async function followReference(reference: string, resolution: Resolution): Promise<unknown> {
  const { file, cwd, root, depth } = resolution;
  const at = relative(cwd, file);
  if (depth > MAX_DEPTH) throw new ConfigError(`$ref ${JSON.stringify(reference)} leads to itself`, { at });
  const [path = '', pointer = ''] = reference.split('#');
  if (path !== '') {
    const other = await readSource(resolve(dirname(file), path.replace(/^file:\/\//, '')), cwd);
    return find(other.value, pointer, reference, at);
  }
  return resolveReferences(find(merged(root), pointer, reference, at), { ...resolution, depth: depth + 1 });
}

function find(root: unknown, pointer: string, reference: string, at: string): unknown {
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    if (!isThere) throw new ConfigError(`$ref ${JSON.stringify(reference)} leads nowhere`, { at });
    value = Reflect.get(value as object, key);
  }
  return value;
}
