import { afterEach, expect, test } from 'vitest';
import type { ModelAnswer, ModelServer, ModelServerOptions } from '../../test/servers/model-server.ts';
import { startModelServer } from '../../test/servers/model-server.ts';
import { ask, connectorAt, depsFor, failureOf } from './chat.fixture.ts';
import { chat } from './chat.ts';
import { embed } from './embed.ts';

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function start(options: ModelServerOptions): Promise<string> {
  server = await startModelServer(options);
  return server.url;
}

const failing = (times: number, failure: ModelAnswer) => (_request: unknown, count: number) =>
  count <= times ? failure : { text: 'at last' };

test('tries again what may pass, and says so', async () => {
  const url = await start({ answer: failing(2, { status: 500, text: 'oops' }) });
  const connector = connectorAt(url, { concurrency: 1 });
  const lines: string[] = [];
  const { content } = await ask(connector, { retries: 2, log: (line) => lines.push(line) });
  const line = `connector ${connector.id} (loopback): answered 500: oops; trying again in N`;
  expect([content, lines.map((text) => text.replace(/\d+ms$/, 'N'))]).toEqual(['at last', [line, line]]);
});

test('an answer that was cut off is asked for again', async () => {
  const answer = failing(1, { text: 'a longer answer', cut_after: 150 });
  const { content } = await ask(connectorAt(await start({ answer })), { retries: 1 });
  expect(content).toBe('at last');
});

test('what keeps failing is an error that nobody need try again', async () => {
  const connector = connectorAt(await start({ answer: () => ({ status: 503, text: 'down' }) }));
  expect(await failureOf(ask(connector, { retries: 3 }), connector)).toEqual({
    code: 'connection',
    message: 'answered 503: down (tried 4 times)',
    isFinal: true,
  });
  expect(server?.requests.length).toBe(4);
});

test.each<[string, ModelAnswer]>([
  ['a refused key', { status: 401 }],
  ['an unknown model', { status: 404 }],
  ['an account without money', { status: 429, body: '{"error":{"code":"insufficient_quota"}}' }],
])('%s is not tried again', async (_what, failure) => {
  const connector = connectorAt(await start({ answer: () => failure }));
  await failureOf(ask(connector, { retries: 5 }));
  expect(server?.requests.length).toBe(1);
});

test.each([
  ['retry-after-ms', '80'],
  ['retry-after', '0.08'],
])('waits as long as %s says', async (name, value) => {
  const answer = failing(1, { status: 429, headers: { [name]: value }, text: 'slow down' });
  const connector = connectorAt(await start({ answer }));
  const before = performance.now();
  const lines: string[] = [];
  const { content } = await ask(connector, { retries: 1, log: (line) => lines.push(line) });
  expect(performance.now() - before).toBeGreaterThanOrEqual(80);
  const line = `connector ${connector.id} (loopback): answered 429: slow down; trying again in 80ms`;
  expect([content, lines]).toEqual(['at last', [line]]);
});

test('a server that is asked too often is asked ten times, or once if nothing is to be tried again', async () => {
  const limited = { answer: () => ({ status: 429, text: 'slow', headers: { 'retry-after-ms': '1' } }) };
  const patient = connectorAt(await start(limited));
  const final = { code: 'rate_limit', isFinal: true };
  expect(await failureOf(ask(patient, { retries: 1, backoffMs: 1 }), patient)).toEqual({
    ...final,
    message: 'answered 429: slow (tried 10 times)',
  });
  const impatient = connectorAt(server?.url ?? '');
  expect(await failureOf(ask(impatient), impatient)).toEqual({ ...final, message: 'answered 429: slow' });
  expect(server?.requests.length).toBe(11);
});

test.each([
  ['a server that is asked too often', { status: 429, headers: { 'retry-after': '600' } }],
  ['a server that fails', { status: 503, headers: { 'retry-after': '600' } }],
])('the deadline ends the wait for %s', async (_what, failure) => {
  const connector = connectorAt(await start({ answer: () => failure }));
  const controller = new AbortController();
  const reason = new Error('deadline');
  const log = (): void => void setTimeout(() => controller.abort(reason), 10);
  expect(await failureOf(ask(connector, { retries: 1, signal: controller.signal, log }))).toBe(reason);
});

test("a date to wait for is compared with the server's own clock", async () => {
  const headers = { 'retry-after': 'Wed, 21 Oct 2015 07:28:10 GMT', date: 'Wed, 21 Oct 2015 07:28:00 GMT' };
  const connector = connectorAt(await start({ answer: () => ({ status: 429, text: 'slow', headers }) }));
  const controller = new AbortController();
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
    setTimeout(() => controller.abort(), 10);
  };
  await failureOf(ask(connector, { retries: 1, signal: controller.signal, log }));
  expect(lines).toEqual([`connector ${connector.id} (loopback): answered 429: slow; trying again in 10s`]);
});

test('one call that is refused slows all others down, and every one is answered in the end', async () => {
  let active = 0;
  let refused = 0;
  const url = await start({
    latency_ms: 5,
    answer: () => {
      active += 1;
      setTimeout(() => (active -= 1), 5);
      if (active <= 4) return { text: 'ok' };
      refused += 1;
      return { status: 429, headers: { 'retry-after-ms': '10' } };
    },
  });
  const connector = connectorAt(url);
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(connector, { retries: 1 })));
  expect(answers.every(({ content }) => content === 'ok')).toBe(true);
  expect(refused).toBeGreaterThan(0);
});

test('no more calls at a time than the connector allows', async () => {
  const connector = connectorAt(await start({ latency_ms: 5 }), { concurrency: 3 });
  await Promise.all(Array.from({ length: 12 }, () => ask(connector)));
  expect([server?.busiest(), server?.requests.length]).toEqual([3, 12]);
});

test('calls that are given up leave their places to others', async () => {
  const url = await start({ answer: (_request, count) => (count === 1 ? { hang: true } : 'ok') });
  const connector = connectorAt(url, { concurrency: 1 });
  const controller = new AbortController();
  const reason = new Error('deadline');
  const { signal } = controller;
  const hanging = [failureOf(ask(connector, { signal })), failureOf(ask(connector, { signal }))];
  const next = ask(connector);
  setTimeout(() => controller.abort(reason), 30);
  expect(await Promise.all(hanging)).toEqual([reason, reason]);
  expect((await next).content).toBe('ok');
});

test('embeddings come back in the order of the texts', async () => {
  const connector = connectorAt(await start({ answer: failing(1, { status: 500 }) }));
  const vectors = [
    [3, 97],
    [1, 122],
  ];
  expect(await embed(connector, ['abc', 'z'], depsFor({ retries: 1 }))).toEqual({ vectors, cost_usd: null });
  expect(await embed(connector, [], depsFor())).toEqual({ vectors: [] });
  const { path, body } = server?.requests.at(-1) ?? {};
  expect([path, body]).toEqual(['/v1/embeddings', { model: 'loopback', input: ['abc', 'z'] }]);
});

test('embeddings tell their tokens, and have a price', async () => {
  const body = '{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":1000000,"total_tokens":1000000}}';
  const url = await start({ answer: () => ({ body }) });
  const asked = [
    embed(connectorAt(url), ['a'], depsFor()),
    embed(connectorAt(url, { price: { input: 2, output: 8 } }), ['a'], depsFor()),
  ];
  const counted = { vectors: [[1]], usage: { input_tokens: 1_000_000 } };
  expect(await Promise.all(asked)).toEqual([
    { ...counted, cost_usd: null },
    { ...counted, cost_usd: 2 },
  ]);
});

test('embeddings that are none', async () => {
  let body = '';
  const connector = connectorAt(await start({ answer: () => ({ body }) }));
  const failureTo = (text: string) => {
    body = text;
    return failureOf(embed(connector, ['a', 'b'], depsFor()), connector);
  };
  const anthropic = connectorAt('', { type: 'anthropic' });
  const final = { code: 'protocol', isFinal: true };
  expect([
    await failureTo('{"data":[{"index":1,"embedding":[1]}]}'),
    await failureTo('nothing'),
    await failureTo('{"error":{"message":"no","code":"model_not_found"}}'),
    await failureOf(embed(anthropic, ['a'], depsFor()), anthropic),
  ]).toEqual([
    { ...final, message: 'expected 2 embeddings: {"data":[{"index":1,"embedding":[1]}]}' },
    { ...final, message: 'answered something that is not JSON: nothing' },
    { ...final, message: 'answered 400: no' },
    {
      code: 'harness',
      message: 'connectors of type anthropic have no embeddings; name one of type openai',
      isFinal: true,
    },
  ]);
});

test.each(['[1,null]', '["1","2"]', '[true,false]', '[[1,2]]', '[1e999,1]', '"AACAPw=="'])(
  '%s is no vector',
  async (vector) => {
    const body = `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":${vector}}]}`;
    const connector = connectorAt(await start({ answer: () => ({ body }) }));
    expect(await failureOf(embed(connector, ['a', 'b'], depsFor()), connector)).toEqual({
      code: 'protocol',
      message: `expected 2 embeddings: ${body}`,
      isFinal: true,
    });
  },
);

test('vectors beside an error are none', async () => {
  const body = '{"error":"out of memory","data":[{"embedding":[1]}]}';
  const connector = connectorAt(await start({ answer: () => ({ body }) }));
  expect(await failureOf(embed(connector, ['a'], depsFor()), connector)).toEqual({
    code: 'connection',
    message: 'answered 500: out of memory',
    isFinal: true,
  });
});

test('a signal that is aborted already asks nobody', async () => {
  const connector = connectorAt(await start({}));
  const reason = new Error('deadline');
  const deps = depsFor({ signal: AbortSignal.abort(reason) });
  expect(await failureOf(chat(connector, { messages: [], options: {} }, deps))).toBe(reason);
  expect(server?.requests.length).toBe(0);
});
