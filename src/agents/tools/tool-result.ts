// Converts a server's result into the answer for the model and the transcript.

import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolAnswer } from './toolbox.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import { quote } from '../../text/quote.ts';

/** Prefers structured content, then text, then the list of parts. */
export function toToolAnswer(result: CallToolResult): ToolAnswer {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isText = texts.length > 0 && texts.length === content.length;
  if (isError === true) {
    const other = content.length === 0 ? 'the tool failed without a message' : JSON.stringify(content);
    return { error: texts.join('\n') || other };
  }
  if (structuredContent !== undefined) return { result: structuredContent };
  if (isText) return { result: decoded(texts.join('\n')) };
  return { result: content };
}

/** Many servers send objects and lists as JSON text; other text stays text, also `42`. */
function decoded(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonOrText(text) : text;
}

/** The message for arguments that are not an object, usually truncated JSON. */
export function notAnObjectMessage(given: unknown): string {
  return `invalid arguments: must be an object, as JSON, not ${quote(given)}`;
}
