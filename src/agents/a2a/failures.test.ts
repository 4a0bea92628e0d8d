// What is not as the protocol wants it: every kind of refusal, nonsense and silence.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { ContextData } from '../../model/context.ts';
import type { Agent } from '../adapter.ts';
import { openDirectory } from '../resolve/directory.ts';
import { openAgent } from '../registry.ts';
import type { Answer } from './rpc-answers.fixture.ts';
import { events, json, result, rpcError, silent, text } from './rpc-answers.fixture.ts';
import { until } from '../../../test/until.ts';

const root = process.cwd();
const directory = openDirectory({ root, cwd: root, env: {}, learn: () => undefined });
const context: ContextData = {
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: {},
  metadata: {},
  client: { type: 'test', ip: '127.0.0.1' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};

let answerCard: Answer = () => undefined;
let answerCall: Answer = () => undefined;
let calls: string[] = [];
let url = '';
const server = createServer((request: IncomingMessage, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const rpc = (body === '' ? { method: request.url, id: 0 } : JSON.parse(body)) as {
      method: string;
      id: number;
    };
    calls.push(rpc.method);
    if (body === '') answerCard(response, rpc);
    else answerCall(response, rpc);
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function card(streaming = false): Answer {
  return (response, rpc) =>
    json({
      name: 'x',
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming },
    })(response, rpc);
}

function open(address = url): Promise<Agent> {
  return openAgent({ id: 'a1', run: { type: 'a2a', a2a: { url: address } } }, { root, directory });
}

async function run(
  agent: Agent,
  signal = new AbortController().signal,
  closing: Promise<unknown>[] = [],
): Promise<unknown> {
  calls = [];
  const deps = { env: {}, fetch, signal, closing: (work: Promise<unknown>) => void closing.push(work) };
  try {
    const { output } = await agent.run([{ role: 'user', content: 'hello' }], { ...context }, deps);
    return output;
  } catch (error) {
    if (error instanceof AttemptError) await Promise.all(closing);
    if (!(error instanceof AttemptError)) return error;
    const { code, message, retryAfterMs, isFinal } = error;
    const shown = [code, message.replaceAll(url, 'URL')];
    return [...shown, ...(isFinal ? ['final'] : []), ...(retryAfterMs === undefined ? [] : [retryAfterMs])];
  }
}

async function ask(call: Answer, cardAnswer = card(), signal?: AbortSignal): Promise<unknown> {
  answerCard = cardAnswer;
  answerCall = call;
  return run(await open(), signal);
}

const CARD = 'GET URL/.well-known/agent-card.json';

test.each<[string, Answer, unknown]>([
  ['not found', json({}, 404), ['protocol', `${CARD} answered 404 Not Found: {}`, 'final']],
  ['no JSON', text('<html>'), ['protocol', `${CARD} answered something that is not an agent card: <html>`]],
  ['no card', json([1]), ['protocol', `${CARD} answered something that is not an agent card: [1]`]],
  ['unauthorized', json('who?', 401), ['auth', `${CARD} answered 401 Unauthorized: "who?"`]],
  [
    'too many',
    json('', 429, { 'retry-after': '2' }),
    ['rate_limit', `${CARD} answered 429 Too Many Requests: ""`, 2000],
  ],
  ['gateway', text('', 503), ['connection', `${CARD} answered 503 Service Unavailable: (empty)`]],
  [
    'no transport',
    json({ supportedInterfaces: [{ url: 'x', protocolBinding: 'GRPC' }] }),
    [
      'protocol',
      'the card of URL cannot be used: No compatible transport found, available transports: JSONRPC,HTTP+JSON',
      'final',
    ],
  ],
  [
    'no address',
    json({ supportedInterfaces: [{ url: 'ftp://x', protocolBinding: 'JSONRPC' }] }),
    ['protocol', 'the card of URL names "ftp://x", which is not an http:// or https:// address', 'final'],
  ],
])('card: %s', async (_name, cardAnswer, expected) => {
  expect(await ask(silent, cardAnswer)).toEqual(expected);
});

const CALL = 'POST URL/rpc';

test.each<[string, Answer, unknown]>([
  [
    'no JSON',
    text('hello'),
    ['protocol', expect.stringMatching(/^URL answered something that is not JSON: .*Unexpected token/)],
  ],
  [
    'no JSON-RPC',
    json({}),
    ['protocol', expect.stringMatching(/^URL answered something that is not A2A: Invalid JSON-RPC response/)],
  ],
  [
    'nothing in it',
    result({}),
    ['protocol', 'URL answered something that is not A2A: Invalid response: missing payload'],
  ],
  [
    'task without id',
    result({ task: { status: { state: 'TASK_STATE_COMPLETED' } } }),
    ['protocol', 'URL sent a task without an id'],
  ],
  ['task without status', result({ task: { id: 't' } }), ['protocol', 'URL sent a task without a status']],
  [
    'unknown state',
    result({ task: { id: 't', status: { state: 'SLEEPING' } } }),
    ['protocol', 'URL sent a task in an unknown state'],
  ],
  [
    'a user',
    result({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'yes' }] } }),
    ['protocol', 'URL sent a message of the user instead of an answer'],
  ],
  ['internal error', rpcError(-32603, 'boom', 500), ['agent', 'URL answered with error -32603: boom']],
  [
    'invalid params',
    rpcError(-32602, 'no', 400),
    ['protocol', 'URL answered with error -32602: no', 'final'],
  ],
  ['crash', text('oops', 500), ['agent', `${CALL} answered 500 Internal Server Error: oops`]],
  [
    'forbidden',
    json({ error: { code: 1, message: 'no' } }, 403),
    ['auth', expect.stringContaining(`${CALL} answered 403 Forbidden`)],
  ],
  [
    'too many',
    text('', 429, { 'retry-after': '7' }),
    ['rate_limit', `${CALL} answered 429 Too Many Requests: (empty)`, 7000],
  ],
  [
    'too long',
    text('x'.repeat(11_000_000)),
    ['agent', `${CALL} answered more than 10 MB; at most 10 MB of an answer is read`],
  ],
  [
    'cut off',
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    },
    ['protocol', `${CALL} cut its answer off after 1 bytes`],
  ],
  [
    'completed without anything',
    result({ task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } }),
    null,
  ],
])('answer: %s', async (_name, call, expected) => {
  expect(await ask(call)).toEqual(expected);
});

test('no server at all; a card that was not to be had is fetched again', async () => {
  const refused = createServer().listen(0, '127.0.0.1');
  await once(refused, 'listening');
  const { port } = refused.address() as AddressInfo;
  await new Promise((done) => refused.close(done));
  const away = await open(`http://127.0.0.1:${String(port)}`);
  expect(await run(away)).toEqual([
    'connection',
    expect.stringContaining('connection refused (ECONNREFUSED)'),
  ]);

  const agent = await open();
  answerCard = text('', 503);
  answerCall = result({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } });
  expect(await run(agent)).toEqual(['connection', `${CARD} answered 503 Service Unavailable: (empty)`]);
  answerCard = card();
  expect(await run(agent)).toBe('hi');
  answerCard = text('', 503);
  expect(await run(agent)).toBe('hi');
});

const working = { task: { id: 't1', status: { state: 'TASK_STATE_WORKING' } } };
const piece = (size: number) => ({
  artifactUpdate: {
    taskId: 't1',
    artifact: { artifactId: 'a', parts: [{ text: 'x'.repeat(size) }] },
    append: true,
  },
});

test.each<[string, Answer, unknown]>([
  [
    'without events',
    (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ['protocol', 'URL ended its stream without an answer'],
  ],
  [
    'an event with nothing in it',
    events({}),
    ['protocol', 'URL sent an event without a task, a message or an update'],
  ],
  [
    'JSON instead of events',
    result(working),
    ['protocol', expect.stringContaining('Invalid response Content-Type for SSE stream')],
  ],
  [
    'an error on the way',
    (response, { id }) => {
      events(working)(response, { method: '', id });
      response.end(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'boom' } })}\n\n`,
      );
    },
    ['agent', 'URL answered with error -32603: boom'],
  ],
  [
    'no JSON in an event',
    (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {\n\n'),
    ['protocol', expect.stringContaining('Failed to parse SSE event data')],
  ],
  [
    'more than 10 MB',
    events(working, ...Array.from({ length: 11 }, () => piece(1_000_000))),
    ['agent', `${CALL} answered more than 10 MB; at most 10 MB of an answer is read`],
  ],
  [
    'an event of more than 4 MB',
    events(working, piece(5_000_000)),
    ['agent', 'URL sent an event of more than 4 MB, which is too large'],
  ],
])('stream: %s', async (_name, stream, expected) => {
  const call: Answer = (response, rpc) =>
    rpc.method === 'CancelTask' ? result({})(response, rpc) : stream(response, rpc);
  expect(await ask(call, card(true))).toEqual(expected);
});

test.each<[string, Answer, Answer, string[]]>([
  ['a card that never comes', silent, silent, ['/.well-known/agent-card.json']],
  ['an answer that never comes', card(), silent, ['/.well-known/agent-card.json', 'SendMessage']],
  [
    'a stream that never ends',
    card(true),
    events(working),
    ['/.well-known/agent-card.json', 'SendStreamingMessage', 'CancelTask'],
  ],
  [
    'a task that works for ever',
    card(),
    (response, rpc) =>
      (rpc.method === 'SendMessage'
        ? result(working)
        : rpc.method === 'GetTask'
          ? result(working.task)
          : silent)(response, rpc),
    ['/.well-known/agent-card.json', 'SendMessage', 'GetTask', 'CancelTask'],
  ],
])('the deadline holds: %s', async (_name, cardAnswer, call, expected) => {
  const late = new Error('late');
  const abort = new AbortController();
  calls = [];
  const asked = ask(call, cardAnswer, abort.signal);
  await until(() => expected.every((name) => name === 'CancelTask' || calls.includes(name)));
  // Time for the answer to the last call to arrive: a task can be canceled once its id is known.
  await new Promise((done) => setTimeout(done, 100));
  abort.abort(late);
  expect(await asked).toBe(late);
  await vi.waitFor(() => expect([...new Set(calls)]).toEqual(expected));
});

test('an attempt whose card another one waited for in vain fetches it itself', async () => {
  const agent = await open();
  answerCard = silent;
  answerCall = result({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } });
  const first = new AbortController();
  const late = new Error('late');
  const both = Promise.all([run(agent, first.signal), run(agent)]);
  setTimeout(() => {
    answerCard = card();
    first.abort(late);
  }, 50);
  expect(await both).toEqual([late, 'hi']);
});

test('polling survives a server that is away for a moment, and not one that stays away', async () => {
  let polls = 0;
  const call =
    (until: number): Answer =>
    (response, rpc) => {
      if (rpc.method === 'SendMessage') return result(working)(response, rpc);
      polls += 1;
      const done = {
        id: 't1',
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ parts: [{ text: 'done' }] }],
      };
      return (
        polls > until ? result(done) : polls % 2 === 0 ? text('', 503) : text('', 429, { 'retry-after': '0' })
      )(response, rpc);
    };
  expect(await ask(call(2))).toBe('done');
  polls = 0;
  expect(await ask(call(99))).toEqual(['rate_limit', `${CALL} answered 429 Too Many Requests: (empty)`, 0]);
});

test('headers do not go to another place that the card names', async () => {
  const seen: unknown[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const answer = seen.length === 1 ? result({ message: { parts: [{ text: 'hi' }] } }) : text('', 401);
    request.resume().on('end', () => answer(response, { method: '', id: 1 }));
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = `http://127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  answerCard = json({
    supportedInterfaces: [{ url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  const agent = await open(url.replace('http://', 'http://token@'));
  expect(await run(agent)).toBe('hi');
  const refused = `POST ${address}/ (without the headers for URL) answered 401 Unauthorized: (empty)`;
  expect(await run(agent)).toEqual(['auth', refused]);
  expect(seen).toEqual([undefined, undefined]);
  other.closeAllConnections();
  other.close();
});

test('a card at the address itself', async () => {
  answerCall = result({ message: { parts: [{ text: 'hi' }] } });
  answerCard = (response, { method }) =>
    (method === '/cards/clerk' ? card() : text('', 404))(response, { method, id: 0 });
  expect(await run(await open(`${url}/cards/clerk`))).toBe('hi');
  expect(calls).toEqual(['/cards/clerk/.well-known/agent-card.json', '/cards/clerk', 'SendMessage']);
  answerCard = card();
  expect(await run(await open(`${url}/cards/clerk.json?v=1`))).toBe('hi');
  expect(calls).toEqual(['/cards/clerk.json?v=1', 'SendMessage']);
});

test('an agent that does not confirm a cancellation is not waited for long', async () => {
  const abort = new AbortController();
  const closing: Promise<unknown>[] = [];
  answerCard = card();
  answerCall = (response, rpc) => {
    if (rpc.method === 'SendMessage') result(working)(response, rpc);
    if (rpc.method === 'GetTask') result(working.task)(response, rpc);
  };
  const asked = run(await open(), abort.signal, closing);
  await until(() => calls.includes('GetTask'));
  const aborted = performance.now();
  abort.abort();
  await asked;
  await Promise.all(closing);
  const time = performance.now() - aborted;
  expect([closing.length, time > 900, time < 3000]).toEqual([1, true, true]);
});

test('the answer of another task is not taken', async () => {
  const task = (id: string, state: string): object => ({ id, status: { state: `TASK_STATE_${state}` } });
  const answers = [result({ task: task('one', 'WORKING') }), result(task('two', 'COMPLETED'))];
  const expected = ['protocol', 'URL sent something about the task two instead of one'];
  expect(await ask((response, rpc) => answers.shift()?.(response, rpc))).toEqual(expected);
});
