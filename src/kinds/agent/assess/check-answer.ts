// An answer of a worker in, its trustworthy part out. The agent's code runs in the worker and can write to its channel, so the
// shape of every field is checked, and fields that only the coordinator may set are dropped.

import type { AgentFailure, Answer } from '../../../execute/process/protocol.ts';
import type { Problem } from '../../../errors.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { ErrorCode } from '../../../model/outcome.ts';
import { isCount } from '../../../model/spending.ts';
import { isDeeper } from '../../../json/is-deeper.ts';
import { isObject } from '../../../json/is-object.ts';
import { isTexts } from '../../../json/is-texts.ts';

/** Some report formats cannot hold a deeper value. */
const MAX_DEPTH = 600;

type FieldCheck = (value: unknown) => boolean;

/** What an agent may say about itself. */
const FIELDS: Record<keyof Transcript, FieldCheck> = {
  output: () => true,
  tool_calls: Array.isArray,
  usage: (value) => isObject(value) && Object.values(value).every(isCount),
  cost_usd: (value) => value === null || isCount(value),
  first_token_ms: isCount,
  messages: Array.isArray,
  sent_messages: Array.isArray,
  trace: Array.isArray,
  answer_metadata: isObject,
  logs: isTexts,
};

const FIELD_NAMES = Object.keys(FIELDS) as (keyof Transcript)[];

const CODES: ReadonlySet<unknown> = new Set<ErrorCode>([
  'agent',
  'auth',
  'connection',
  'harness',
  'protocol',
  'rate_limit',
  'replay',
]);

/** An answer whose fields have the shape that their types promise. */
export type CheckedAnswer = Pick<Answer, 'logs' | 'tape' | 'took_ms'> &
  ({ transcript: Transcript } | { failure: AgentFailure });

/** Checks an answer; one of the wrong shape is a failure of the agent. */
export function checkAnswer(answer: Answer): CheckedAnswer {
  if (isPlain(answer)) return answer;
  const { took_ms, tape } = answer;
  const logs = answer.logs === undefined || isTexts(answer.logs) ? answer.logs : undefined;
  const checked = {
    took_ms: isCount(took_ms) ? took_ms : 0,
    ...(logs && { logs }),
    ...(isObject(tape) && { tape }),
  };
  const problem = problemWith(answer);
  if (problem !== undefined) return { ...checked, failure: wrongAnswer(problem) };
  const { failure, transcript } = answer;
  if (failure !== undefined) return { ...checked, failure: cleanFailure(failure) };
  return { ...checked, transcript: cleanTranscript(transcript ?? { output: null }) };
}

/** A text, and nothing else to check: most answers. */
function isPlain(answer: Answer): answer is Answer & { transcript: Transcript } {
  const { failure, logs, tape, took_ms, transcript } = answer;
  if (failure !== undefined || logs !== undefined || tape !== undefined || !isCount(took_ms)) return false;
  return (
    isObject(transcript) && typeof transcript.output === 'string' && Object.keys(transcript).length === 1
  );
}

function problemWith({ failure, transcript }: Answer): string | undefined {
  if (failure !== undefined) {
    const isKnown =
      isObject(failure) &&
      typeof failure.error === 'string' &&
      (failure.status === 'timeout' || (failure.status === 'error' && CODES.has(failure.code)));
    return isKnown ? undefined : 'a failure without a known status';
  }
  if (!isObject(transcript) || !('output' in transcript)) return 'neither an answer nor a failure';
  for (const name of FIELD_NAMES)
    if (transcript[name] !== undefined && !FIELDS[name](transcript[name])) return `a wrong "${name}"`;
  return isDeeper(transcript, MAX_DEPTH) ? 'an answer that is nested too deeply' : undefined;
}

function wrongAnswer(problem: string): AgentFailure {
  const error = `the worker sent ${problem}: code of the agent has changed what the worker itself needs`;
  return { status: 'error', code: 'agent', error };
}

function cleanFailure({
  status,
  code,
  error,
  stack,
  retry_after_ms,
  is_final,
  problem,
}: AgentFailure): AgentFailure {
  return {
    status,
    ...(status === 'error' && { code }),
    error,
    ...(typeof stack === 'string' && { stack }),
    ...(isCount(retry_after_ms) && { retry_after_ms }),
    ...(is_final === true && { is_final }),
    ...(isProblem(problem) && { problem }),
  };
}

function isProblem(problem: unknown): problem is Problem {
  return isObject(problem) && isTexts(Object.values(problem)) && typeof problem['message'] === 'string';
}

/** Keeps the known fields, in one order. */
function cleanTranscript(transcript: Transcript): Transcript {
  if (Object.keys(transcript).length === 1) return transcript;
  const known = FIELD_NAMES.filter((name) => transcript[name] !== undefined);
  // The same fields with the same types.
  return Object.fromEntries(known.map((name) => [name, transcript[name]])) as Transcript;
}
