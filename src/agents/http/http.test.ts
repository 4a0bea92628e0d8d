import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { HttpRun } from '../../model/agent.ts';
import type { ContextData } from '../../model/context.ts';
import { openAgent } from '../registry.ts';
import { openDirectory } from '../resolve/directory.ts';

const context: ContextData = {
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: { user_id: 'u1' },
  metadata: { n: 7 },
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};
const messages = [{ role: 'user', content: 'hello' }];

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;
let handler: Handler = () => undefined;
let connections = 0;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => handler(request, response, body));
});
let url = '';

beforeAll(async () => {
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/chat`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(answer: Handler, http: Partial<HttpRun> = {}, signal = new AbortController().signal) {
  handler = answer;
  const agent = await openAgent(
    { id: 'a1', run: { type: 'http', http: { url, ...http } } },
    { root: '/', directory: openDirectory({ root: '/', cwd: '/', env: {}, learn: () => undefined }) },
  );
  return agent.run(messages, context, { env: {}, fetch, signal });
}

function answering(type: string, body: string, status = 200, headers = {}): Handler {
  return (_request, response) => response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

const json = (value: unknown) => answering('application/json', JSON.stringify(value));
const events = (...lines: string[]) =>
  answering('text/event-stream; charset=utf-8', lines.map((line) => `data: ${line}\n\n`).join(''));
const echo: Handler = (request, response, body) => {
  const { accept, authorization, 'content-type': type, 'x-own': own } = request.headers;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ method: request.method, url: request.url, accept, authorization, type, own, body }),
  );
};

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AttemptError)) return error;
  return {
    code: error.code,
    message: error.message.replaceAll(url, 'URL'),
    retryAfterMs: error.retryAfterMs,
    ...(error.isFinal && { isFinal: true }),
  };
}

test('sends messages, context and input by default', async () => {
  const { output } = await ask(echo);
  expect({ ...(output as object), body: JSON.parse((output as { body: string }).body) as unknown }).toEqual({
    method: 'POST',
    url: '/chat',
    accept: 'application/json, text/event-stream, text/plain, */*',
    type: 'application/json',
    body: { messages, context, input: 'hello' },
  });
});

test('fills the template, sends the headers, and credentials of the address as a header', async () => {
  const withPassword = url.replace('http://', 'http://me:p%40ss@');
  const body = {
    all: '{{messages}}',
    text: 'Say {{ input }} to {{context.authorized.user_id}} {{context.metadata.n}} {{unknown}} {{context.no}}',
    n: '{{context.metadata.n}}',
    list: [1, '{{input}}'],
  };
  const { output } = await ask(echo, { url: withPassword, method: 'put', headers: { 'X-Own': '1' }, body });
  expect({ ...(output as object), body: JSON.parse((output as { body: string }).body) as unknown }).toEqual({
    method: 'PUT',
    url: '/chat',
    accept: 'application/json, text/event-stream, text/plain, */*',
    authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    type: 'application/json',
    own: '1',
    body: { all: messages, text: 'Say hello to u1 7 {{unknown}} {{context.no}}', n: 7, list: [1, 'hello'] },
  });
  expect(
    await ask(echo, { body: 'q={{input}}', headers: { 'content-type': 'text/x' }, output: '$.body' }),
  ).toEqual({ output: 'q=hello' });
  expect(await ask(echo, { method: 'GET', output: 'method' })).toEqual({ output: 'GET' });
});

test('reads JSON, transcripts and text', async () => {
  expect(await ask(json({ a: 1 }))).toEqual({ output: { a: 1 } });
  expect(await ask(json({ output: 'x', usage: { input_tokens: 1 } }))).toEqual({
    output: 'x',
    usage: { input_tokens: 1 },
  });
  expect(await ask(json({ choices: [{ message: { content: 'x' } }] }))).toEqual({
    output: { choices: [{ message: { content: 'x' } }] },
  });
  expect(await ask(answering('text/plain', '{"a": 1}'))).toEqual({ output: '{"a": 1}' });
  expect(await ask((_request, response) => response.end('bare'))).toEqual({ output: 'bare' });
  const choices = json({ choices: [{ message: { content: 'x' } }, { message: { content: 'y' } }] });
  expect(await ask(choices, { output: '$.choices[0].message.content' })).toEqual({ output: 'x' });
  expect(await ask(choices, { output: 'choices[1].message.content' })).toEqual({ output: 'y' });
  expect(await ask(choices, { output: '$..content' })).toEqual({ output: ['x', 'y'] });
});

test('reads server-sent events in their usual forms', async () => {
  const delta = (content: string) => JSON.stringify({ choices: [{ delta: { content } }] });
  expect(
    await ask(
      events('{"choices":[{"delta":{"role":"assistant"}}]}', delta('a '), delta('b'), '[DONE]', delta('no')),
    ),
  ).toEqual({ output: 'a b' });
  expect(await ask(events('{"delta":"a"}', '{"text":"b"}', '{"content":"c"}', '"d"'))).toEqual({
    output: 'abcd',
  });
  expect(await ask(events('plain', ' text', '4'))).toEqual({ output: 'plain text4' });
  expect(await ask(events('{"text":"a"}', '{"output":{"x":1}}', '{"text":"b"}'))).toEqual({
    output: { x: 1 },
  });
  expect(await ask(events('{"d":{"t":"a"}}', '{"other":1}', '{"d":{"t":"b"}}'), { output: 'd.t' })).toEqual({
    output: 'ab',
  });
  const odd = ': comment\r\ndata: one\rdata: two\r\n\r\nid: 1\ndata:three';
  expect(await ask(answering('text/event-stream', odd))).toEqual({ output: 'one\ntwothree' });
});

test('puts characters and lines together that arrive in pieces', async () => {
  const bytes = Buffer.from('data: {"text":"häß€😀"}\r\n\r\ndata: [DONE]\r\n\r\n');
  const drip: Handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(bytes.subarray(sent, (sent += 1)));
      if (sent >= bytes.length) {
        clearInterval(timer);
        response.end();
      }
    }, 1);
  };
  expect(await ask(drip)).toEqual({ output: 'häß€😀' });
});

test.each([
  [429, { 'retry-after': '2' }, 'rate_limit', 2000],
  [
    429,
    { 'retry-after': 'Wed, 21 Oct 2015 07:28:10 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' },
    'rate_limit',
    10_000,
  ],
  [401, {}, 'auth', undefined],
  [403, {}, 'auth', undefined],
  [502, {}, 'connection', undefined],
  [503, { 'retry-after': '1' }, 'connection', 1000],
  [504, {}, 'connection', undefined],
  [500, {}, 'agent', undefined],
  [404, {}, 'protocol', undefined, true],
  [422, {}, 'protocol', undefined, true],
  [408, {}, 'protocol', undefined],
  [425, {}, 'protocol', undefined],
])('status %i %o is %s', async (status, headers, code, retryAfterMs, isFinal = false) => {
  const failure = await failureOf(ask(answering('text/plain', 'because', status, headers)));
  expect(failure).toEqual({
    code,
    message: expect.stringMatching(new RegExp(`^POST URL answered ${String(status)} [\\w ]+: because$`)),
    retryAfterMs,
    ...(isFinal && { isFinal }),
  });
});

test('answers that are not what they say', async () => {
  const failures = [
    await failureOf(ask(answering('application/json', '{"a": '))),
    await failureOf(ask(json({ a: 1 }), { output: '$.b' })),
    await failureOf(ask(events('{"a":1}'), { output: 'b' })),
    await failureOf(
      ask((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
        response.write('only this', () => response.destroy());
      }),
    ),
    await failureOf(ask(answering('text/event-stream', 'event: error\ndata: overloaded\n\n'))),
  ];
  const none = { retryAfterMs: undefined };
  expect(failures).toEqual([
    { code: 'protocol', message: 'POST URL answered something that is not JSON: {"a":', ...none },
    { code: 'protocol', message: 'nothing at $.b in the answer of POST URL: {"a":1}', ...none },
    { code: 'protocol', message: 'nothing at b in any event that POST URL sent', ...none },
    { code: 'protocol', message: 'POST URL cut its answer off after 9 bytes', ...none },
    { code: 'agent', message: 'POST URL sent an error: overloaded', ...none },
  ]);
});

test('more than 10 MB is not read', async () => {
  const flood: Handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  expect(await failureOf(ask(flood))).toEqual({
    code: 'agent',
    message: 'POST URL answered more than 10 MB; at most 10 MB of an answer is read',
    retryAfterMs: undefined,
  });
});

test('no connection', async () => {
  const at = async (address: string) => failureOf(ask(echo, { url: address }));
  expect(await at('http://127.0.0.1:9/x')).toEqual({
    code: 'connection',
    message: expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:9\/x: /),
    retryAfterMs: undefined,
  });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  other.close();
  expect(await at(`http://127.0.0.1:${String(port)}/`)).toEqual({
    code: 'connection',
    message: `POST http://127.0.0.1:${String(port)}/: connection refused (ECONNREFUSED)`,
    retryAfterMs: undefined,
  });
  expect(await failureOf(ask((_request, response) => response.destroy()))).toEqual({
    code: 'connection',
    message: 'POST URL: the other side closed the connection (UND_ERR_SOCKET)',
    retryAfterMs: undefined,
  });
});

test.each<[string, Handler]>([
  ['before the answer', () => undefined],
  [
    'in the middle of it',
    (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
  ],
])('is given up as soon as the signal aborts, %s', async (_when, answer) => {
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 50);
  let closed: Promise<unknown> | undefined;
  const work = ask(
    (request, response, body) => {
      closed = once(response, 'close');
      answer(request, response, body);
    },
    {},
    controller.signal,
  );
  expect(await failureOf(work)).toBe(reason);
  await closed;
});

test('connections are kept alive', async () => {
  await ask(json(1));
  const before = connections;
  for (let index = 0; index < 5; index += 1) await ask(json(index));
  expect(connections - before).toBeLessThanOrEqual(1);
});

test('a status decides even if the body behind it never ends', async () => {
  let closed: Promise<unknown> | undefined;
  const answer: Handler = (request, response) => {
    closed = once(request.socket, 'close');
    response.writeHead(503, { 'content-length': 1e9 }).write('x');
  };
  await expect(ask(answer)).rejects.toMatchObject({ code: 'connection' });
  await closed;
});
