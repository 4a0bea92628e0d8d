// A result of a log in, what can be judged of it out.

import { isDeepStrictEqual } from 'node:util';
import type { Transcript } from '../../model/agent.ts';
import type { CaseInput, TestCase } from '../../model/case.ts';
import type { ResultEvent } from '../../model/event.ts';
import type { Outcome } from '../../model/outcome.ts';
import { toUsage } from '../../model/spending.ts';
import type { Recorded } from '../recorded.ts';
import { notGraded } from '../recorded.ts';

/** An attempt that has an answer is judged; one that was skipped, timed out or failed stays so. */
export function recordedResult(event: ResultEvent, testCase: TestCase): Recorded {
  if (event.status === 'skipped')
    return notGraded(`it was not run: ${event.skip_message ?? event.reason ?? 'skipped'}`);
  if (!hasAnswer(event)) return { outcome: recordedOutcome(event) };
  if (!isSameQuestion(event.input, testCase))
    return notGraded('its input has changed since the answer was recorded: run it again');
  const { duration_ms, input } = event;
  return { answer: { transcript: recordedTranscript(event), duration_ms, input } };
}

/** An answer that could not be judged then can be judged now. */
function hasAnswer({ status, code, ...event }: ResultEvent): boolean {
  if (status === 'error') return code === 'judge' && 'output' in event;
  return status === 'passed' || status === 'failed';
}

function recordedTranscript(event: ResultEvent): Transcript {
  const { output = null, tool_calls, cost_usd, first_token_ms, messages } = event;
  const { sent_messages, trace, answer_metadata, logs } = event;
  // Older versions wrote null for unknown counts.
  const usage = toUsage(event.usage);
  return {
    output,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(usage !== undefined && { usage }),
    ...(cost_usd !== undefined && { cost_usd }),
    ...(first_token_ms !== undefined && { first_token_ms }),
    ...(messages !== undefined && { messages }),
    ...(sent_messages !== undefined && { sent_messages }),
    ...(trace !== undefined && { trace }),
    ...(answer_metadata !== undefined && { answer_metadata }),
    ...(logs !== undefined && { logs }),
  };
}

/** The fields of a result that are its outcome. */
function recordedOutcome(event: ResultEvent): Outcome {
  const { type: _type, key: _key, kind: _kind, test_id: _test, id: _id, run: _run, ...rest } = event;
  const { agent_id: _agent, case_sha: _sha, input: _input, expected: _expected, ...more } = rest;
  const { description: _description, tags: _tags, line: _line, position: _position, ...others } = more;
  const { variables: _variables, uncounted: _uncounted, quarantined: _quarantined, ...outcome } = others;
  return outcome;
}

/** A case that leaves its input out takes the recorded one. Masked texts cannot be compared. */
function isSameQuestion(recorded: CaseInput | undefined, { input, turns }: TestCase): boolean {
  if (recorded === undefined) return true;
  const [first] = turns ?? [];
  const asked = Array.isArray(input) && input.length === 0 ? first?.input : input;
  if (asked === undefined || JSON.stringify(recorded).includes('***')) return true;
  return isDeepStrictEqual(recorded, asked);
}
