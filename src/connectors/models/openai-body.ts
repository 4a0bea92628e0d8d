// Builds the request body of a chat completion.

import type { ContentPart, Message } from '../../model/case.ts';
import type { Connector } from '../../model/connector.ts';
import { isObject } from '../../json/is-object.ts';
import type { ChatRequest, ChatTool } from '../chat.ts';
import { contentText, readSource, sourceText, sourceUrl } from '../content-source.ts';
import { dropOther, limitName, overrideOptions } from '../token-limit.ts';

/** Options that are sent to the server. Others are meant for assistants, and servers refuse unknown ones. */
export const MODEL_OPTIONS = [
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'min_p',
  'modalities',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'repetition_penalty',
  'response_format',
  'seed',
  'service_tier',
  'stop',
  'temperature',
  'thinking',
  'tool_choice',
  'top_k',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
];
const MESSAGE_FIELDS = ['name', 'tool_call_id', 'tool_calls'];

/** `extra_body` is merged last and overrides everything. */
export function requestBody(connector: Connector, request: ChatRequest): Record<string, unknown> {
  const { options, tools = [] } = request;
  const body: Record<string, unknown> = {
    model: connector.model,
    messages: toWireMessages(request.messages),
    stream: true,
    stream_options: { include_usage: true },
  };
  if (tools.length > 0) body['tools'] = tools.map(toWireTool);
  for (const name of MODEL_OPTIONS) {
    const value = options[name];
    if (value !== undefined && value !== null) body[name] = value;
  }
  const limit = limitName(options);
  if (limit !== undefined) dropOther(body, limit);
  if (body['max_tokens'] !== undefined && refusesMaxTokens(connector)) {
    body['max_completion_tokens'] = body['max_tokens'];
    delete body['max_tokens'];
  }
  const extra = options['extra_body'];
  return isObject(extra) ? overrideOptions(body, extra) : body;
}

/** OpenAI's reasoning models accept only `max_completion_tokens`. */
function refusesMaxTokens({ url = '', model }: Connector): boolean {
  return url.startsWith('https://api.openai.com/') && /^(?:o\d|gpt-[5-9])/.test(model);
}

/** The content of a tool message is text. Its images and files go into a message of the user, after all results of the round. */
function toWireMessages(messages: readonly Message[]): Record<string, unknown>[] {
  const wire: Record<string, unknown>[] = [];
  let media: ContentPart[] = [];
  const sendMedia = (): void => {
    if (media.length > 0) wire.push(toWireMessage({ role: 'user', content: media }));
    media = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') sendMedia();
    const parts = message.role === 'tool' && Array.isArray(message.content) ? message.content : [];
    const others = parts.filter(({ type }) => type !== 'text');
    if (others.length === 0) wire.push(toWireMessage(message));
    else {
      const texts = parts.filter(({ type }) => type === 'text');
      wire.push(toWireMessage({ ...message, content: contentText(texts) }));
      media.push({ type: 'text', text: `The tool ${message.name ?? ''} returned:` }, ...others);
    }
  }
  sendMedia();
  return wire;
}

function toWireMessage(message: Message): Record<string, unknown> {
  const { role, content } = message;
  const wire: Record<string, unknown> = {
    role,
    content: Array.isArray(content) ? content.map(toWirePart) : content,
  };
  for (const name of MESSAGE_FIELDS) {
    const value = message[name];
    if (value !== undefined && value !== null) wire[name] = value;
  }
  return wire;
}

function toWireTool({ name, description, parameters }: ChatTool): Record<string, unknown> {
  return {
    type: 'function',
    function: { name, description, parameters },
  };
}

/** Parts already in wire format, and those without a source, are sent unchanged. */
function toWirePart(part: ContentPart): Record<string, unknown> {
  if (part.source === undefined) return part;
  const source = readSource(part);
  if (source === undefined) return part;
  const name = typeof part['name'] === 'string' ? part['name'] : part['filename'];
  const mime = 'mime' in source ? source.mime : '';
  if (part.type === 'image' || mime.startsWith('image/')) {
    const { detail } = part;
    return {
      type: 'image_url',
      image_url: { url: sourceUrl(source), detail },
    };
  }
  if ('base64' in source && (part.type === 'audio' || mime.startsWith('audio/'))) {
    const format = mime.replace(/^audio\/(?:x-)?/, '').replace('mpeg', 'mp3');
    return { type: 'input_audio', input_audio: { data: source.base64, format } };
  }
  const text = sourceText(source);
  if (text !== undefined) return { type: 'text', text };
  const filename = typeof name === 'string' ? name : `file.${mime.split('/')[1] ?? 'bin'}`;
  return { type: 'file', file: { filename, file_data: sourceUrl(source) } };
}
