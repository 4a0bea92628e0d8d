// An attempt at an agent: call it, then judge what it answered.

import type { Agent } from '../agents/adapter.ts';
import { AttemptError, messageOf } from '../errors.ts';
import { judgeAnswer } from '../judge/judge.ts';
import type { Subject } from '../judge/assertion.ts';
import type { Transcript } from '../model/agent.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Outcome, Verdict } from '../model/outcome.ts';
import { inlineFiles, messagesOf } from './messages.ts';

/** An answer longer than this as JSON is not judged. */
const MAX_ANSWER_LENGTH = 10 * 1024 * 1024;

/** What an attempt may use. */
export type KindDeps = {
  agent: Agent;
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
};

/** Runs the agent on the case and judges the transcript. Throws AttemptError if there is nothing to judge. */
export async function executeAgentEval(attempt: Omit<Attempt, 'agent'>, deps: KindDeps): Promise<Outcome> {
  const { case: testCase, base, root, context } = attempt;
  const inlined = inlineFiles(messagesOf(testCase.input), { base, root });
  const messages = inlined instanceof Promise ? await inlined : inlined;
  const started = performance.now();
  const transcript = plainTranscript(await deps.agent.run(messages, context, deps));
  const elapsed = performance.now() - started;

  const subject: Subject = { output: transcript.output, input: testCase.input, transcript, duration_ms: elapsed };
  if (testCase.expected !== undefined) subject.expected = testCase.expected;
  const judged = judgeAnswer(testCase, subject, { root, context, signal: deps.signal });
  const verdicts = judged instanceof Promise ? await judged : judged;
  return { ...endOf(verdicts), duration_ms: Math.round(elapsed), ...transcript, verdicts };
}

/** A proven failure stays one, even beside assertions that could not be judged. */
function endOf(verdicts: Verdict[]): Pick<Outcome, 'status' | 'error' | 'code'> {
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

/** What user code hands back may hold anything; from here on it is plain JSON of bounded size. */
function plainTranscript(transcript: Transcript): Transcript {
  if (typeof transcript.output === 'string' && Object.keys(transcript).length === 1) {
    if (transcript.output.length > MAX_ANSWER_LENGTH) throw tooLong(transcript.output.length);
    return transcript;
  }
  const text = toJsonText(transcript);
  if (text.length > MAX_ANSWER_LENGTH) throw tooLong(text.length);
  // Written by JSON.stringify one line above, from a transcript.
  return { output: null, ...(JSON.parse(text) as object) };
}

function toJsonText(transcript: Transcript): string {
  try {
    return JSON.stringify(transcript);
  } catch (error) {
    throw new AttemptError('agent', `the answer cannot be written as JSON: ${messageOf(error)}`, { cause: error });
  }
}

function tooLong(length: number): AttemptError {
  const size = (length / 1024 / 1024).toFixed(1);
  return new AttemptError('agent', `the answer is ${size} MB long; at most 10 MB can be judged`);
}
