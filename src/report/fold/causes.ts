// Many failures in, few causes out: what differs only in numbers, quotes and ids is the same trouble.

import type { CaseResult } from './case-result.ts';
import { oneLine } from '../../text/untrusted.ts';

/** Cases that did not pass for the same reason. */
export type Cause = {
  /** The same for all of them. */
  key: string;
  /** As the first of them tells it. */
  message: string;
  status: CaseResult['status'];
  /** Places in the list that was given. */
  cases: number[];
};

type Failed = Pick<CaseResult, 'code' | 'error' | 'status'>;

/** Groups what did not pass, the largest group first; entries that are undefined have passed or were not run. */
export function causesOf(results: readonly (Failed | undefined)[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const [place, result] of results.entries()) {
    if (result === undefined || result.status === 'passed') continue;
    const key = causeOf(result);
    const known = causes.get(key);
    if (known !== undefined) known.cases.push(place);
    else causes.set(key, { key, message: messageOf(result), status: result.status, cases: [place] });
  }
  return [...causes.values()].sort((a, b) => b.cases.length - a.cases.length);
}

/** What the failures of one cause have in common. */
export function causeOf(failed: Failed): string {
  const { status, code = '' } = failed;
  const message = messageOf(failed)
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{12,}\b/gi, '#')
    .replace(/\d+(?:[.,]\d+)*/g, '#');
  return `${status} ${code} ${message}`;
}

function messageOf({ error, status }: Failed): string {
  return error === null ? status : oneLine(error, 300);
}
