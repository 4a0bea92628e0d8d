// What a server returns for a call becomes what the model and the transcript get.

import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ToolAnswer } from './toolbox.ts';
import { quote } from '../../text/quote.ts';

/** The answer in what a server returned: structured content, else text, else the list of parts as it is. */
export function answerOf(result: CallToolResult): ToolAnswer {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isText = texts.length > 0 && texts.length === content.length;
  if (isError === true) {
    const other = content.length === 0 ? 'it failed and did not say why' : JSON.stringify(content);
    return { error: texts.join('\n') || other };
  }
  if (structuredContent !== undefined) return { result: structuredContent };
  if (isText) return { result: decoded(texts.join('\n')) };
  return { result: content };
}

/** Objects and lists travel as text in many servers; any other text is text, `42` too. */
function decoded(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What is wrong with arguments that are text: usually JSON that ends too early. */
export function noObject(given: unknown): string {
  return `invalid arguments: must be an object, as JSON, not ${quote(given)}`;
}
