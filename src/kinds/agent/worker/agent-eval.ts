// One attempt: calls the agent, then judges its answer.

import type { Agent } from '../../../agents/adapter.ts';
import { judgeAnswer } from '../../../judge/judge.ts';
import type { Subject } from '../../../judge/assertion.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Message } from '../../../model/case.ts';
import type { Outcome, Verdict } from '../../../model/outcome.ts';
import { stopwatch } from '../../../platform/tape-scope.ts';
import type { AttemptDeps } from './attempt-deps.ts';
import { withOptions } from './attempt-deps.ts';
import { createJudgeDeps } from './judge-deps.ts';
import { inlineFiles, messagesOf } from '../messages.ts';
import { plainTranscript } from './plain-transcript.ts';
import { summarizeVerdicts } from './verdicts.ts';

/**
 * Runs the agent on the case and judges the transcript. Throws AttemptError if there is nothing to judge. Returns a promise
 * only if the agent does.
 */
export function executeAgentEval(
  attempt: Attempt,
  agent: Agent,
  deps: AttemptDeps,
): Outcome | Promise<Outcome> {
  if (attempt.case.turns !== undefined || attempt.case.simulator !== undefined) {
    return import('./conversation.ts').then(({ executeConversation }) =>
      executeConversation(attempt, agent, deps),
    );
  }
  const messages = inlineFiles(messagesOf(attempt.case.input), attempt);
  const ready = agent.prepare?.(deps);
  if (messages instanceof Promise || ready !== undefined)
    return callWhenReady(attempt, agent, deps, messages, ready);
  return callAndJudge(attempt, agent, deps, messages);
}

async function callWhenReady(
  attempt: Attempt,
  agent: Agent,
  deps: AttemptDeps,
  messages: Message[] | Promise<Message[]>,
  ready: Promise<void> | undefined,
): Promise<Outcome> {
  await ready;
  return callAndJudge(attempt, agent, deps, await messages);
}

function callAndJudge(
  attempt: Attempt,
  agent: Agent,
  deps: AttemptDeps,
  messages: Message[],
): Outcome | Promise<Outcome> {
  const { options } = attempt.case;
  const elapsed = stopwatch('answer');
  const answer = agent.run(
    messages,
    attempt.context,
    options === undefined ? deps : withOptions(deps, options),
  );
  if (!(answer instanceof Promise)) return judgeTranscript(attempt, deps, answer, elapsed());
  return answer.then((transcript) => judgeTranscript(attempt, deps, transcript, elapsed()));
}

function judgeTranscript(
  attempt: Attempt,
  deps: AttemptDeps,
  raw: Transcript,
  elapsedMs: number,
): Outcome | Promise<Outcome> {
  const { case: testCase } = attempt;
  const transcript = plainTranscript(raw);
  const subject: Subject = {
    output: transcript.output,
    input: testCase.input,
    transcript,
    duration_ms: elapsedMs,
  };
  if (testCase.expected !== undefined) subject.expected = testCase.expected;
  const verdicts = judgeAnswer(testCase, subject, createJudgeDeps(attempt, deps));
  if (verdicts instanceof Promise) return verdicts.then((judged) => toOutcome(judged, transcript, elapsedMs));
  return toOutcome(verdicts, transcript, elapsedMs);
}

function toOutcome(verdicts: Verdict[], transcript: Transcript, elapsedMs: number): Outcome {
  const outcome: Outcome = { status: 'passed', duration_ms: Math.round(elapsedMs), ...transcript, verdicts };
  return Object.assign(outcome, summarizeVerdicts(verdicts));
}
