// What a function was given and what it said, as a transcript.

import { addUpSpending, type ModelCall } from '../frameworks/spending.ts';
import { wireCall } from '../frameworks/wire-call.ts';
import type { ToolCall, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { jsonOrText } from '../../json/parse-json.ts';

/** One call of the function. */
export type Exchange = {
  /** The messages that the function was given. */
  given: readonly Message[];
  signal: AbortSignal;
};

/** A call in an answer; `id` connects it with its result. */
export type SaidCall = { id: unknown; call: ToolCall };

/** One answer of a model. */
export type Said = {
  text: string;
  /** A structured answer, if the SDK has read one from the text. */
  object?: unknown;
  calls: readonly SaidCall[];
  /** The calls of models behind the answer. */
  spent: readonly ModelCall[];
  /** The whole conversation, if the SDK has it. */
  messages?: Message[];
};

/** The output is the structured answer, else the text. An answer with tool calls alone has the text ''. */
export async function toAnswer(said: Said, { given }: Exchange): Promise<Transcript> {
  const { text, object, calls, messages = [...given, toMessage(said)] } = said;
  return {
    output: object ?? text,
    tool_calls: calls.map(({ call }) => call),
    messages,
    ...(await addUpSpending(said.spent)),
  };
}

function toMessage({ text, calls }: Said): Message {
  const wire = calls.map(({ id, call }) => wireCall(id, call.name, call.arguments));
  const content = text === '' && wire.length > 0 ? null : text;
  return { role: 'assistant', content, ...(wire.length > 0 && { tool_calls: wire }) };
}

/** A call whose arguments may be the JSON text of an object. */
export function saidCall(id: unknown, name: unknown, given: unknown): SaidCall {
  const value = jsonOrText(given);
  return { id, call: { name: String(name), arguments: typeof value === 'object' ? value : given } };
}
