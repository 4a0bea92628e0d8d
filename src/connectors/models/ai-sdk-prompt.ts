// Converts requests to the format of AI SDK language models.

import type { createAnthropic } from '@ai-sdk/anthropic';
import type { ContentPart, Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import type { ChatRequest, ChatTool } from '../chat.ts';
import { contentText, readSource, sourceText } from '../content-source.ts';
import { parseArguments } from './openai-answer.ts';
import { limitName } from '../token-limit.ts';

export type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
type PromptMessage = CallOptions['prompt'][number];
type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number];
type ToolPart = Extract<PromptMessage, { role: 'tool' }>['content'][number];
type ToolOutput = Extract<ToolPart, { type: 'tool-result' }>['output'];
type OutputPart = Extract<ToolOutput, { type: 'content' }>['value'][number];
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];

const NUMBERS = [
  ['frequency_penalty', 'frequencyPenalty'],
  ['presence_penalty', 'presencePenalty'],
  ['seed', 'seed'],
  ['temperature', 'temperature'],
  ['top_k', 'topK'],
  ['top_p', 'topP'],
] as const;

/** The options of a call; provider-specific options go under the name of the provider. */
export function toCallOptions(request: ChatRequest, provider: string, version = 'v3'): CallOptions {
  const { options, tools = [] } = request;
  const call: CallOptions = { prompt: toPrompt(request.messages, version) };
  for (const [from, to] of NUMBERS) {
    const value = options[from];
    if (typeof value === 'number') call[to] = value;
  }
  const limit = options[limitName(options) ?? ''];
  if (typeof limit === 'number') call.maxOutputTokens = limit;
  const { stop, response_format: format, tool_choice: choice, thinking, extra_body: extra } = options;
  if (typeof stop === 'string') call.stopSequences = [stop];
  else if (Array.isArray(stop)) call.stopSequences = stop.map(String);
  if (isObject(format)) call.responseFormat = toResponseFormat(format);
  if (tools.length > 0) {
    call.tools = tools.map(toFunctionTool);
    const toolChoice = toToolChoice(choice);
    if (toolChoice !== undefined) call.toolChoice = toolChoice;
  }
  const own = {
    ...(isObject(extra) && extra),
    ...(isObject(thinking) && { thinking: toThinking(thinking) }),
  };
  // Parsed from JSON, so they are JSON values.
  if (Object.keys(own).length > 0) call.providerOptions = { [provider]: own as Record<string, never> };
  return call;
}

function toFunctionTool({ name, description, parameters }: ChatTool) {
  const tool = { type: 'function' as const, name, inputSchema: parameters };
  return description === undefined ? tool : { ...tool, description };
}

/**
 * Converts messages to a prompt, which is also the AI SDK's message format. `version` of the specification decides how images
 * and files of tools are written; without it they become text.
 */
export function toPrompt(messages: readonly Message[], version?: string): CallOptions['prompt'] {
  const toolNames = new Map<string, string>();
  const prompt: PromptMessage[] = [];
  for (const message of messages) {
    const { role, content } = message;
    if (role === 'system' || role === 'developer')
      prompt.push({ role: 'system', content: contentText(content) });
    else if (role === 'assistant') {
      const parts: AssistantPart[] = [...userParts(content), ...toolCallParts(message, toolNames)];
      if (parts.length > 0) prompt.push({ role, content: parts });
    } else if (role === 'tool') {
      const id = typeof message['tool_call_id'] === 'string' ? message['tool_call_id'] : '';
      const toolName = toolNames.get(id) ?? message.name ?? 'tool';
      const output = toToolOutput(content, version);
      prompt.push({ role, content: [{ type: 'tool-result', toolCallId: id, toolName, output }] });
    } else prompt.push({ role: 'user', content: userParts(content) });
  }
  return prompt;
}

function toToolOutput(content: Message['content'], version: string | undefined): ToolOutput {
  const parts = typeof content === 'string' || version === undefined ? [] : userParts(content);
  if (!parts.some(({ type }) => type === 'file')) return { type: 'text', value: contentText(content) };
  return { type: 'content', value: parts.map((part) => toOutputPart(part, version)) };
}

function toOutputPart(part: UserPart, version: string | undefined): OutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data, filename = 'file' } = part;
  if (typeof data !== 'string') return { type: 'text', text: String(data) };
  // The types are those of version 3.
  if (version === 'v2') return { type: 'media', data, mediaType } as never;
  if (mediaType.startsWith('image/')) return { type: 'image-data', data, mediaType };
  return { type: 'file-data', data, mediaType, filename };
}

function toolCallParts(message: Message, toolNames: Map<string, string>): AssistantPart[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  return calls.flatMap((call: unknown) => {
    if (!isObject(call) || !isObject(call['function'])) return [];
    const toolCallId = String(call['id']);
    const toolName = String(call['function']['name']);
    const given = call['function']['arguments'];
    toolNames.set(toolCallId, toolName);
    const input = typeof given === 'string' ? parseArguments(given) : given;
    return [{ type: 'tool-call' as const, toolCallId, toolName, input: isObject(input) ? input : {} }];
  });
}

function userParts(content: Message['content']): UserPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return (content ?? []).map(toUserPart);
}

function toUserPart(part: ContentPart): UserPart {
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] };
  const source = readSource(part);
  const text = source === undefined ? JSON.stringify(part) : sourceText(source);
  if (source === undefined || text !== undefined) return { type: 'text', text: text ?? '' };
  const name = part['name'] ?? part['filename'];
  const filename = typeof name === 'string' ? { filename: name } : {};
  if ('base64' in source) return { type: 'file', mediaType: source.mime, data: source.base64, ...filename };
  if (!URL.canParse(source.url)) return { type: 'text', text: source.url };
  const kind = /^(?:image|audio|video)/.exec(part.type)?.[0];
  const mediaType = kind === undefined ? 'application/pdf' : `${kind}/*`;
  return { type: 'file', mediaType, data: new URL(source.url), ...filename };
}

function toResponseFormat(format: Record<string, unknown>): NonNullable<CallOptions['responseFormat']> {
  const { type, json_schema: described } = format;
  if (type === 'json_object') return { type: 'json' };
  if (type !== 'json_schema' || !isObject(described)) return { type: 'text' };
  const { name, schema, description } = described;
  return {
    type: 'json',
    ...(isObject(schema) && { schema }),
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
  };
}

function toToolChoice(choice: unknown): CallOptions['toolChoice'] {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const named = isObject(choice) && isObject(choice['function']) ? choice['function'] : choice;
  if (isObject(named) && typeof named['name'] === 'string') return { type: 'tool', toolName: named['name'] };
  return undefined;
}

function toThinking({ budget_tokens: budget, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return budget === undefined ? rest : { ...rest, budgetTokens: budget };
}
