// Converts an agent's answer into a transcript.

import { AttemptError, messageOf } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import { toUsage } from '../model/spending.ts';
import { trimStack } from '../scripts/stack.ts';
import { isObject } from '../json/is-object.ts';

/** An object with the key `output` is a transcript; any other value is the output itself. */
export function toTranscript(answer: unknown): Transcript {
  if (!isObject(answer) || !Object.hasOwn(answer, 'output')) return { output: answer ?? null };
  const { output, tool_calls, usage, cost_usd, messages, logs } = answer as Partial<Transcript>;
  const transcript: Transcript = { output: output ?? null };
  // Ignore fields of the wrong type.
  if (Array.isArray(tool_calls)) transcript.tool_calls = tool_calls;
  const counts = toUsage(usage);
  if (counts !== undefined) transcript.usage = counts;
  if (typeof cost_usd === 'number' && cost_usd >= 0 && cost_usd < Infinity) transcript.cost_usd = cost_usd;
  if (Array.isArray(messages)) transcript.messages = messages;
  if (Array.isArray(logs)) transcript.logs = logs.map(String);
  return transcript;
}

/** The text of the last user message, for agents that take a single text. */
export function lastInput(messages: Message[]): string {
  const { content } = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1) ?? { content: '' };
  if (typeof content === 'string') return content;
  const texts = (content ?? []).map((part) => part['text']).filter((text) => typeof text === 'string');
  return texts.join('\n');
}

/** Converts an error of user code into the agent's failure. */
export function agentFailure(error: unknown): AttemptError {
  if (error instanceof AttemptError) return error;
  if (error instanceof Error) trimStack(error);
  return new AttemptError('agent', messageOf(error) || 'the agent threw an error without a message', {
    cause: error,
  });
}
