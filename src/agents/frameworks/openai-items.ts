// Converts items of the OpenAI Agents SDK from and to messages.

import { contentText, readSource, sourceText, sourceUrl } from '../../connectors/content-source.ts';
import type { ContentPart, Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import type { Fields } from './framework.ts';
import { readField, objectsIn, textIn } from './framework.ts';
import { wireCall } from './wire-call.ts';

/** A conversation as the input of `run`. */
export function toItems(messages: readonly Message[]): Fields[] {
  const names = new Map<unknown, unknown>();
  return messages.flatMap((message): Fields[] => {
    const { role, content } = message;
    const text = contentText(content);
    if (role === 'system' || role === 'developer') return [{ role: 'system', content: text }];
    if (role === 'tool') {
      const { tool_call_id: callId } = message;
      const name = names.get(callId) ?? message.name ?? 'tool';
      const output = { type: 'text', text };
      return [{ type: 'function_call_result', callId, name, status: 'completed', output }];
    }
    if (role !== 'assistant')
      return [{ role: 'user', content: Array.isArray(content) ? content.map(toPart) : text }];
    const calls = objectsIn(message['tool_calls']).map((call) => {
      const { name, arguments: args } = isObject(call['function']) ? call['function'] : {};
      names.set(call['id'], name);
      const given = typeof args === 'string' ? args : JSON.stringify(args ?? {});
      return { type: 'function_call', callId: call['id'], name, status: 'completed', arguments: given };
    });
    const reply = { role, status: 'completed', content: [{ type: 'output_text', text }] };
    return text === '' && calls.length > 0 ? calls : [reply, ...calls];
  });
}

/** Converts the items that a run added; consecutive calls become one message. */
export function fromItems(items: readonly unknown[]): Message[] {
  const messages: Message[] = [];
  for (const item of items) {
    const type = textIn(item, 'type') ?? '';
    if (type === 'message')
      messages.push({ role: 'assistant', content: partsText(readField(item, 'content')) });
    else if (type === 'function_call') addCall(messages, item);
    else if (type === 'function_call_result') {
      messages.push({
        role: 'tool',
        tool_call_id: textIn(item, 'callId') ?? '',
        name: textIn(item, 'name') ?? '',
        content: outputText(readField(item, 'output')),
      });
    }
  }
  return messages;
}

/** The output of a tool as the model gets it. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return partsText(output);
  return textIn(output, 'text') ?? JSON.stringify(output ?? null);
}

function addCall(messages: Message[], item: unknown): void {
  const call = wireCall(readField(item, 'callId'), readField(item, 'name'), readField(item, 'arguments'));
  const last = messages.at(-1);
  if (last?.role === 'assistant') last['tool_calls'] = [...objectsIn(last['tool_calls']), call];
  else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
}

function partsText(parts: unknown): string {
  const texts = objectsIn(parts).map((part) => textIn(part, 'text') ?? textIn(part, 'refusal') ?? '');
  return texts.join('');
}

function toPart(part: ContentPart): Fields {
  if (typeof part['text'] === 'string') return { type: 'input_text', text: part['text'] };
  const source = readSource(part);
  const text = source === undefined ? JSON.stringify(part) : sourceText(source);
  if (source === undefined || text !== undefined) return { type: 'input_text', text: text ?? '' };
  const url = sourceUrl(source);
  const mime = 'mime' in source ? source.mime : '';
  if (part.type.startsWith('image') || mime.startsWith('image/')) return { type: 'input_image', image: url };
  if ('base64' in source && mime.startsWith('audio/')) {
    return { type: 'audio', audio: source.base64, format: mime.replace(/^audio\/(?:x-)?/, '') };
  }
  const filename = textIn(part, 'name') ?? textIn(part, 'filename');
  const file = 'url' in source ? { url } : url;
  return { type: 'input_file', file, ...(filename !== undefined && { filename }) };
}
