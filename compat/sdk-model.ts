// A local model for functions that call an SDK: chat completions, responses and Anthropic's messages, whole and as streams.
// It calls the tool `weather` if the last message of the user names a city, and repeats the tool's result or else the message.

import type { ModelAnswer, ModelRequest, ModelServer } from '../test/servers/model-server.ts';
import { startModelServer } from '../test/servers/model-server.ts';

type Spoken = { role?: string; content?: unknown };

/** Starts the model. */
export function startSdkModel(): Promise<ModelServer> {
  return startModelServer({ answer });
}

function answer({ path, body }: ModelRequest): ModelAnswer {
  const asked = question(body['input'] ?? body['messages']);
  const status = Number(/refuse with (\d+)/.exec(asked)?.[1] ?? 200);
  const headers = { 'retry-after-ms': '1' };
  if (status !== 200) return { status, body: refusal(path, status), headers };
  const city = /in ([A-Z]\w+)/.exec(asked)?.[1];
  const said =
    readResult(body['messages']) ??
    (city === undefined ? { text: `You said: ${asked}` } : { text: '', city });
  const isStream = body['stream'] === true;
  // The connection breaks after the first half of the answer.
  const cut = asked.includes('break off') ? { cut_after: 300 } : {};
  if (path.includes('/responses'))
    return { body: isStream ? responseEvents(said) : JSON.stringify(response(said)), ...cut };
  if (path.includes('/messages'))
    return { body: isStream ? messageEvents(said) : JSON.stringify(message(said)), ...cut };
  return { body: isStream ? chunks(said) : JSON.stringify(completion(said)), ...cut };
}

type Said = { text: string; city?: string };

const MODEL = 'gpt-4o-mini';

function question(spoken: unknown): string {
  if (typeof spoken === 'string') return spoken;
  const list = Array.isArray(spoken) ? (spoken as Spoken[]) : [];
  const content = list.findLast(({ role }) => role === 'user')?.content;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '';
}

/** The answer to the result of a tool, which is the last message of a chat then. */
function readResult(messages: unknown): Said | undefined {
  const last = Array.isArray(messages) ? (messages as Spoken[]).at(-1) : undefined;
  return last?.role === 'tool' ? { text: `I heard: ${String(last.content)}` } : undefined;
}

function refusal(path: string, status: number): string {
  const error = { type: status === 429 ? 'rate_limit_error' : 'api_error', message: 'not today' };
  return JSON.stringify(path.includes('/messages') ? { type: 'error', error } : { error });
}

function calls({ city }: Said) {
  if (city === undefined) return [];
  const made = { name: 'weather', arguments: JSON.stringify({ city }) };
  return [{ id: `call_${city}`, type: 'function', function: made }];
}

function letters({ text }: Said): string[] {
  return text.split('');
}

const TOKENS = { prompt_tokens: 200, completion_tokens: 10, total_tokens: 210 };

function completion(said: Said): object {
  const made = calls(said);
  const content = made.length > 0 ? null : said.text;
  const reply = { role: 'assistant', content, refusal: null, ...(made.length > 0 && { tool_calls: made }) };
  const finish_reason = made.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_763_000_000,
    model: MODEL,
    choices: [{ index: 0, message: reply, logprobs: null, finish_reason }],
    usage: TOKENS,
  };
}

function chunks(said: Said): string {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_763_000_000, model: MODEL };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const made = calls(said);
  const events = [
    chunk({ role: 'assistant', content: made.length > 0 ? null : '' }),
    ...letters(said).map((content) => chunk({ content })),
    ...made.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, made.length > 0 ? 'tool_calls' : 'stop'),
    { ...base, choices: [], usage: TOKENS },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

function items(said: Said): object[] {
  const made = calls(said).map(({ id, function: { name, arguments: given } }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    status: 'completed',
    name,
    arguments: given,
  }));
  const content = [{ type: 'output_text', text: said.text, annotations: [] }];
  const reply = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  return made.length > 0 ? made : [reply];
}

function response(said: Said, status = 'completed'): object {
  const usage = {
    input_tokens: 200,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 210,
  };
  const isDone = status === 'completed';
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_763_000_000,
    model: MODEL,
    status,
    error: null,
    incomplete_details: null,
    output: isDone ? items(said) : [],
    parallel_tool_calls: true,
    tools: [],
    usage: isDone ? usage : null,
  };
}

function responseEvents(said: Said): string {
  const [item = {}] = items(said);
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [] };
  const spoken = [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, content: [], status: 'in_progress' },
    },
    { type: 'response.content_part.added', ...place, part },
    ...letters(said).map((delta) => Object.assign({ type: 'response.output_text.delta', delta }, place)),
    { type: 'response.output_text.done', ...place, text: said.text },
    { type: 'response.content_part.done', ...place, part: { ...part, text: said.text } },
  ];
  const called = calls(said).flatMap(({ id, function: { arguments: given } }) => [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    { type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, output_index: 0, delta: given },
    { type: 'response.function_call_arguments.done', item_id: `fc_${id}`, output_index: 0, arguments: given },
  ]);
  const events = [
    { type: 'response.created', response: response(said, 'in_progress') },
    ...(called.length > 0 ? called : spoken),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: response(said) },
  ];
  return named(events.map((event, sequence_number) => Object.assign(event, { sequence_number })));
}

function message(said: Said): object {
  const made = calls(said).map(({ id, function: call }) => ({
    type: 'tool_use',
    id,
    name: call.name,
    input: JSON.parse(call.arguments) as unknown,
  }));
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: made.length > 0 ? made : [{ type: 'text', text: said.text }],
    stop_reason: made.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 200, output_tokens: 10 },
  };
}

function messageEvents(said: Said): string {
  const [call] = calls(said);
  const start = {
    ...message(said),
    content: [],
    stop_reason: null,
    usage: { input_tokens: 200, output_tokens: 1 },
  };
  const block =
    call === undefined
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: call.id, name: call.function.name, input: {} };
  const deltas =
    call === undefined
      ? letters(said).map((text) => ({ type: 'text_delta', text }))
      : [{ type: 'input_json_delta', partial_json: call.function.arguments }];
  const stop_reason = call === undefined ? 'end_turn' : 'tool_use';
  return named([
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]);
}

function named(events: { type: string; [field: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
