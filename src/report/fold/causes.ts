// Groups failures by cause: messages that differ only in numbers, quoted texts and ids have the same cause.

import type { CaseResult } from './case-result.ts';
import { oneLine } from '../../text/untrusted.ts';

/** Cases that did not pass for the same reason. */
export type Cause = {
  key: string;
  /** The message of the first case. */
  message: string;
  status: CaseResult['status'];
  /** Indexes in the given list. */
  cases: number[];
};

type Failed = Pick<CaseResult, 'code' | 'error' | 'status'>;

/** Groups the failures, the largest group first. Undefined entries passed or were not run. */
export function groupByCause(results: readonly (Failed | undefined)[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const [index, result] of results.entries()) {
    if (result === undefined || result.status === 'passed') continue;
    const key = causeKey(result);
    const known = causes.get(key);
    if (known !== undefined) known.cases.push(index);
    else causes.set(key, { key, message: failureMessage(result), status: result.status, cases: [index] });
  }
  return [...causes.values()].sort((a, b) => b.cases.length - a.cases.length);
}

/** The key that failures with the same cause share. */
export function causeKey(failed: Failed): string {
  const { status, code = '' } = failed;
  const message = failureMessage(failed)
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{12,}\b/gi, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#');
  return `${status} ${code} ${message}`;
}

function failureMessage({ error, status }: Failed): string {
  return error === null ? status : oneLine(error, 300);
}
