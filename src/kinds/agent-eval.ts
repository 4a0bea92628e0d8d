// An attempt at an agent: call it, then judge what it answered.

import type { Agent, AgentDeps } from '../agents/adapter.ts';
import { AttemptError, messageOf } from '../errors.ts';
import { judgeAnswer } from '../judge/judge.ts';
import type { JudgeDeps, Subject } from '../judge/assertion.ts';
import type { Transcript } from '../model/agent.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Message } from '../model/case.ts';
import type { Outcome, Verdict } from '../model/outcome.ts';
import { BoundedOutput, OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { isWellFormed, toWellFormed, toWellFormedJson } from '../platform/well-formed.ts';
import { inlineFiles, messagesOf } from './messages.ts';

/** An answer longer than this as JSON is not judged. */
const MAX_ANSWER_LENGTH = 10 * 1024 * 1024;
/** An answer nested deeper than this could not be written to every report. */
const MAX_ANSWER_DEPTH = 500;

/** What an attempt may use. */
export type KindDeps = Pick<AgentDeps, 'env' | 'fetch' | 'signal'>;

/**
 * Runs the agent on the case and judges the transcript. Throws AttemptError if there is nothing to judge. Answers without
 * a promise if the agent does.
 */
export function executeAgentEval(attempt: Attempt, agent: Agent, deps: KindDeps): Outcome | Promise<Outcome> {
  const messages = inlineFiles(messagesOf(attempt.case.input), attempt);
  const ready = agent.prepare?.(deps);
  if (messages instanceof Promise || ready !== undefined)
    return prepared(attempt, agent, deps, messages, ready);
  return callAndJudge(attempt, agent, deps, messages);
}

async function prepared(
  attempt: Attempt,
  agent: Agent,
  deps: KindDeps,
  messages: Message[] | Promise<Message[]>,
  ready: Promise<void> | undefined,
): Promise<Outcome> {
  await ready;
  return callAndJudge(attempt, agent, deps, await messages);
}

function callAndJudge(
  attempt: Attempt,
  agent: Agent,
  deps: KindDeps,
  messages: Message[],
): Outcome | Promise<Outcome> {
  const { options } = attempt.case;
  const started = performance.now();
  const answer = agent.run(
    messages,
    attempt.context,
    options === undefined ? deps : withOptions(deps, options),
  );
  if (!(answer instanceof Promise))
    return judgeTranscript(attempt, deps, answer, performance.now() - started);
  return answer.then((transcript) => judgeTranscript(attempt, deps, transcript, performance.now() - started));
}

function withOptions(deps: KindDeps, options: Record<string, unknown>): AgentDeps {
  return { env: deps.env, fetch: deps.fetch, signal: deps.signal, options };
}

function judgeTranscript(
  { case: testCase, root, context }: Attempt,
  deps: KindDeps,
  raw: Transcript,
  elapsedMs: number,
): Outcome | Promise<Outcome> {
  const transcript = plainTranscript(raw);
  const subject: Subject = {
    output: transcript.output,
    input: testCase.input,
    transcript,
    duration_ms: elapsedMs,
  };
  if (testCase.expected !== undefined) subject.expected = testCase.expected;
  const judgeDeps: JudgeDeps = {
    root,
    context,
    get signal() {
      return deps.signal;
    },
  };
  const verdicts = judgeAnswer(testCase, subject, judgeDeps);
  if (verdicts instanceof Promise) return verdicts.then((judged) => outcomeOf(judged, transcript, elapsedMs));
  return outcomeOf(verdicts, transcript, elapsedMs);
}

function outcomeOf(verdicts: Verdict[], transcript: Transcript, elapsedMs: number): Outcome {
  const outcome: Outcome = { status: 'passed', duration_ms: Math.round(elapsedMs), ...transcript, verdicts };
  return Object.assign(outcome, endOf(verdicts));
}

/** A proven failure stays one, even beside assertions that could not be judged. */
function endOf(verdicts: Verdict[]): Pick<Outcome, 'status' | 'error' | 'code'> {
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

/** What user code hands back may hold anything; from here on it is plain JSON of bounded size. */
function plainTranscript(transcript: Transcript): Transcript {
  if (typeof transcript.output === 'string' && Object.keys(transcript).length === 1) {
    if (transcript.output.length > MAX_ANSWER_LENGTH) throw tooLong(transcript.output.length);
    return isWellFormed(transcript.output) ? transcript : { output: toWellFormed(transcript.output) };
  }
  const { logs, ...answer } = transcript;
  const text = toJsonText(answer);
  if (text.length > MAX_ANSWER_LENGTH) throw tooLong(text.length);
  // Written by JSON.stringify above, from a transcript.
  const plain: Transcript = { output: null, ...(JSON.parse(toWellFormedJson(text)) as object) };
  // Each level takes two characters, so that short answers need no look; the transcript itself is a level.
  if (text.length > MAX_ANSWER_DEPTH * 2 && isDeeper(plain, MAX_ANSWER_DEPTH + 1)) {
    throw new AttemptError('agent', `the answer is nested deeper than ${MAX_ANSWER_DEPTH} levels`);
  }
  if (logs !== undefined) plain.logs = boundedLogs(logs);
  return plain;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1));
}

/** What an agent logs is no part of its answer: too much of it is cut in the middle. */
function boundedLogs(logs: string[]): string[] {
  if (logs.reduce((sum, line) => sum + line.length, 0) <= OUTPUT_LIMIT) return logs;
  const kept = new BoundedOutput();
  for (const line of logs) kept.push(Buffer.from(`${line}\n`));
  return kept.text().trimEnd().split('\n');
}

function toJsonText(transcript: Transcript): string {
  try {
    return JSON.stringify(transcript);
  } catch (error) {
    throw new AttemptError('agent', `the answer cannot be written as JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function tooLong(length: number): AttemptError {
  const size = (length / 1024 / 1024).toFixed(1);
  return new AttemptError('agent', `the answer is ${size} MB long; at most 10 MB can be judged`);
}
