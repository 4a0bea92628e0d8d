// JSON paths: RFC 9535, and the short dotted form of it that people write.

import { createRequire } from 'node:module';
import type { JSONPathEnvironment, JSONValue } from 'json-p3';
import { memoize } from '../platform/memoize.ts';
import { compilePattern } from '../platform/regex.ts';
import { followPath, parsePlainPath } from './plain-path.ts';

/** What a path leads to. A single value comes from a path that can lead to one only; a list may have any length. */
export type PathResult =
  | { kind: 'value'; value: unknown }
  | { kind: 'list'; values: unknown[] }
  /** `parent` is the last value on the way; `name` is what it does not have. */
  | { kind: 'missing'; parent: unknown; name?: string };

type JsonPath = { query(root: unknown): PathResult };

const load = createRequire(import.meta.url);

/** Compiles a path; throws an Error that says what is wrong with it. */
export const compileJsonPath: (path: string) => JsonPath = memoize(
  (path: string) => compilePlain(path) ?? compileStandard(path),
  { size: 500 },
);

function compilePlain(path: string): JsonPath | undefined {
  const plain = parsePlainPath(path);
  if (plain === undefined) return undefined;
  return {
    query(root) {
      const found = followPath(root, plain);
      if ('value' in found) return { kind: 'value', value: found.value };
      return {
        kind: 'missing',
        parent: found.parent,
        ...(typeof found.missing === 'string' && { name: found.missing }),
      };
    },
  };
}

function compileStandard(path: string): JsonPath {
  const query = environment().compile(rooted(path));
  const isSingular = query.singularQuery();
  return {
    query(root) {
      // Answers are plain JSON, which is what the library's type says.
      const values = query.query(root as JSONValue).values();
      if (values.length === 0) return { kind: 'missing', parent: root };
      return isSingular ? { kind: 'value', value: values[0] } : { kind: 'list', values };
    },
  };
}

/** `items[*].name` is short for `$.items[*].name`. */
function rooted(path: string): string {
  if (path.startsWith('$')) return path;
  return path.startsWith('[') || path.startsWith('.') ? `$${path}` : `$.${path}`;
}

let loaded: JSONPathEnvironment | undefined;

/** The library, loaded with the first path that needs it, with `match` and `search` that take linear time. */
function environment(): JSONPathEnvironment {
  if (loaded !== undefined) return loaded;
  // A cast, because require has no types.
  const { FunctionExpressionType, JSONPathEnvironment: Environment } = load(
    'json-p3',
  ) as typeof import('json-p3');
  const { LogicalType, ValueType } = FunctionExpressionType;

  class LinearEnvironment extends Environment {
    /** Patterns written in the path are compiled with it, so that a wrong one is found before anything runs. */
    override checkWellTypedness(...[token, args]: Parameters<JSONPathEnvironment['checkWellTypedness']>) {
      const [, pattern] = args;
      const isPattern = token.value === 'match' || token.value === 'search';
      if (isPattern && pattern !== undefined && 'value' in pattern && typeof pattern.value === 'string') {
        compilePattern(pattern.value);
      }
      return super.checkWellTypedness(token, args);
    }
  }

  loaded = new LinearEnvironment({ maxRecursionDepth: 1000 });
  const types = { argTypes: [ValueType, ValueType], returnType: LogicalType };
  loaded.functionRegister.set('match', { ...types, call: (text, pattern) => matches(text, pattern, true) });
  loaded.functionRegister.set('search', { ...types, call: (text, pattern) => matches(text, pattern, false) });
  return loaded;
}

/** A wrong pattern throws: were it merely false, a negated assertion would pass because of it. */
function matches(text: unknown, pattern: unknown, isWhole: boolean): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false;
  const part = compilePattern(pattern);
  return isWhole ? compilePattern(`^(?:${pattern})$`).test(text) : part.test(text);
}
