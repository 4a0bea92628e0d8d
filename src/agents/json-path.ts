// Where in an agent's answer its output is.

import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** What lies at a path, in the form `$.a.b[0]`, `a.b` or any other JSONPath; empty if there is nothing. */
export function selectPath(value: unknown, path: string): unknown[] {
  const steps = plainSteps(path);
  if (steps === undefined)
    return query(path)
      .query(value as never)
      .values();
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return [];
    if (Array.isArray(current) && !/^\d+$/.test(step)) return [];
    current = Reflect.get(current, step);
  }
  return [current];
}

/** Throws what is wrong with a path. */
export function checkPath(path: string): void {
  if (plainSteps(path) === undefined) query(path);
}

/** The steps of a path that names one place; most do, and need no library. */
function plainSteps(path: string): string[] | undefined {
  if (!/^(?:\$|(?:\$\.)?[A-Za-z_][\w-]*)(?:\.[A-Za-z_][\w-]*|\[\d+\])*$/.test(path)) return undefined;
  return path.match(/[\w-]+/g) ?? [];
}

function query(path: string) {
  // A cast, because require has no types; loaded here, because few paths need it.
  const { jsonpath } = load('json-p3') as typeof import('json-p3');
  return jsonpath.compile(path.startsWith('$') ? path : `$.${path}`);
}
