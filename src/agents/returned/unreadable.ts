// Errors of answers that cannot be read. They say nothing about the quality of the agent, so the attempt is not measured.

import { AttemptError } from '../../errors.ts';
import { describeValue } from '../frameworks/not-an-agent.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import type { LostValue } from '../plain-answer.ts';
import { quote } from '../../text/quote.ts';

export { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';

const READABLE =
  'return text, a plain object or list, a transcript {output, tool_calls, usage}, a Response, ' +
  'or an answer or stream of the AI SDK, OpenAI, Anthropic, Google Gen AI or LangChain';

/** The function returned a value that Assay does not know. */
export function unreadable(what: string, hint = READABLE, who = 'the agent'): AttemptError {
  return new AttemptError('protocol', `${who} returned ${what}, which cannot be judged; ${hint}`, {
    isFinal: true,
  });
}

/** The answer holds a value that JSON cannot hold. */
export function lostValue({ value, path }: LostValue, who?: string): AttemptError {
  return unreadable(`${describeLost(value)} in "${path}"`, remedy(value), who);
}

/** A value that JSON cannot hold, in words. */
export function describeLost(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `the BigInt ${value}n`;
  return value instanceof Date ? 'an invalid Date' : describeValue(value);
}

/** What to return instead of a value that JSON cannot hold. */
export function remedy(value: unknown): string | undefined {
  if (typeof value === 'function') return 'call it and return what it returns';
  if (typeof value === 'bigint') return 'return a number or a text, which JSON can hold';
  if (typeof value === 'number' || value instanceof Date) return 'return null or a text, which JSON can hold';
  return REMEDIES[Object.prototype.toString.call(value)];
}

const REMEDIES: Record<string, string> = {
  '[object Error]': 'throw it, or return its message',
  '[object Map]': 'return Object.fromEntries(map)',
  '[object Promise]': 'await it',
  '[object Set]': 'return [...set]',
};

/** An answer of a known format that is not whole. */
export function incompleteAnswer(what: string, problem: string): AttemptError {
  return new AttemptError('protocol', `the agent returned a ${what} that cannot be read: ${problem}`);
}

/** A tool ran that the calls of the answer lack, so nothing can be said about the calls. */
export function unknownCall(what: string, id: unknown): AttemptError {
  const name = typeof id === 'string' ? ` ${quote(id)}` : '';
  return incompleteAnswer(what, `it has the result of a tool call${name}, but not the call`);
}

export function answerTooLong(): AttemptError {
  const limit = `${String(OUTPUT_LIMIT / 1024 / 1024)} MB`;
  return new AttemptError('agent', `answered more than ${limit}; at most ${limit} of an answer is read`);
}
