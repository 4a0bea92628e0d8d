// A failed assertion about an agent, in words.

import type { Verdict } from '../../../model/outcome.ts';
import { readableText } from '../../../text/untrusted.ts';
import type { Failure, FailureDetail } from '../../fold/failures.ts';

export function agentFailure(verdict: Verdict): Failure {
  const message = verdict.message ?? (verdict.status === 'error' ? 'could not be judged' : 'does not hold');
  const { path } = verdict;
  const pathText = path === undefined || message.includes(path) ? '' : ` ${path}`;
  const turn = verdict.turn === undefined ? '' : `turn ${String(verdict.turn)}: `;
  // The code `agent` means an error of the tested agent, so an error of the judging agent is shown as `judge`.
  const isJudgeError = verdict.status === 'error' && verdict.type === 'agent';
  const type = isJudgeError ? 'judge' : `${verdict.negate === true ? 'not ' : ''}${verdict.type}`;
  const title = `${turn}${type}${pathText}`;
  const detail = failureDetail(verdict);
  return detail === undefined ? { title, message } : { title, message, detail };
}

function failureDetail({ type, diff, expected, actual }: Verdict): FailureDetail | undefined {
  if (diff !== undefined && diff !== '') return { type: 'diff', text: diff };
  if (expected === undefined && actual === undefined) return undefined;
  const shown = type === 'latency' ? rounded : (value: unknown) => value;
  return { type: 'values', expected: readableText(shown(expected)), actual: readableText(shown(actual)) };
}

/** Rounds milliseconds to microseconds. */
function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
