import { expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { AnswerPaths } from './http-answer.ts';
import { readAnswer } from './http-answer.ts';

const ask = async (response: Response, paths: AnswerPaths = {}): Promise<Transcript> =>
  readAnswer(response, 'POST URL', paths);

function answering(type: string, body: string): Response {
  return new Response(body, { headers: { 'content-type': type } });
}

const json = (value: unknown): Response => answering('application/json', JSON.stringify(value));
const events = (...lines: string[]): Response =>
  answering('text/event-stream', lines.map((line) => `data: ${line}\n\n`).join(''));

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

test('reads the streams of services, each text once', async () => {
  const named = (type: string, more: object) => JSON.stringify({ type, ...more });
  const messages = () =>
    events(
      named('message_start', { message: { content: [] } }),
      named('content_block_start', { content_block: { type: 'text', text: '' } }),
      named('ping', {}),
      named('content_block_delta', { delta: { type: 'text_delta', text: 'a ' } }),
      named('content_block_delta', { delta: { type: 'text_delta', text: 'b' } }),
      named('content_block_start', { index: 1, content_block: { type: 'tool_use', id: 't', name: 'find' } }),
      named('content_block_delta', {
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"x":1}' },
      }),
      named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
      named('message_stop', {}),
    );
  const calls = [{ name: 'find', arguments: { x: 1 } }];
  const read = { output: 'a b', tool_calls: calls, usage: { output_tokens: 5 } };
  expect(await ask(messages())).toEqual(read);
  expect(await ask(messages(), { usage: '$.usage' })).toEqual(read);
  const whole = { output: [{ content: [{ text: 'a b' }] }], error: null };
  const responses = () =>
    events(
      named('response.created', { response: { output: [], error: null } }),
      named('response.output_text.delta', { delta: 'a ' }),
      named('response.function_call_arguments.delta', { delta: '{"x"' }),
      named('response.output_text.delta', { delta: 'b' }),
      named('response.output_text.done', { text: 'a b' }),
      named('response.output_item.done', {
        item: { type: 'function_call', name: 'find', arguments: '{"x":1}' },
      }),
      named('response.completed', { response: whole }),
    );
  expect(await ask(responses())).toEqual({ output: 'a b', tool_calls: calls });
  expect(await ask(responses(), { tool_calls: '$.item' })).toEqual({
    output: 'a b',
    tool_calls: calls,
  });
  expect(await ask(events('{"status":"thinking"}', '{"text":"a"}', '[1]', '{"step":2}'))).toEqual({
    output: 'a',
  });
  expect(await ask(events('{"choices":[{"delta":{"tool_calls":[]}}]}'))).toEqual({ output: '' });
});

test('a stream that fails or says nothing that is known', async () => {
  const failed = async (...lines: string[]) => failureOf(ask(events('{"text":"a"}', ...lines)));
  const error = (message: string) => ({ code: 'agent', message: `POST URL sent an error: ${message}` });
  expect([
    await failed('{"error":"overloaded"}'),
    await failed('{"error":{"message":"too long","code":1}}'),
    await failed('{"type":"error","message":"broken"}'),
    await failed('{"type":"response.failed","response":{"error":{"message":"quota"}}}'),
    await failed('{"error":{"code":7}}'),
    await failureOf(
      ask(
        answering(
          'text/event-stream',
          'event: error\ndata: {"type":"error","error":{"type":"x","message":"Overloaded"}}\n\n',
        ),
      ),
    ),
    await failureOf(ask(events('{"a":{"b":"x"}}', '{"c":1}'))),
  ]).toEqual([
    error('overloaded'),
    error('too long'),
    error('broken'),
    error('quota'),
    error('{"error":{"code":7}}'),
    error('Overloaded'),
    {
      code: 'protocol',
      message:
        'POST URL sent events without a recognised text; the first is {"a":{"b":"x"}}; say where it is in package.yao, such as "output": "$.delta.text"',
    },
  ]);
  expect(await ask(events('{"error":null,"text":"a"}'))).toEqual({ output: 'a' });
});

test('reads tool calls and token counts where they are said to be', async () => {
  const answer = {
    choices: [
      {
        message: {
          content: 'done',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    steps: [
      { name: 'a', arguments: { b: 1 }, result: [2], error: 'no', duration_ms: 5, more: 1 },
      { name: 'c' },
    ],
  };
  const paths = { output: '$.choices[0].message.content', usage: '$.usage' };
  const usage = { input_tokens: 3, output_tokens: 4 };
  expect(await ask(json(answer), { ...paths, tool_calls: '$.choices[0].message.tool_calls' })).toEqual({
    output: 'done',
    usage,
    tool_calls: [{ name: 'find', arguments: { q: 'x' } }],
  });
  expect(await ask(json(answer), { ...paths, tool_calls: '$.steps[*]' })).toEqual({
    output: 'done',
    usage,
    tool_calls: [{ name: 'a', arguments: { b: 1 }, result: [2], error: 'no', duration_ms: 5 }, { name: 'c' }],
  });
  expect(
    await ask(json({ output: 'x', n: { input_tokens: 1 } }), { usage: '$.n', tool_calls: '$.no' }),
  ).toEqual({
    output: 'x',
    usage: { input_tokens: 1 },
    tool_calls: [],
  });
  expect([
    await failureOf(ask(json(answer), { ...paths, tool_calls: '$.choices' })),
    await failureOf(ask(json({ output: 1, usage: 'much' }), { usage: '$.usage' })),
  ]).toEqual([
    {
      code: 'protocol',
      message: expect.stringMatching(/^expected a tool call with a name at \$\.choices in /),
    },
    {
      code: 'protocol',
      message:
        'expected an object with input_tokens and output_tokens at $.usage in the answer of POST URL: ["much"]',
    },
  ]);
});

test.each([
  ['no event', ''],
  ['only comments', ': ping\n\n: ping\n\n'],
  ['only its end', 'data: [DONE]\n\n'],
  ['a JSON document', '{"output":"ok"}'],
])('a stream with %s is no answer', async (_, body) => {
  expect(await failureOf(ask(answering('text/event-stream', body)))).toEqual({
    code: 'protocol',
    message: 'POST URL sent a stream without an event that has a text',
  });
});

test('a stream that ends inside an event is cut off; only the blank line after the last event may be missing', async () => {
  const stream = (text: string): Response => answering('text/event-stream', text);
  expect(await failureOf(ask(stream('data: {"delta":"The refund"}\n\ndata: {"delta":" is den')))).toEqual({
    code: 'protocol',
    message: 'POST URL cut its answer off inside an event: {"delta":" is den',
  });
  expect(await ask(stream('data: {"delta":"a"}\n\ndata: {"delta":"b"}'))).toEqual({ output: 'ab' });
  expect(await ask(stream('data: a'))).toEqual({ output: 'a' });
});

test('an answer is decoded with its charset', async () => {
  const latin = (charset: string): Response =>
    new Response(Buffer.from('café', 'latin1'), {
      headers: { 'content-type': `text/plain; charset=${charset}` },
    });
  expect(await ask(latin('iso-8859-1'))).toEqual({ output: 'café' });
  expect(await ask(latin('"ISO-8859-1"'))).toEqual({ output: 'café' });
  expect(await failureOf(ask(latin('klingon')))).toEqual({
    code: 'protocol',
    message: 'POST URL answered in the unknown charset klingon',
  });
});
