// Plays a recorded conversation back: the answers of the agent, and what the simulated user said.

import { isDeepStrictEqual } from 'node:util';
import type { Assessor } from '../kinds/agent/assess/assess.ts';
import type { CheckedAnswer } from '../kinds/agent/assess/check-answer.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { RecordedAnswer } from './recorded.ts';

type Ask = Parameters<Assessor['converse']>[1];
type Simulate = NonNullable<Parameters<Assessor['converse']>[2]>;

/** `ask` fails where the recording has no answer, or has the answer to another question. */
export function replayConversation({ transcript, duration_ms }: RecordedAnswer): {
  ask: Ask;
  simulate: Simulate;
} {
  const recorded = transcript.messages ?? [];
  const last = recorded.findLastIndex(isAnswer);
  let turn = 0;
  /** The messages up to here were said. */
  let said = 0;

  return {
    async ask(messages) {
      turn += 1;
      const at = recorded.findIndex((message, index) => index >= said && isAnswer(message));
      const answer = recorded[at];
      if (answer === undefined) return failure(`the recorded conversation ends before turn ${turn}`);
      if (!isSame(recorded.slice(0, at), messages))
        return failure(`turn ${turn} was recorded with other messages`);
      said = at + 1;
      return { took_ms: 0, measuredMs: duration_ms, transcript: turnOf(answer, at === last, transcript) };
    },
    async simulate() {
      const next = recorded[said];
      const output =
        next === undefined
          ? { message: '', goal_achieved: true, reasoning: 'the recorded conversation ends here' }
          : { message: next.content, goal_achieved: false };
      return { output };
    },
  };
}

/** What was counted for the whole conversation stands at its last turn. */
function turnOf({ content }: Message, isLast: boolean, transcript: Transcript): Transcript {
  if (isLast) return transcript;
  // Without any tool call in the conversation, a turn has none.
  return { output: content, ...(transcript.tool_calls?.length === 0 && { tool_calls: [] }) };
}

function isAnswer({ role }: Message): boolean {
  return role === 'assistant';
}

/** Secrets are masked in a recording, so that a text with a mask cannot be compared. */
function isSame(recorded: readonly Message[], now: readonly Message[]): boolean {
  return JSON.stringify(recorded).includes('***') || isDeepStrictEqual(recorded, [...now]);
}

function failure(error: string): CheckedAnswer & { measuredMs: number } {
  return { took_ms: 0, measuredMs: 0, failure: { status: 'error', code: 'replay', error } };
}
