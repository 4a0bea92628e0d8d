import { afterEach, expect, test } from 'vitest';
import type { ModelAnswer, ModelServer, ModelServerOptions } from '../../test/servers/model-server.ts';
import { startModelServer } from '../../test/servers/model-server.ts';
import { ask, connectorAt, failureOf } from './chat.fixture.ts';

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function start(options: ModelServerOptions): Promise<string> {
  server = await startModelServer(options);
  return server.url;
}

/** Runs many calls with a given concurrency. */
async function crowd<T>(count: number, parallel: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      results.push(await work());
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return results;
}

test('a server that refuses half of all calls is asked on, and nothing is lost', async () => {
  let seed = 42;
  let refused = 0;
  const url = await start({
    answer: (): ModelAnswer => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      if (seed <= 2 ** 30) return { text: 'ok' };
      refused += 1;
      return { status: 429 };
    },
  });
  const connector = connectorAt(url);
  const answers = await crowd(200, 50, () => ask(connector, { retries: 1, backoffMs: 250 }));
  expect(answers.map(({ content }) => content)).toEqual(Array.from({ length: 200 }, () => 'ok'));
  expect(server?.requests.length).toBe(200 + refused);
}, 20_000);

test('a server that begins to refuse everything is asked ten times more, after quick looks whether it means it', async () => {
  const url = await start({ answer: (_, count) => (count === 1 ? 'ok' : { status: 429, text: 'slow' }) });
  const connector = connectorAt(url);
  await ask(connector);
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const failures = [
    await failureOf(ask(connector, { retries: 1, backoffMs: 0.01, log }), connector),
    await failureOf(ask(connector, { retries: 1, backoffMs: 0.01 }), connector),
  ];
  expect(failures).toEqual([
    { code: 'rate_limit', message: 'answered 429: slow (tried 16 times)', isFinal: true },
    { code: 'rate_limit', message: 'answered 429: slow (tried 10 times)', isFinal: true },
  ]);
  expect([lines.length, server?.requests.length]).toEqual([15, 27]);
});

test('many calls that are all refused end one after the other', async () => {
  const connector = connectorAt(await start({ answer: () => ({ status: 429, text: 'slow' }) }));
  const failures = await crowd(8, 8, () =>
    failureOf(ask(connector, { retries: 1, backoffMs: 0.01 }), connector),
  );
  const failure = { code: 'rate_limit', message: 'answered 429: slow (tried 10 times)', isFinal: true };
  expect(failures).toEqual(Array.from({ length: 8 }, () => failure));
  expect(server?.requests.length).toBe(80);
});

test('a call that alone is refused is given up some time, while all others are answered', async () => {
  const url = await start({
    answer: ({ body }) => (JSON.stringify(body).includes('too large') ? { status: 429, text: 'slow' } : 'ok'),
  });
  const connector = connectorAt(url);
  const deps = { retries: 1, backoffMs: 0.1 };
  const messages = [{ role: 'user', content: 'too large' }];
  const state = { isOver: false };
  const large = failureOf(ask(connector, { ...deps, request: { messages } }), connector).finally(
    () => (state.isOver = true),
  );
  const contents = new Set<string>();
  while (!state.isOver) contents.add((await ask(connector, deps)).content);
  expect([await large, [...contents]]).toEqual([
    { code: 'rate_limit', message: 'answered 429: slow (tried 100 times)', isFinal: true },
    ['ok'],
  ]);
});

test.each([
  ['seconds', '99999999999', 429, 'rate_limit'],
  ['seconds', '601', 503, 'connection'],
  ['a date', 'Wed, 21 Oct 2065 07:28:00 GMT', 429, 'rate_limit'],
])(
  'who is asked to wait too long, in %s (%s), does not wait at all, and keeps nobody waiting',
  async (_form, value, status, code) => {
    const absurd = { status, text: 'slow', headers: { 'retry-after': value } };
    const url = await start({ answer: (_, count) => (count === 1 ? absurd : 'ok') });
    const connector = connectorAt(url);
    const first = await failureOf(ask(connector, { retries: 1 }), connector);
    expect(first).toEqual({
      code,
      message: expect.stringMatching(
        /^answered \d+: slow; it asks to wait for \S+, more than the maximum of 10m$/,
      ),
      isFinal: true,
    });
    expect((await ask(connector, { retries: 1 })).content).toBe('ok');
  },
);
