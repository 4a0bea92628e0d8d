// Converts messages between LangChain and Assay.

import { readSource, sourceText, sourceUrl } from '../../connectors/content-source.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import type { Fields } from './framework.ts';
import { callMethod, readField, hasMethods, objectsIn, textIn } from './framework.ts';
import { wireCall } from './wire-call.ts';

const ROLES: Record<string, string> = { ai: 'assistant', human: 'user' };

/** A message in chat-completions format, which LangChain accepts. */
export function toLangChain(message: Message): Fields {
  const { content } = message;
  if (!Array.isArray(content)) return { ...message, content: content ?? '' };
  return { ...message, content: content.map(toPart) };
}

export function fromLangChain(value: unknown): Message {
  const type = messageType(value);
  const role = ROLES[type] ?? type;
  const text = contentText(value);
  const calls = objectsIn(readField(value, 'tool_calls')).map(({ id, name, args }) =>
    wireCall(id, name, args),
  );
  const message: Message = { role, content: text === '' && calls.length > 0 ? null : text };
  if (calls.length > 0) message['tool_calls'] = calls;
  if (type !== 'tool') return message;
  message['tool_call_id'] = textIn(value, 'tool_call_id') ?? '';
  const name = textIn(value, 'name');
  return name === undefined ? message : { ...message, name };
}

/** The text parts of a message, joined. */
export function contentText(message: unknown): string {
  const content = readField(message, 'content');
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => textIn(part, 'text') ?? '')
    .join('');
}

function messageType(message: unknown): string {
  for (const name of ['getType', '_getType']) {
    if (hasMethods(message, name)) return String(callMethod(message, name));
  }
  return textIn(message, 'type') ?? textIn(message, 'role') ?? 'user';
}

/** Converts to parts that all LangChain models support: text, image URLs, and files and audio as bytes. */
function toPart(part: ContentPart): Fields {
  if (part.type === 'text' || part.source === undefined) return part;
  const source = readSource(part);
  if (source === undefined) return part;
  const text = sourceText(source);
  if (text !== undefined) return { type: 'text', text };
  if ('url' in source || part.type === 'image' || source.mime.startsWith('image/')) {
    const url = sourceUrl(source);
    return { type: 'image_url', image_url: { url } };
  }
  const type = source.mime.startsWith('audio/') ? 'audio' : 'file';
  return { type, source_type: 'base64', mime_type: source.mime, data: source.base64 };
}
