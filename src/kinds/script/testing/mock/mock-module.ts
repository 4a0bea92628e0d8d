// `t.mock.module`: replaces exports of a module, and rejects names that it does not export.

import { isObject } from '../../../../json/is-object.ts';
import { nearest } from '../../../../text/nearest.ts';
import { show } from '../assertions/show.ts';
import type { TestHost } from '../test-run.ts';

/** The options of mock.module in node:test. */
const NODE_OPTIONS = new Set(['cache', 'defaultExport', 'namedExports']);
const MAX_LISTED = 10;

type ModuleHost = Pick<TestHost, 'mockModule' | 'moduleNames'>;

/** Replaces exports of a module; returns a function that restores them. */
export function mockModule(host: ModuleHost, specifier: unknown, replacement: unknown): () => void {
  if (typeof specifier !== 'string' || !isObject(replacement)) {
    const given = `${show(specifier)} and ${show(replacement)}`;
    throw new TypeError(`t.mock.module takes a specifier and an object of exports, not ${given}`);
  }
  const names = host.moduleNames?.(specifier);
  const exports = readExports(replacement, names);
  if (names !== undefined) requireKnown(Object.keys(exports), names, specifier);
  return host.mockModule(specifier, exports);
}

/** Takes `{ send }`, or as in node:test `{ namedExports: { send }, defaultExport }` unless the module itself exports these names. */
function readExports(
  replacement: Record<string, unknown>,
  names: readonly string[] = [],
): Record<string, unknown> {
  const { namedExports = {}, defaultExport } = replacement;
  const keys = Object.keys(replacement);
  const isNodeStyle = keys.some((key) => key !== 'cache') && keys.every((key) => NODE_OPTIONS.has(key));
  if (!isNodeStyle || !isObject(namedExports) || keys.some((key) => names.includes(key))) return replacement;
  return { ...namedExports, ...('defaultExport' in replacement && { default: defaultExport }) };
}

function requireKnown(replaced: readonly string[], names: readonly string[], specifier: string): void {
  // `__esModule` is a marker of compilers, not an export.
  const unknown = replaced.find((name) => name !== '__esModule' && !names.includes(name));
  if (unknown === undefined) return;
  const [best] = nearest(unknown, names, { max: 1 });
  const hint = best === undefined ? listed(names) : `did you mean ${best}?`;
  throw new TypeError(`t.mock.module: ${show(specifier)} does not export ${unknown}; ${hint}`);
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'it exports nothing';
  const rest = names.length > MAX_LISTED ? `, and ${String(names.length - MAX_LISTED)} more` : '';
  return `it exports ${names.slice(0, MAX_LISTED).join(', ')}${rest}`;
}
