// Answers of a model in the forms of the APIs that are in use.

import type { ModelAnswer, ModelRequest } from './model-server.ts';

/** The type of the answer that a request asks for. */
export function typeOf({ path, body }: ModelRequest): string {
  const isStream = body['stream'] === true || path.includes('alt=sse');
  return isStream ? 'text/event-stream' : 'application/json';
}

/** What the model says, in the form of the API that was called. */
export function bodyOf(request: ModelRequest, said: ModelAnswer): string {
  const { path, body } = request;
  if (path.includes('/embeddings')) return JSON.stringify(embeddings(body['input']));
  if (path.includes('/messages')) return events(anthropicEvents(said), true);
  if (path.includes(':streamGenerateContent')) return events([googleEvent(said)]);
  if (body['stream'] !== true) return JSON.stringify(completion(said, body['model']));
  return `${events(completionEvents(said, body['model']))}data: [DONE]\n\n`;
}

type ServerEvent = { type?: string; [key: string]: unknown };

function events(list: ServerEvent[], isNamed = false): string {
  const nameOf = ({ type = '' }: ServerEvent): string => (isNamed ? `event: ${type}\n` : '');
  return list.map((event) => `${nameOf(event)}data: ${JSON.stringify(event)}\n\n`).join('');
}

/** The text in two pieces, so that there is something to put together. */
function pieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

function wireCalls({ tool_calls: calls = [] }: ModelAnswer) {
  return calls.map(({ id, name, arguments: given }, index) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    return { id: id ?? `call_${String(index)}`, type: 'function', function: { name, arguments: text } };
  });
}

function endOf(said: ModelAnswer): string {
  return said.finish_reason ?? (said.tool_calls === undefined ? 'stop' : 'tool_calls');
}

function usageOf({ usage = { input: 10, output: 5 } }: ModelAnswer) {
  return { prompt_tokens: usage.input, completion_tokens: usage.output };
}

function completion(said: ModelAnswer, model: unknown): object {
  const calls = wireCalls(said);
  const content = said.text ?? null;
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
  return { model, choices: [{ index: 0, message, finish_reason: endOf(said) }], usage: usageOf(said) };
}

function completionEvents(said: ModelAnswer, model: unknown): ServerEvent[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = wireCalls(said).flatMap((call, index) => {
    const { name, arguments: given } = call.function;
    const start = chunk({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] });
    const toChunk = (piece: string) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    return [start].concat(pieces(given).map(toChunk));
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(said.text ?? '').map((content) => chunk({ content })),
    ...calls,
    chunk({}, endOf(said)),
    { model, choices: [], usage: usageOf(said) },
  ];
}

/** Vectors that can be told apart: the length of the text and its first character. */
function embeddings(input: unknown): object {
  const texts = Array.isArray(input) ? input.map(String) : [String(input)];
  return {
    data: texts.map((text, index) => ({ index, embedding: [text.length, text.codePointAt(0) ?? 0] })),
  };
}

function anthropicEvents(said: ModelAnswer): ServerEvent[] {
  const { input, output } = said.usage ?? { input: 10, output: 5 };
  const block = (index: number, start: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const text = pieces(said.text ?? '').map((piece) => ({ type: 'text_delta', text: piece }));
  const calls = wireCalls(said).flatMap(({ id, function: { name, arguments: given } }, index) =>
    block(
      index + 1,
      { type: 'tool_use', id, name, input: {} },
      pieces(given).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    ),
  );
  const reasons: Record<string, string> = { length: 'max_tokens', stop: 'end_turn', tool_calls: 'tool_use' };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-loopback', content: [] };
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } },
    ...(text.length > 0 ? block(0, { type: 'text', text: '' }, text) : []),
    ...calls,
    {
      type: 'message_delta',
      delta: { stop_reason: reasons[endOf(said)] ?? 'end_turn' },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ];
}

function googleEvent(said: ModelAnswer): ServerEvent {
  const { input, output } = said.usage ?? { input: 10, output: 5 };
  const text = said.text === undefined ? [] : [{ text: said.text }];
  const calls = (said.tool_calls ?? []).map(({ name, arguments: args }) => ({
    functionCall: { name, args },
  }));
  return {
    candidates: [{ content: { role: 'model', parts: [...text, ...calls] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  };
}
