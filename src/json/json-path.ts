// JSON paths: RFC 9535, and the short dotted form that people write.

import { createRequire } from 'node:module';
import type { JSONPathEnvironment, JSONValue } from 'json-p3';
import { memoize } from '../platform/memoize.ts';
import type { Pattern } from '../platform/regex.ts';
import { compilePattern } from '../platform/regex.ts';
import { followPath, parsePlainPath } from './plain-path.ts';

/** The result of a query: a value for a path that matches at most one, else a list of any length. */
export type PathResult =
  | { kind: 'value'; value: unknown }
  | { kind: 'list'; values: unknown[] }
  /** `parent` is the last value that exists on the path; `name` is the key it lacks. */
  | { kind: 'missing'; parent: unknown; name?: string };

type JsonPath = { query(root: unknown): PathResult };

const load = createRequire(import.meta.url);

/** Compiles a path; throws an Error if the path is not valid. */
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
      // The cast is safe because answers are plain JSON.
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

/** Loads the library with the first path that needs it, and gives it a `match` and `search` that take linear time. */
function environment(): JSONPathEnvironment {
  if (loaded !== undefined) return loaded;
  // A cast, because require has no types.
  const { FunctionExpressionType, JSONPathEnvironment: Environment } = load(
    'json-p3',
  ) as typeof import('json-p3');
  const { LogicalType, ValueType } = FunctionExpressionType;

  class LinearEnvironment extends Environment {
    /** Compiles the patterns in a path together with it, so that an invalid pattern is found before anything runs. */
    override checkWellTypedness(...[token, args]: Parameters<JSONPathEnvironment['checkWellTypedness']>) {
      const [, pattern] = args;
      const isPattern = token.value === 'match' || token.value === 'search';
      if (isPattern && pattern !== undefined && 'value' in pattern && typeof pattern.value === 'string') {
        compileIRegexp(pattern.value);
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

/** Throws on an invalid pattern: if it returned false, a negated assertion would pass. */
function matches(text: unknown, pattern: unknown, isWhole: boolean): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false;
  const part = compileIRegexp(pattern);
  return isWhole ? compileIRegexp(`^(?:${pattern})$`).test(text) : part.test(text);
}

/** Compiles a pattern of RFC 9485, or of RE2, which has more. In both functions a dot matches neither \n nor \r. */
function compileIRegexp(source: string): Pattern {
  // A pattern that sets the flag s, which RFC 9485 does not have, means it.
  if (/\(\?[imU]*s/.test(source)) return compilePattern(source);
  return compilePattern(source.replaceAll(DOT, (part) => (part === '.' ? '[^\\n\\r]' : part)));
}

/** A dot, or what a dot may be part of without being one: an escape, a character class. */
const DOT = /\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|\./g;
