// Converts messages to the forms that routes of the AI SDK and AG-UI servers expect.

import { contentText, readSource, sourceText, sourceUrl } from '../../connectors/content-source.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';

type Part = Record<string, unknown>;
type WireCall = { id: string; name: string; arguments: unknown };

/** Values of a request's template by name, made when the template uses them. */
export const messageForms: Record<string, (messages: Message[], context: ContextData) => unknown> = {
  ag_ui: toAgUiInput,
  ui_messages: toUiMessages,
};

/** The messages as `useChat` of the AI SDK sends them: results of tools are in the part of their call. */
function toUiMessages(messages: Message[]): Part[] {
  const list: { id: string; role: string; parts: Part[] }[] = [];
  const calls = new Map<unknown, Part>();
  messages.forEach((message, index) => {
    const { role, content } = message;
    const call = calls.get(message['tool_call_id']);
    if (role === 'tool' && call !== undefined) {
      Object.assign(call, { state: 'output-available', output: jsonOrText(contentText(content)) });
      return;
    }
    const parts = contentParts(content).map(toUiPart);
    for (const { id, name, arguments: input } of wireCalls(message)) {
      const part: Part = { type: `tool-${name}`, toolCallId: id, state: 'input-available', input };
      calls.set(id, part);
      parts.push(part);
    }
    list.push({ id: messageId(index), role: role === 'developer' ? 'system' : role, parts });
  });
  return list;
}

/** The input of an AG-UI run. The thread is the conversation of the attempt. */
function toAgUiInput(messages: Message[], { chat_id }: ContextData): Part {
  return {
    threadId: chat_id,
    // Each turn of a conversation is a run of its own.
    runId: `${chat_id}-${String(messages.length)}`,
    state: {},
    messages: messages.map(toAgUiMessage),
    tools: [],
    context: [],
    forwardedProps: {},
  };
}

function toAgUiMessage(message: Message, index: number): Part {
  const { role, content, name } = message;
  const calls = wireCalls(message).map(({ id, name: tool, arguments: given }) => ({
    id,
    type: 'function',
    function: { name: tool, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
  // Only users send anything but text.
  const isText = role !== 'user' || typeof content === 'string';
  return {
    id: messageId(index),
    role,
    ...(content !== null && {
      content: isText ? contentText(content) : contentParts(content).map(toAgUiPart),
    }),
    ...(name !== undefined && { name }),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(role === 'tool' && { toolCallId: message['tool_call_id'] }),
  };
}

function messageId(index: number): string {
  return `message-${String(index + 1)}`;
}

function contentParts(content: Message['content']): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content ?? [];
}

function wireCalls({ tool_calls: calls }: Message): WireCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    if (!isObject(call) || !isObject(call['function'])) return [];
    const { name, arguments: given } = call['function'];
    return [{ id: String(call['id']), name: String(name), arguments: jsonOrText(given) ?? {} }];
  });
}

/** A part as text or as a file with its media type. */
function readPart(part: ContentPart): { text: string } | { url: string; mime: string; name?: unknown } {
  if (typeof part['text'] === 'string') return { text: part['text'] };
  const source = readSource(part);
  const text = source === undefined ? JSON.stringify(part) : sourceText(source);
  if (source === undefined || text !== undefined) return { text: text ?? '' };
  const kind = /^(?:image|audio|video)/.exec(part.type)?.[0];
  const mime = 'mime' in source ? source.mime : kind === undefined ? 'application/pdf' : `${kind}/*`;
  return { url: sourceUrl(source), mime, name: part['name'] ?? part['filename'] };
}

function toUiPart(part: ContentPart): Part {
  const read = readPart(part);
  if ('text' in read) return { type: 'text', text: read.text };
  const { url, mime, name } = read;
  return { type: 'file', mediaType: mime, url, ...(typeof name === 'string' && { filename: name }) };
}

function toAgUiPart(part: ContentPart): Part {
  const read = readPart(part);
  if ('text' in read) return { type: 'text', text: read.text };
  const { url, mime } = read;
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  const type = /^(?:image|audio|video)(?=\/)/.exec(mime)?.[0] ?? 'document';
  if (data !== undefined) return { type, source: { type: 'data', value: data, mimeType: mime } };
  return { type, source: { type: 'url', value: url, ...(!mime.endsWith('*') && { mimeType: mime }) } };
}
