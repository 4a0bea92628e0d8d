// Converts an agent's answer into a transcript.

import { AttemptError, messageOf } from '../errors.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import { isCount, toUsage, USAGE_NAMES } from '../model/spending.ts';
import { quote } from '../text/quote.ts';
import { trimStack } from '../scripts/stack.ts';
import { isObject } from '../json/is-object.ts';
import { readToolCall } from './tool-call.ts';

/**
 * An object with the key `output` is a transcript; any other value is the output itself. A field of the wrong type is an
 * error, because an assertion on it would judge something else than the agent reports. Fields in `elsewhere` are not read:
 * the caller takes them from another place.
 */
export function toTranscript(answer: unknown, elsewhere: object = {}): Transcript {
  if (!isObject(answer) || !Object.hasOwn(answer, 'output')) return { output: answer ?? null };
  const transcript: Transcript = { output: answer['output'] ?? null };
  const problems: string[] = [];
  for (const name of FIELD_NAMES) {
    const value = answer[name];
    if (value === undefined || value === null || Reflect.get(elsewhere, name) !== undefined) continue;
    const { read, expected } = FIELDS[name];
    const field = read(value);
    if (field === undefined) problems.push(`"${name}" is ${asText(value)}, expected ${expected}`);
    else Object.assign(transcript, field);
  }
  if (problems.length === 0) return transcript;
  const message = `the answer is a transcript that cannot be read: ${problems.join('; ')}`;
  throw new AttemptError('protocol', message, { isFinal: true });
}

/** How a field of a transcript is read; undefined for a value of the wrong type. */
type FieldReader = { expected: string; read(value: unknown): Partial<Transcript> | undefined };

const FIELDS = {
  tool_calls: {
    expected: 'a list of {name, arguments, result} or {name, arguments, error}, with texts as name and error',
    read(value) {
      const calls = Array.isArray(value) ? value.map(readToolCall) : [undefined];
      return calls.every((call) => call !== undefined) ? { tool_calls: calls } : undefined;
    },
  },
  usage: { expected: '{input_tokens, output_tokens} with numbers', read: readUsage },
  cost_usd: {
    expected: 'a number of US dollars',
    read: (value) => (isCount(value) ? { cost_usd: value } : undefined),
  },
  messages: {
    expected: 'a list of {role, content}',
    read: (value) => (isMessages(value) ? { messages: value } : undefined),
  },
  logs: {
    expected: 'a list of texts',
    read: (value) => (Array.isArray(value) ? { logs: value.map(String) } : undefined),
  },
} satisfies Record<string, FieldReader>;

const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Some SDKs report counts that they do not know as undefined. */
function readUsage(value: unknown): Partial<Transcript> | undefined {
  if (!isObject(value)) return undefined;
  const known = USAGE_NAMES.map((name) => value[name]).filter(
    (count) => count !== undefined && count !== null,
  );
  if (!known.every(isCount)) return undefined;
  const usage = toUsage(value);
  if (usage !== undefined) return { usage };
  return Object.values(value).every((count) => count === undefined || count === null) ? {} : undefined;
}

function isMessages(value: unknown): value is Message[] {
  return Array.isArray(value) && value.every(isObject);
}

function asText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return quote(value);
  } catch {
    return `a ${typeof value} that cannot be written as JSON`;
  }
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
