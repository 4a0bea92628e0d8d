// The messages of a span, in the forms that the GenAI conventions had over time.

import { isObject } from '../../../json/is-object.ts';
import { jsonOrText } from '../../../json/parse-json.ts';
import type { Fields } from '../session-file.ts';
import { contentText, fieldsOf, listOf, textOf } from './fields.ts';
import type { Span } from './otel-spans.ts';

type SpanCall = { id: string | undefined; name: string; arguments: unknown };

/** A message with its text, the calls that it makes and the results that it brings. */
export type SpanMessage = {
  role: string;
  text: string;
  calls: SpanCall[];
  results: { id: string | undefined; result: unknown }[];
};

export type SpanMessages = { input: SpanMessage[]; output: SpanMessage[] };

/** Newer forms win over older ones. */
export function messagesOf(span: Span): SpanMessages {
  const forms = [
    attributeMessages(span.attributes),
    ...span.events.map(detailMessages),
    eventMessages(span),
    indexedMessages(span.attributes),
    plainMessages(span),
  ];
  const first = (side: keyof SpanMessages): SpanMessage[] =>
    forms.find((form) => form[side].length > 0)?.[side] ?? [];
  return { input: first('input'), output: first('output') };
}

/** `gen_ai.input.messages` and `gen_ai.output.messages`: JSON text, or values. */
function attributeMessages(attributes: Fields): SpanMessages {
  const read = (name: string, role: string): SpanMessage[] =>
    listOf(jsonOrText(attributes[name])).map((message) => readMessage(message, role));
  const system = contentText(jsonOrText(attributes['gen_ai.system_instructions'] ?? ''));
  const input = read('gen_ai.input.messages', 'user');
  const isNew = system !== '' && !input.some(({ role }) => role === 'system');
  return {
    input: isNew && input.length > 0 ? [plain('system', system), ...input] : input,
    output: read('gen_ai.output.messages', 'assistant'),
  };
}

/** `gen_ai.client.inference.operation.details` has the same attributes as an event. */
function detailMessages({ attributes }: Span['events'][number]): SpanMessages {
  return attributeMessages(attributes);
}

/** One event per message: `gen_ai.user.message`, `gen_ai.choice`; or all as `gen_ai.prompt` and `gen_ai.completion`. */
function eventMessages({ events }: Span): SpanMessages {
  const input: SpanMessage[] = [];
  const output: SpanMessage[] = [];
  for (const { name, attributes } of events) {
    const said = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
    if (said !== undefined) input.push(readMessage(bodyOf(attributes), said));
    if (name === 'gen_ai.choice') {
      const body = bodyOf(attributes);
      const message = jsonOrText(body['message']);
      output.push(readMessage(isObject(message) ? message : body, 'assistant'));
    }
    const prompt = attributes['gen_ai.prompt'];
    if (prompt !== undefined) input.push(...looseMessages(prompt, 'user'));
    const completion = attributes['gen_ai.completion'];
    if (completion !== undefined) output.push(...looseMessages(completion, 'assistant'));
  }
  return { input, output };
}

/** The fields of an event are its attributes, or one of them holds them as JSON. */
function bodyOf(attributes: Fields): Fields {
  const body = jsonOrText(
    attributes['body'] ?? attributes['event.body'] ?? attributes['gen_ai.event.content'],
  );
  return isObject(body) ? body : attributes;
}

/** `gen_ai.prompt.0.role`, `gen_ai.completion.0.content` and so on. */
function indexedMessages(attributes: Fields): SpanMessages {
  const read = (prefix: string, role: string): SpanMessage[] => {
    const found = new Map<number, Fields>();
    for (const [name, value] of Object.entries(attributes)) {
      const [, index, rest] =
        new RegExp(`^${prefix.replaceAll('.', '\\.')}\\.(\\d+)\\.(.+)$`).exec(name) ?? [];
      if (index === undefined || rest === undefined) continue;
      const message = found.get(Number(index)) ?? {};
      found.set(Number(index), setDeep(message, rest.split('.'), value));
    }
    return [...found].sort(([a], [b]) => a - b).map(([, message]) => readMessage(message, role));
  };
  return { input: read('gen_ai.prompt', 'user'), output: read('gen_ai.completion', 'assistant') };
}

/** `tool_calls.0.name` becomes an item of a list. */
function setDeep(message: Fields, [name = '', index, ...rest]: readonly string[], value: unknown): Fields {
  if (name !== 'tool_calls' || index === undefined) return { ...message, [name]: value };
  const calls = [...(Array.isArray(message['tool_calls']) ? (message['tool_calls'] as unknown[]) : [])];
  calls[Number(index)] = { ...fieldsOf(calls[Number(index)]), [rest.join('.')]: value };
  return { ...message, tool_calls: calls.filter((call) => call !== undefined) };
}

/** Attributes of single texts, and those of the AI SDK. */
function plainMessages({ attributes }: Span): SpanMessages {
  const input = attributes['gen_ai.prompt'] ?? attributes['ai.prompt.messages'] ?? attributes['ai.prompt'];
  const output =
    attributes['gen_ai.completion'] ?? attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = listOf(jsonOrText(attributes['ai.response.toolCalls']));
  const answers = output === undefined ? [] : looseMessages(output, 'assistant');
  const called = calls.length === 0 ? [] : [readMessage({ tool_calls: calls }, 'assistant')];
  return { input: input === undefined ? [] : looseMessages(input, 'user'), output: [...called, ...answers] };
}

/** A list of messages as JSON, a prompt with `messages`, or a text. */
function looseMessages(value: unknown, role: string): SpanMessage[] {
  const parsed = jsonOrText(value);
  if (Array.isArray(parsed)) return listOf(parsed).map((message) => readMessage(message, role));
  if (!isObject(parsed)) return [plain(role, typeof value === 'string' ? value : JSON.stringify(value))];
  if (Array.isArray(parsed['messages']))
    return listOf(parsed['messages']).map((one) => readMessage(one, role));
  const text = textOf(parsed['prompt']);
  if (text !== undefined) return [plain(role, text)];
  return 'content' in parsed || 'parts' in parsed
    ? [readMessage(parsed, role)]
    : [plain(role, String(value))];
}

function plain(role: string, text: string): SpanMessage {
  return { role, text, calls: [], results: [] };
}

/** A message with `parts`, with `content`, or with the `tool_calls` of OpenAI. */
function readMessage(message: Fields, usual: string): SpanMessage {
  const role = textOf(message['role']) ?? usual;
  const content = jsonOrText(message['parts'] ?? message['content']);
  const parts = listOf(content);
  const texts = parts.filter(
    ({ type }) => type === undefined || type === 'text' || (textOf(type)?.endsWith('_text') ?? false),
  );
  const text = Array.isArray(content) ? contentText(texts) : contentText(message['content']);
  const calls = [...listOf(jsonOrText(message['tool_calls'])), ...parts.filter(isCall)];
  const results = parts.filter(isResult).map((part) => ({
    id: textOf(part['id'] ?? part['tool_call_id'] ?? part['toolCallId'] ?? part['tool_use_id']),
    result: part['response'] ?? part['result'] ?? part['output'] ?? part['content'],
  }));
  const own = textOf(message['tool_call_id'] ?? message['id']);
  if (role === 'tool' && results.length === 0 && own !== undefined) results.push({ id: own, result: text });
  return { role, text: role === 'tool' ? '' : text, calls: calls.map(readCall), results };
}

function isCall({ type }: Fields): boolean {
  return ['tool_call', 'tool-call', 'tool_use', 'function_call'].includes(String(type));
}

function isResult({ type }: Fields): boolean {
  return ['tool_call_response', 'tool-result', 'tool_result', 'function_call_output'].includes(String(type));
}

function readCall(call: Fields): SpanCall {
  const called = isObject(call['function']) ? call['function'] : call;
  const given = called['arguments'] ?? called['input'] ?? called['args'];
  return {
    id: textOf(call['id'] ?? call['toolCallId'] ?? call['call_id']),
    name: textOf(called['name'] ?? called['toolName']) ?? 'unknown',
    arguments: jsonOrText(given),
  };
}
