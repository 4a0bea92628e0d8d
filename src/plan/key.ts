import { hash96 } from '../platform/hash.ts';

/** The identity of an attempt: the same case (see `caseKey`) and run give the same key on every machine. Logs keep it. */
export function attemptKey(
  testId: string,
  caseId: string,
  run: number,
  /** The `variablesKey` of its variables. */
  variables = '',
): string {
  // The lengths keep ("a", "bc") and ("ab", "c") apart.
  return hash96(`${testId.length}:${testId}:${caseId.length}:${caseId}:${run}:${variables}`);
}
