import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelAnswer, ModelServer } from '../../../test/servers/model-server.ts';
import { startModelServer } from '../../../test/servers/model-server.ts';
import type { Message } from '../../model/case.ts';
import type { Connector } from '../../model/connector.ts';
import { ask, connectorAt, failureOf } from '../chat.fixture.ts';
import type { ChatAnswer, ChatRequest } from '../chat.ts';

let said: ModelAnswer = {};
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ answer: () => said });
});
afterAll(() => server.close());

async function answerTo(answer: ModelAnswer, request?: Partial<ChatRequest>, given?: Partial<Connector>) {
  said = answer;
  const { first_token_ms: first, ...rest }: ChatAnswer = await ask(connectorAt(server.url, given), {
    ...(request !== undefined && { request }),
  });
  return { ...rest, ...(first !== undefined && { isTimed: first > 0 }) };
}

const failureTo = (answer: ModelAnswer, given?: Partial<Connector>) => {
  said = answer;
  const connector = connectorAt(server.url, given);
  return failureOf(ask(connector), connector);
};

const stream = (...events: unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
const delta = (piece: object, finish: string | null = null) => ({
  choices: [{ delta: piece, finish_reason: finish }],
});
const whole = {
  isTimed: true,
  finish_reason: 'stop',
  usage: { input_tokens: 10, output_tokens: 5 },
  cost_usd: null,
  model: 'loopback',
};

test('asks as a stream and puts the answer together', async () => {
  const request = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello', name: 'ann', mark: 'ours' },
    ],
    options: {
      temperature: 0,
      top_p: null,
      metadata: { a: 1 },
      connector: 'x',
      extra_body: { keep_alive: 1 },
    },
  };
  const given = { options: { temperature: 1, seed: 7, extra_body: { x: 2 } }, headers: { 'X-Team': 'a' } };
  expect(await answerTo({ text: 'Good day.' }, request, given)).toEqual({ ...whole, content: 'Good day.' });
  const { path, headers, body } = server.requests.at(-1) ?? {};
  expect({ path, authorization: headers?.authorization, team: headers?.['x-team'], body }).toEqual({
    path: '/v1/chat/completions',
    authorization: 'Bearer sk-12345678',
    team: 'a',
    body: {
      model: 'loopback',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello', name: 'ann' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      seed: 7,
      keep_alive: 1,
      x: 2,
    },
  });
});

test('the price of a known model is part of the answer', async () => {
  expect(await answerTo({ text: 'x' }, {}, { model: 'gpt-4o' })).toEqual({
    ...whole,
    content: 'x',
    model: 'gpt-4o',
    cost_usd: 0.000075,
  });
});

test('a server without a key gets none, and an address may have a query', async () => {
  said = { text: 'x' };
  const { key: _key, ...connector } = connectorAt(server.url, { url: `${server.url}/deep?version=1` });
  await ask(connector);
  const { path, headers } = server.requests.at(-1) ?? {};
  expect([path, headers?.authorization]).toEqual(['/deep/chat/completions?version=1', undefined]);
});

test('a key that has a header of its own is sent in no other', async () => {
  said = { text: 'x' };
  await ask(connectorAt(server.url, { headers: { 'api-key': 'sk-12345678' } }));
  const { authorization, 'api-key': key } = server.requests.at(-1)?.headers ?? {};
  expect([authorization, key]).toEqual([undefined, 'sk-12345678']);
});

test('offers tools and reads calls of them', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
  const messages: Message[] = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
  ];
  const parameters = { type: 'object', properties: { a: { type: 'number' } } };
  const tools = [{ name: 'add', description: 'Adds.', parameters }];
  const calls = [
    { id: 'c2', name: 'add', arguments: { a: [1, 'ä'] } },
    { id: 'c3', name: 'add', arguments: '{"a": 1' },
    { id: 'c4', name: 'now', arguments: '' },
  ];
  const options = { tool_choice: 'required' };
  expect(await answerTo({ tool_calls: calls }, { messages, tools, options })).toEqual({
    ...whole,
    content: '',
    finish_reason: 'tool_calls',
    tool_calls: [calls[0], calls[1], { ...calls[2], arguments: {} }],
  });
  const { body } = server.requests.at(-1) ?? {};
  expect([body?.['messages'], body?.['tools'], body?.['tool_choice']]).toEqual([
    messages,
    [{ type: 'function', function: { name: 'add', description: 'Adds.', parameters } }],
    'required',
  ]);
});

test('reads the calls of servers that do not number them', async () => {
  const call = (name: string, args: unknown, extra = {}) => ({
    ...extra,
    function: { name, arguments: args },
  });
  const body = stream(
    delta({ tool_calls: [call('a', '{"x":', { index: 0, id: '1' })] }),
    delta({ tool_calls: [call('', '1}', { index: 0 })] }),
    delta({ tool_calls: [call('b', { y: 2 }, { index: 0, id: '2' })] }),
    delta({ tool_calls: [call('c', '', { id: '3' })] }),
    delta({ tool_calls: [call('d', '{}', { id: '4' })] }, 'tool_calls'),
  );
  expect((await answerTo({ body })).tool_calls).toEqual([
    { id: '1', name: 'a', arguments: { x: 1 } },
    { id: '2', name: 'b', arguments: { y: 2 } },
    { id: '3', name: 'c', arguments: {} },
    { id: '4', name: 'd', arguments: {} },
  ]);
});

test('sends images, sounds and files', async () => {
  const text = Buffer.from('grüße').toString('base64');
  const content = [
    { type: 'text', text: 'see' },
    { type: 'image', source: 'data:image/png;base64,AAAA', detail: 'low' },
    { type: 'image', source: 'https://x.test/a.png' },
    { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'BBBB' } },
    { type: 'image_url', image_url: { url: 'https://x.test/b.png' } },
    { type: 'audio', source: 'data:audio/mpeg;base64,CCCC' },
    { type: 'file', source: 'data:application/pdf;base64,DDDD', name: 'a.pdf' },
    { type: 'file', source: `data:text/plain;charset=utf-8;base64,${text}` },
    { type: 'file', source: 'data:,plain%20text' },
  ];
  await answerTo({ text: 'x' }, { messages: [{ role: 'user', content }] });
  expect(server.requests.at(-1)?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
        { type: 'image_url', image_url: { url: 'data:image/gif;base64,BBBB' } },
        { type: 'image_url', image_url: { url: 'https://x.test/b.png' } },
        { type: 'input_audio', input_audio: { data: 'CCCC', format: 'mp3' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,DDDD' } },
        { type: 'text', text: 'grüße' },
        { type: 'text', text: 'plain text' },
      ],
    },
  ]);
});

test('puts characters together that arrive byte by byte', async () => {
  expect(await answerTo({ text: 'häß€😀', drip_ms: 1, drip_bytes: 3 })).toEqual({
    ...whole,
    content: 'häß€😀',
  });
});

test('forgives what servers do to the format', async () => {
  const content = { content: 'ok', cost_usd: null };
  const end = stream(delta({ content: 'o' }), delta({ content: [{ type: 'text', text: 'k' }] }, 'stop'));
  const json = { 'content-type': 'application/json' };
  const message = { role: 'assistant', content: 'ok' };
  const answers = [
    await answerTo({ body: end }),
    await answerTo({ body: end, headers: { 'content-type': 'text/plain' } }),
    await answerTo({ body: end.replaceAll('data: ', 'data:').replaceAll('\n', '\r\n') }),
    await answerTo({ body: `: hi\n\n${end}data: [DONE]` }),
    await answerTo({ body: end, cut_after: Buffer.byteLength(end) }),
    await answerTo({ body: stream(delta({ content: 'ok' }), '[DONE]', 'not JSON') }),
    await answerTo({ body: stream(delta({ refusal: 'no' }, 'stop')) }),
    await answerTo({
      body: JSON.stringify({ choices: [{ message, finish_reason: 'length' }] }),
      headers: json,
    }),
  ];
  const timed = { ...content, isTimed: true };
  const stopped = { ...timed, finish_reason: 'stop' };
  const { isTimed: _, ...untimed } = stopped;
  expect(answers).toEqual([
    stopped,
    untimed,
    stopped,
    stopped,
    stopped,
    timed,
    { ...untimed, content: 'no' },
    { ...untimed, finish_reason: 'length' },
  ]);
});

test('counts of tokens that are none are not counted', async () => {
  const usages = [
    { prompt_tokens: -1, completion_tokens: '5' },
    { prompt_tokens: null, completion_tokens: 5, prompt_tokens_details: { cached_tokens: -3 } },
  ];
  const answers = [];
  for (const usage of usages) {
    answers.push(await answerTo({ body: stream({ ...delta({ content: 'ok' }, 'stop'), usage }) }));
  }
  const answer = { content: 'ok', finish_reason: 'stop', isTimed: true, cost_usd: null };
  expect(answers).toEqual([answer, { ...answer, usage: { output_tokens: 5 } }]);
});

test('an answer that stops before its end is no answer', async () => {
  const cut = { code: 'connection', isFinal: true };
  const body = stream(delta({ content: 'one' }), delta({ content: 'two' }));
  expect([
    await failureTo({ body, cut_after: 60 }),
    await failureTo({ body }),
    await failureTo({ body: '', cut_after: 0 }),
    await failureTo({ body: '{"choices":', cut_after: 11, headers: { 'content-type': 'application/json' } }),
  ]).toEqual([
    { ...cut, message: 'the response was cut off after 60 characters' },
    { ...cut, message: `the response was cut off after ${String(body.length)} characters` },
    { ...cut, message: 'the response was cut off after 0 characters' },
    { ...cut, message: 'the response was cut off after 11 characters' },
  ]);
});

test.each<[ModelAnswer, code: string, message: string]>([
  [{ status: 401, text: 'bad key sk-12345678' }, 'auth', 'answered 401: bad key ***'],
  [{ status: 403, body: '{"message":"no"}' }, 'auth', 'answered 403: no'],
  [{ status: 429, text: 'slow' }, 'rate_limit', 'answered 429: slow'],
  [{ status: 400, body: '{"detail":"bad"}' }, 'protocol', 'answered 400: bad'],
  [{ status: 404, body: '{"error":"no model"}' }, 'protocol', 'answered 404: no model'],
  [{ status: 422, body: '[{"error":{"message":"m"}}]' }, 'protocol', 'answered 422: m'],
  [{ status: 301, body: '', headers: { location: '/x' } }, 'protocol', 'answered 301: go to /x'],
  [{ status: 500, body: '<html>' }, 'connection', 'answered 500: <html>'],
  [{ status: 529, body: '' }, 'connection', 'answered 529: (empty)'],
  [{ body: '<html>' }, 'connection', 'the response was cut off after 6 characters'],
  [
    { body: '<html>', headers: { 'content-type': 'text/html' } },
    'protocol',
    'sent something that is not JSON: <html>',
  ],
  [{ body: '{}', headers: { 'content-type': 'text/x' } }, 'protocol', 'answered without choices: {}'],
  [{ body: stream('{"a":') }, 'protocol', 'sent something that is not JSON: {"a":'],
  [
    { body: stream({ error: { message: 'busy', type: 'rate_limit_error' } }) },
    'rate_limit',
    'answered 429: busy',
  ],
  [{ body: stream({ error: { message: 'oops', code: 503 } }) }, 'connection', 'answered 503: oops'],
  [
    {
      body: '{"error":{"message":"who","type":"invalid_request_error"}}',
      headers: { 'content-type': 'text/x' },
    },
    'protocol',
    'answered 400: who',
  ],
])('%o is %s', async (answer, code, message) => {
  expect(await failureTo(answer)).toEqual({ code, message, isFinal: true });
});

test('more than 10 MB is not read', async () => {
  expect(await failureTo({ body: stream(delta({ content: 'x'.repeat(10_500_000) })) })).toEqual({
    code: 'protocol',
    message: 'answered more than 10 MB; at most 10 MB of an answer is read',
    isFinal: true,
  });
});

test('nobody there', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const refused = connectorAt(`http://127.0.0.1:${String(port)}`);
  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(rude, 'listening');
  const reset = connectorAt(`http://127.0.0.1:${String((rude.address() as AddressInfo).port)}`);
  expect([await failureOf(ask(refused), refused), await failureOf(ask(reset), reset)]).toEqual([
    { code: 'connection', message: 'connection refused (ECONNREFUSED)', isFinal: true },
    { code: 'connection', message: 'the other side closed the connection (ECONNRESET)', isFinal: true },
  ]);
  rude.close();
});

test.each<[string, ModelAnswer]>([
  ['before the answer', { hang: true }],
  ['in the middle of it', { text: 'a long answer', drip_ms: 1000 }],
])('is given up as soon as the signal aborts, %s', async (_when, answer) => {
  said = answer;
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 30);
  expect(await failureOf(ask(connectorAt(server.url), { signal: controller.signal, retries: 2 }))).toBe(
    reason,
  );
  expect(await failureOf(ask(connectorAt(server.url), { signal: controller.signal }))).toBe(reason);
  await expect.poll(() => server.active()).toBe(0);
});

test('connections are kept, also after failures', async () => {
  const own = await startModelServer({
    answer: (_request, count) => (count % 2 === 0 ? 'x' : { status: 500 }),
  });
  const connector = connectorAt(own.url);
  for (let index = 0; index < 5; index += 1) await ask(connector, { retries: 1 });
  expect(own.connections()).toBe(1);
  await own.close();
});

test('a kept connection that the server closes when it is used again is not missed', async () => {
  const used = new WeakSet<object>();
  const own = createHttpServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    response.setHeader('content-type', 'text/event-stream');
    response.end(stream(delta({ content: 'ok' }, 'stop')));
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  const connector = connectorAt(`http://127.0.0.1:${String((own.address() as AddressInfo).port)}`);
  const answers = [await ask(connector), await ask(connector), await ask(connector)];
  expect(answers.map(({ content }) => content)).toEqual(['ok', 'ok', 'ok']);
  own.close();
});

test('an answer that says it is done is an answer, and a connection that stays open after it is closed', async () => {
  let closing: Promise<unknown> | undefined;
  const own = createHttpServer((_request, response) => {
    closing = once(response, 'close');
    response.setHeader('content-type', 'text/event-stream');
    response.write(stream(delta({ content: 'ok' }, 'stop'), '[DONE]'));
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  const connector = connectorAt(`http://127.0.0.1:${String((own.address() as AddressInfo).port)}`);
  expect((await ask(connector)).content).toBe('ok');
  await closing;
  own.close();
});
