// Which function of a module is its test.

/** More than transpilers wrap one export into another. */
const MAX_DEPTH = 3;
/** Names that tools add. */
const NOT_OF_THE_FILE = new Set(['__assay', '__esModule', 'module.exports']);

/**
 * The test of a module: its default export, `runTests` or `default` of an object that is its default export, or `runTests`.
 * What CommonJS exports is the default export.
 */
export function pickTest(namespace: object): (() => unknown) | undefined {
  return testOf(read(namespace, 'default'), namespace, 0) ?? method(namespace, 'runTests');
}

/** What a module exports, for people: `default (object with setup), helper (function)`. */
export function describeExports(namespace: object): string[] {
  return Object.keys(namespace)
    .filter((name) => !NOT_OF_THE_FILE.has(name))
    .map((name) => `${name} (${kindOf(read(namespace, name))})`);
}

function testOf(value: unknown, holder: object, depth: number): (() => unknown) | undefined {
  if (typeof value === 'function') return () => Reflect.apply(value, holder, []) as unknown;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return undefined;
  return method(value, 'runTests') ?? testOf(read(value, 'default'), value, depth + 1);
}

function method(holder: object, name: string): (() => unknown) | undefined {
  const value = read(holder, name);
  return typeof value === 'function' ? () => Reflect.apply(value, holder, []) as unknown : undefined;
}

/** Nothing for an export that cannot be read. */
function read(holder: object, name: string): unknown {
  try {
    return Reflect.get(holder, name) as unknown;
  } catch {
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  const names = Object.keys(value).filter((name) => !NOT_OF_THE_FILE.has(name));
  return names.length === 0 ? 'empty object' : `object with ${names.slice(0, 10).join(', ')}`;
}
