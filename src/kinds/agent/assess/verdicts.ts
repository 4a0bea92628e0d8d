// Turns verdicts into the status of an attempt.

import type { Outcome, Verdict } from '../../../model/outcome.ts';

/** A proven failure wins over assertions that could not be judged. */
export function summarizeVerdicts(verdicts: Verdict[]): Pick<Outcome, 'status' | 'error' | 'code'> {
  if (verdicts.every((verdict) => verdict.status === 'passed')) return { status: 'passed' };
  const failed = verdicts.filter((verdict) => verdict.status === 'failed');
  if (failed.length > 0) return { status: 'failed', error: headline(failed) };
  const unclear = verdicts.filter((verdict) => verdict.status === 'error');
  if (unclear.length > 0) return { status: 'error', code: 'judge', error: headline(unclear) };
  return { status: 'passed' };
}

function headline(verdicts: Verdict[]): string {
  const [first] = verdicts;
  const text = first?.message ?? `${first?.type ?? 'assertion'} failed`;
  return verdicts.length > 1 ? `${text} (and ${String(verdicts.length - 1)} more)` : text;
}
