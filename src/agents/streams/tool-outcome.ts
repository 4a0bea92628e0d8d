import { jsonOrText } from '../../json/parse-json.ts';
import { isObject } from '../../json/is-object.ts';
import type { ToolCall } from '../../model/agent.ts';
import { errorText } from './stream-failure.ts';

/** The outcome of a tool whose result is text, a list of text parts or a value. JSON text becomes its value. */
export function toolOutcome(content: unknown, isError = false): Pick<ToolCall, 'error' | 'result'> {
  const text = joinTexts(content);
  if (isError) return { error: errorText(text ?? content) };
  const value = text === undefined ? undefined : jsonOrText(text);
  const isStructured = typeof value === 'object' && value !== null;
  return { result: isStructured ? value : (text ?? content ?? null) };
}

function joinTexts(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((part: unknown) => (isObject(part) ? part['text'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}
