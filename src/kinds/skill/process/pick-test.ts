// Picks the function of a module that is its test.

/** Transpilers nest default exports less deeply than this. */
const MAX_DEPTH = 3;
/** Exports that tools add. */
const ADDED_BY_TOOLS = new Set(['__assay', '__esModule', 'module.exports']);

/**
 * The test of a module: its default export; `runTests` or `default` of a default export that is an object; or `runTests`.
 * The exports of a CommonJS module are its default export.
 */
export function pickTest(namespace: object): (() => unknown) | undefined {
  return findTest(read(namespace, 'default'), namespace, 0) ?? method(namespace, 'runTests');
}

/** The exports of a module for an error message: `default (object with setup), helper (function)`. */
export function describeExports(namespace: object): string[] {
  return Object.keys(namespace)
    .filter((name) => !ADDED_BY_TOOLS.has(name))
    .map((name) => `${name} (${describeKind(read(namespace, name))})`);
}

function findTest(value: unknown, holder: object, depth: number): (() => unknown) | undefined {
  if (typeof value === 'function') return () => Reflect.apply(value, holder, []) as unknown;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return undefined;
  return method(value, 'runTests') ?? findTest(read(value, 'default'), value, depth + 1);
}

function method(holder: object, name: string): (() => unknown) | undefined {
  const value = read(holder, name);
  return typeof value === 'function' ? () => Reflect.apply(value, holder, []) as unknown : undefined;
}

/** Undefined for an export that cannot be read. */
function read(holder: object, name: string): unknown {
  try {
    return Reflect.get(holder, name) as unknown;
  } catch {
    return undefined;
  }
}

function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  const names = Object.keys(value).filter((name) => !ADDED_BY_TOOLS.has(name));
  return names.length === 0 ? 'empty object' : `object with ${names.slice(0, 10).join(', ')}`;
}
