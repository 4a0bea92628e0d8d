import { createHash } from 'node:crypto';

/** The identity of an attempt: equal test, case, variables and run give the same key on every machine. */
export function attemptKey(
  testId: string,
  caseId: string,
  run: number,
  variables?: Record<string, unknown>,
): string {
  const named = variables === undefined ? [] : Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha1')
    .update(JSON.stringify([testId, caseId, run, named]))
    .digest('hex')
    .slice(0, 20);
}
