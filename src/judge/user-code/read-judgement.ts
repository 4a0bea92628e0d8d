// The result of users' judging code in, a judgement out: one reader for scripts, expressions and commands.

import { isObject } from '../../json/is-object.ts';
import { quote } from '../../text/quote.ts';
import type { Judgement } from '../assertion.ts';

/** The part of a judgement that users' code decides. */
export type UserJudgement = Pick<Judgement, 'message' | 'pass' | 'reason' | 'score'>;

const FORMS = 'it must be true, false, a score from 0 to 1 or {pass, score, message}';

/**
 * Reads true, false, a score, or `{pass, score, message}`; throws if it is anything else. With a `threshold`, the score decides, but
 * `pass: false` always fails. `subject` starts the error: `scripts.check.Fn returned`.
 */
export function readJudgement(
  result: unknown,
  { subject, threshold }: { subject: string; threshold?: number | undefined },
): UserJudgement {
  const unclear = (problem: string): Error => new Error(`${subject} ${quoteResult(result)}, but ${problem}`);
  const { pass, score, message, reason } = toFields(result) ?? {};
  if (pass === undefined && score === undefined) throw unclear(FORMS);
  if (pass !== undefined && typeof pass !== 'boolean') throw unclear('"pass" must be true or false');
  if (score !== undefined && !isScore(score)) throw unclear('"score" must be a number from 0 to 1');
  if (!isText(message)) throw unclear('"message" must be a text');
  if (!isText(reason)) throw unclear('"reason" must be a text');

  if (threshold !== undefined && score === undefined) throw unclear('"threshold" needs a score');
  if (threshold === undefined && pass === undefined)
    throw unclear('a score decides only with a "threshold"; add one to the assertion');
  const isEnough = threshold === undefined || (score ?? 0) >= threshold;
  const isLow = pass !== false && !isEnough;
  const why =
    message || reason || (isLow ? `score ${String(score)}, wanted ${String(threshold)}` : undefined);
  return {
    pass: pass !== false && isEnough,
    ...(score !== undefined && { score }),
    ...(why && { message: why }),
    ...(reason && { reason }),
  };
}

type Fields = { pass?: unknown; score?: unknown; message?: unknown; reason?: unknown };

function toFields(result: unknown): Fields | undefined {
  if (typeof result === 'boolean') return { pass: result };
  if (typeof result === 'number') return { score: result };
  if (!isObject(result)) return undefined;
  const own = (name: string): unknown => (Object.hasOwn(result, name) ? result[name] : undefined);
  return {
    pass: own('pass'),
    score: own('score'),
    message: own('message') ?? undefined,
    reason: own('reason') ?? undefined,
  };
}

function quoteResult(result: unknown): string {
  return result === undefined ? 'undefined' : quote(result);
}

/** JSON has null for NaN and infinite numbers, so null is no score. */
function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
