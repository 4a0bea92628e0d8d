// Turns verdicts into the status and the score of an attempt.

import type { Outcome, Verdict } from '../../../model/outcome.ts';
import { roundDown } from '../../../text/round-down.ts';

type Summarized = Pick<Outcome, 'status' | 'error' | 'code' | 'score' | 'pass_score'>;

/**
 * The status that verdicts give. Without `passScore` all must hold, and a proven failure wins over assertions that could not
 * be judged. With it, their weighted score decides, which is not known if one of them could not be judged.
 */
export function summarizeVerdicts(verdicts: readonly Verdict[], passScore?: number): Summarized {
  if (passScore === undefined && verdicts.every(isPlainPass)) return { status: 'passed' };
  const deciding = verdicts.filter((verdict) => decides(verdict, passScore));
  const score = weightedScore(deciding, passScore);
  const measured = {
    ...(score !== undefined && { score }),
    ...(passScore !== undefined && { pass_score: passScore }),
  };
  const failed = deciding.filter((verdict) => verdict.status === 'failed');
  const unclear = deciding.filter((verdict) => verdict.status === 'error');

  if (passScore === undefined && failed.length > 0)
    return { status: 'failed', error: headline(failed), ...measured };
  if (unclear.length > 0) return { status: 'error', code: 'judge', error: headline(unclear), ...measured };
  if (passScore === undefined) return { status: 'passed', ...measured };
  if (score === undefined)
    return { status: 'error', code: 'judge', error: 'no assertion counts for the score', ...measured };
  if (score >= passScore) return { status: 'passed', ...measured };
  const reason = failed.length === 0 ? '' : `: ${headline(failed)}`;
  const error = `score ${roundDown(score)}, wanted at least ${passScore}${reason}`;
  return { status: 'failed', error, ...measured };
}

/** True if a verdict can decide the status of its case: it is not advisory, and counts for a score that decides. */
function decides({ advisory, weight }: Verdict, passScore: number | undefined): boolean {
  return advisory !== true && (passScore === undefined || weight !== 0);
}

/** True if a conversation need not go on: a failure decides, or the score cannot be known any more. */
export function endsConversation(verdict: Verdict, passScore: number | undefined): boolean {
  if (!decides(verdict, passScore)) return false;
  return passScore === undefined ? verdict.status !== 'passed' : verdict.status === 'error';
}

/** Most verdicts: nothing to add up. */
function isPlainPass({ status, score, weight }: Verdict): boolean {
  return status === 'passed' && score === undefined && weight === undefined;
}

/**
 * The weighted mean of the scores; a verdict without a score counts 1 or 0. Undefined if no verdict has a score or a weight, or
 * if one that counts could not be judged.
 */
function weightedScore(verdicts: readonly Verdict[], passScore: number | undefined): number | undefined {
  const isAsked = passScore !== undefined || verdicts.some((one) => (one.score ?? one.weight) !== undefined);
  if (!isAsked) return undefined;
  let sum = 0;
  let total = 0;
  for (const verdict of verdicts) {
    const { status, weight = 1 } = verdict;
    if (weight === 0) continue;
    if (status === 'error') return undefined;
    sum += weight * verdictScore(verdict);
    total += weight;
  }
  // Rounded, so that 0.1 + 0.7 reaches 0.8.
  return total === 0 ? undefined : Math.round((sum / total) * 1e9) / 1e9;
}

function verdictScore({ status, score, negate }: Verdict): number {
  if (score === undefined) return status === 'passed' ? 1 : 0;
  return negate === true ? 1 - score : score;
}

function headline(verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  const text = first?.message ?? `${first?.type ?? 'assertion'} failed`;
  return verdicts.length > 1 ? `${text} (and ${String(verdicts.length - 1)} more)` : text;
}
