// Reads the answer of a judging agent strictly: an unclear answer is not a judgement.

import { quote } from '../text/quote.ts';
import { findReply } from './find-reply.ts';

export type JudgeReply = { passed?: boolean; score?: number; reason?: string };

/**
 * The verdict in a reply: `{passed, score, reason}`, or a text with this JSON in it. `pass` means `passed`, and null
 * means that nothing is said. Throws if it says something else, or neither `passed` nor `score`.
 */
export function readJudgeReply(output: unknown): JudgeReply {
  const { reply: json, isAmbiguous } = findReply(output, ['passed', 'pass', 'score']);
  if (isAmbiguous === true) throw unclear('must give one judgement, not several or parts of one', output);
  if (json === undefined) throw unclear('must answer {passed, score, reason}', output);
  const [passed, pass, score, reason] = ['passed', 'pass', 'score', 'reason'].map((field) =>
    Object.hasOwn(json, field) ? (json[field] ?? undefined) : undefined,
  );
  if (!isBoolean(passed) || !isBoolean(pass)) throw unclear('"passed" must be true or false', output);
  if (passed !== undefined && pass !== undefined && passed !== pass)
    throw unclear('"passed" and "pass" must be the same', output);
  if (!isScore(score)) throw unclear('"score" must be a number from 0 to 1', output);
  if (reason !== undefined && typeof reason !== 'string') throw unclear('"reason" must be a text', output);

  const decision = passed ?? pass;
  if (decision === undefined && score === undefined) throw unclear('"passed" must be true or false', output);
  return {
    ...(decision !== undefined && { passed: decision }),
    ...(score !== undefined && { score }),
    ...(reason !== undefined && reason !== '' && { reason }),
  };
}

/** The error of a judge whose answer cannot be used. */
export function unclear(problem: string, output: unknown): Error {
  return new Error(`the judge answered ${quote(output)}, but ${problem}`);
}

function isBoolean(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === 'boolean';
}

function isScore(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= 1);
}
