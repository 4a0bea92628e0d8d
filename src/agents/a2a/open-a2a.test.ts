import { afterAll, beforeAll, expect, test } from 'vitest';
import type { A2aServer, A2aServerOptions } from '../../../test/servers/a2a-server.ts';
import { startA2aServer } from '../../../test/servers/a2a-server.ts';
import { AttemptError } from '../../errors.ts';
import type { A2aRun, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import type { Agent, AgentDeps } from '../adapter.ts';
import { openDirectory } from '../resolve/directory.ts';
import { openAgent } from '../registry.ts';
import { until } from '../../../test/until.ts';

const root = process.cwd();
const directory = openDirectory({ root, cwd: root, env: {}, learn: () => undefined });
let streaming: A2aServer;
let blocking: A2aServer;
let rest: A2aServer;
let old: A2aServer;

beforeAll(async () => {
  const all: A2aServerOptions[] = [
    {},
    { streaming: false, path: '/agents/clerk' },
    { binding: 'HTTP+JSON' },
    { version: '0.3' },
  ];
  [streaming, blocking, rest, old] = (await Promise.all(all.map(startA2aServer))) as [
    A2aServer,
    A2aServer,
    A2aServer,
    A2aServer,
  ];
});
afterAll(() => {
  for (const server of [streaming, blocking, rest, old]) server.close();
});

function contextOf(): ContextData {
  return {
    chat_id: 'c1',
    assistant_id: 'a1',
    authorized: { user_id: 'ada', team_id: 'red' },
    metadata: { plan: 'pro' },
    client: { type: 'test', ip: '127.0.0.1' },
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
  };
}

function open(a2a: A2aRun): Promise<Agent> {
  return openAgent({ id: 'a1', run: { type: 'a2a', a2a } }, { root, directory });
}

const user = (content: Message['content']): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

async function ask(server: A2aServer, text: string, deps: Partial<AgentDeps> = {}): Promise<Transcript> {
  const agent = await open({ url: server.url });
  const { signal } = new AbortController();
  return agent.run([user(text)], contextOf(), { env: {}, fetch, signal, ...deps });
}

async function failure(asked: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  return error instanceof AttemptError ? [error.code, error.message] : error;
}

const rpcs = ({ requests }: A2aServer, from: number): string[] =>
  requests.slice(from).map(({ rpc, line }) => (rpc === '' ? line : rpc));

test('a blocking agent is sent one message; its artifact is the answer', async () => {
  const from = blocking.requests.length;
  expect(await ask(blocking, 'echo hello')).toEqual({
    output: 'you said: echo hello',
    messages: [user('echo hello'), assistant('you said: echo hello')],
    usage: { input_tokens: 3, output_tokens: 5 },
  });
  expect(rpcs(blocking, from)).toEqual(['GET /agents/clerk/.well-known/agent-card.json', 'SendMessage']);
  expect(blocking.messages.at(-1)).toEqual({
    messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    contextId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    role: 1,
    parts: [
      {
        content: { $case: 'text', value: 'echo hello' },
        filename: '',
        mediaType: 'text/plain',
        metadata: undefined,
      },
    ],
    metadata: { chat_id: 'c1', user_id: 'ada', team_id: 'red', locale: 'en-us', plan: 'pro' },
    extensions: [],
    referenceTaskIds: [],
  });
});

test('pieces of a stream are put together: append, replacement, what is said on the way', async () => {
  const from = streaming.requests.length;
  const answer = await ask(streaming, 'pieces please');
  expect(answer).toEqual({
    output: 'one two three\nand a second one',
    messages: [
      user('pieces please'),
      assistant('thinking'),
      assistant('done'),
      assistant('one two three\nand a second one'),
    ],
    first_token_ms: expect.any(Number),
  });
  expect(answer.first_token_ms).toBeLessThan(2000);
  expect(rpcs(streaming, from)).toEqual(['GET /.well-known/agent-card.json', 'SendStreamingMessage']);
});

test('HTTP+JSON and version 0.3 of the protocol answer the same', async () => {
  const whole = { output: 'one two three\nand a second one', first_token_ms: expect.any(Number) };
  const from = rest.requests.length;
  expect(await ask(rest, 'pieces please')).toMatchObject(whole);
  expect(await ask(old, 'pieces please')).toMatchObject(whole);
  expect(rpcs(rest, from)).toEqual(['GET /.well-known/agent-card.json', 'POST /rpc/message:stream']);
  expect(old.requests.at(-1)?.rpc).toBe('message/stream');
});

test('a message without a task, data and files', async () => {
  expect((await ask(streaming, 'message')).output).toBe('only a message');
  expect((await ask(blocking, 'message')).output).toBe('only a message');
  expect((await ask(streaming, 'data')).output).toEqual({ total: 42 });
  expect((await ask(blocking, 'files')).output).toEqual([
    { type: 'text', text: 'here it is' },
    { type: 'file', name: 'a.pdf', media_type: 'application/pdf', url: 'https://example.com/a.pdf' },
    {
      type: 'file',
      media_type: 'text/csv',
      bytes: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    },
  ]);
});

test('a task that does not end at once is asked for', async () => {
  const from = blocking.requests.length;
  expect((await ask(blocking, 'later')).output).toBe('ended: later');
  const [card, send, ...polls] = rpcs(blocking, from);
  expect([card, send, new Set(polls)]).toEqual([
    'GET /agents/clerk/.well-known/agent-card.json',
    'SendMessage',
    new Set(['GetTask']),
  ]);
});

test('a stream that breaks is taken up again', async () => {
  const from = streaming.requests.length;
  expect((await ask(streaming, 'broken')).output).toBe('before, after');
  expect(rpcs(streaming, from).slice(1)).toEqual(['SendStreamingMessage', 'SubscribeToTask']);
});

test('a task that ended while the connection was broken is asked for', async () => {
  const from = streaming.requests.length;
  expect((await ask(streaming, 'gone')).output).toBe('done behind your back');
  expect(rpcs(streaming, from).slice(1)).toEqual(['SendStreamingMessage', 'SubscribeToTask', 'GetTask']);
});

for (const [name, server] of [
  ['streaming', () => streaming],
  ['blocking', () => blocking],
  ['HTTP+JSON', () => rest],
  ['version 0.3', () => old],
] as const) {
  test(`the answer to a question goes on in the same task (${name})`, async () => {
    const agent = await open({ url: server().url });
    const [context, deps] = [contextOf(), { env: {}, fetch, signal: new AbortController().signal }];
    const from = server().messages.length;
    const first = await agent.run([user('ask')], context, deps);
    expect(first).toMatchObject({
      output: 'Which order?',
      messages: [user('ask'), assistant('Which order?')],
    });
    const said = [user('ask'), assistant('Which order?'), user('A-1')];
    const second = await agent.run(said, context, deps);
    expect(second).toMatchObject({
      output: 'order A-1 is on its way',
      messages: [user('A-1'), assistant('order A-1 is on its way')],
    });
    // The task is over: the next turn is a new one in the same context.
    await agent.run([...said, assistant('order A-1 is on its way'), user('echo thanks')], context, deps);
    const [asked, answered, thanks] = server().messages.slice(from);
    expect([answered?.taskId, answered?.contextId]).toEqual([asked?.taskId, asked?.contextId]);
    expect(thanks?.contextId).toBe(asked?.contextId);
    expect(thanks?.taskId).not.toBe(asked?.taskId);
    expect(answered?.parts.map(({ content }) => content?.value as unknown)).toEqual(['A-1']);
    // An attempt that begins anew has a context of its own.
    await agent.run([user('echo again')], context, deps);
    expect(server().messages.at(-1)?.contextId).not.toBe(asked?.contextId);
  });

  test(`how a task can end without an answer (${name})`, async () => {
    const ends = await Promise.all(
      ['fail', 'reject', 'cancel', 'auth'].map((word) => failure(ask(server(), word))),
    );
    expect(ends).toEqual([
      ['agent', 'the task failed: the printer is on fire'],
      ['agent', 'the agent rejected the task: not my job'],
      ['agent', 'the agent canceled the task: changed my mind'],
      ['auth', 'the task needs another authorization: log in first'],
    ]);
  });
}

test('at the deadline the task is canceled at the server', async () => {
  const late = new Error('late');
  const servers = [streaming, rest, old];
  const ends = servers.map(async (server) => {
    const closing: Promise<unknown>[] = [];
    const abort = new AbortController();
    const deps = { signal: abort.signal, closing: (work: Promise<unknown>) => void closing.push(work) };
    const before = server.messages.length;
    const failed = failure(ask(server, 'slow', deps));
    await until(() => server.messages.length > before);
    // Time for the id of the task to arrive, without which it cannot be canceled.
    await new Promise((done) => setTimeout(done, 300));
    const aborted = performance.now();
    abort.abort(late);
    expect(await failed).toBe(late);
    expect(performance.now() - aborted).toBeLessThan(1000);
    expect(closing).toHaveLength(1);
    await Promise.all(closing);
    expect(server.canceled).toEqual([server.messages.at(-1)?.taskId]);
  });
  await Promise.all(ends);
});

test('credentials and headers go to the place that was named', async () => {
  const agent = await open({
    url: streaming.url.replace('http://', 'http://ada:secret@'),
    headers: { 'x-plan': 'pro' },
  });
  const { signal } = new AbortController();
  await agent.run([user('echo')], contextOf(), { env: {}, fetch, signal });
  const sent = streaming.requests.slice(-2).map(({ headers }) => [headers.authorization, headers['x-plan']]);
  const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  expect(sent).toEqual([
    [basic, 'pro'],
    [basic, 'pro'],
  ]);
});

test('the card is fetched once, and everything goes through the given fetch', async () => {
  const agent = await open({ url: streaming.url });
  const seen: string[] = [];
  const recording: typeof fetch = (input, init) => {
    seen.push(`${init?.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : input).pathname}`);
    return fetch(input, init);
  };
  const deps = { env: {}, fetch: recording, signal: new AbortController().signal };
  await agent.prepare?.(deps);
  expect(agent.prepare?.(deps)).toBe(undefined);
  await Promise.all([1, 2, 3].map(async () => agent.run([user('echo')], contextOf(), deps)));
  expect(seen).toEqual(['GET /.well-known/agent-card.json', 'POST /rpc', 'POST /rpc', 'POST /rpc']);
});
