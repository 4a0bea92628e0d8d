import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createHost, runTest } from '../test-host.fixture.ts';
import type { TestEnd } from '../test-run.ts';

/** A realm as a worker makes it. */
function realmWith(parts: Record<string, unknown> = {}): Record<string, unknown> {
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };
  const context = createContext({ ...timers, ...parts });
  return runInContext('globalThis', context) as Record<string, unknown>;
}

/** Runs a test that must not throw, and gives the error if it does. */
async function toProblem(test: (t: testing.T) => unknown): Promise<TestEnd['error']> {
  return (await runTest(test, { host: createHost({ realm: realmWith() }) })).error;
}

test('a mock function records its calls', async () => {
  await runTest((t) => {
    const add = t.mock.fn((a: number, b: number) => a + b);
    const self = { add };
    expect([add(1, 2), self.add(3, 4), add.length, typeof add]).toEqual([3, 7, 2, 'function']);
    expect(add.mock.calls).toEqual([
      { arguments: [1, 2], result: 3, error: undefined, this: undefined },
      { arguments: [3, 4], result: 7, error: undefined, this: self },
    ]);
    add.mock.mockImplementationOnce(() => 100);
    add.mock.mockImplementationOnce(() => 300, 4);
    expect([add(1, 1), add(1, 1), add(1, 1)]).toEqual([100, 2, 300]);
    add.mock.mockImplementation(() => 0);
    expect([add(1, 1), add.mock.callCount()]).toEqual([0, 6]);
    add.mock.restore();
    add.mock.resetCalls();
    expect([add(1, 1), add.mock.callCount()]).toEqual([2, 1]);

    const boom = new Error('boom');
    const fails = t.mock.fn(() => {
      throw boom;
    });
    expect(() => fails()).toThrow(boom);
    expect(fails.mock.calls).toEqual([{ arguments: [], result: undefined, error: boom, this: undefined }]);
    expect([
      t.mock.fn()(1),
      t.mock.fn(
        (): number => 1,
        () => 2,
      )(),
    ]).toEqual([undefined, 2]);
  });
});

test('methods, getters and setters are put back where they were', async () => {
  class Cart {
    static open(): Cart {
      return new Cart();
    }
    #size = 1;
    get size(): number {
      return this.#size;
    }
    set size(size: number) {
      this.#size = size;
    }
    total(rate: number): number {
      return this.#size * rate;
    }
  }
  const cart = new Cart();
  const before = Object.getOwnPropertyDescriptors(cart);
  const end = await runTest((t) => {
    const spy = t.mock.method(cart, 'total');
    t.assert.Equal(cart.total(5), 5);
    t.run('inside', (t) => {
      t.mock.method(cart, 'total', () => 42);
      t.mock.method(Cart, 'open', () => cart);
      t.assert.True(Cart.open() === cart);
      t.assert.Equal(cart.total(1), 42);
    });
    t.assert.Equal(cart.total(6), 6);
    t.assert.Equal(
      spy.mock.calls.map((call) => [call.arguments, call.result]),
      [
        [[5], 5],
        [[6], 6],
      ],
    );
    t.mock.getter(cart, 'size', () => 7);
    t.assert.Equal(cart.size, 7);
    t.mock.restoreAll();
    const setter = t.mock.setter(cart, 'size');
    cart.size = 3;
    t.assert.Equal([cart.size, setter.mock.callCount()], [3, 1]);
  });
  expect([end.status, end.verdicts, end.assertions]).toEqual(['passed', undefined, 7]);
  expect(Object.getOwnPropertyDescriptors(cart)).toEqual(before);
  expect(Cart.open()).not.toBe(cart);
});

test('what was restored before the end is left alone', async () => {
  const object = { run: () => 'original' };
  await runTest((t) => {
    t.mock.method(object, 'run', () => 'mock').mock.restore();
    expect(object.run()).toBe('original');
    object.run = () => 'changed';
  });
  expect(object.run()).toBe('changed');
});

test('what cannot be mocked is said', async () => {
  const frozen = Object.freeze({ run: () => 1 });
  const wrong = { name: 'x' };
  expect(
    await Promise.all([
      toProblem((t) => t.mock.method(frozen, 'run')),
      toProblem((t) => t.mock.method(wrong, 'name' as never)),
      toProblem((t) => t.mock.method(null as never, 'x' as never)),
      toProblem((t) => t.mock.fn(1 as never)),
      toProblem((t) => t.mock.fetch(1 as never)),
      toProblem((t) => t.mock.module('./x', { a: 1 })),
      toProblem((t) => t.mock.module('./x', 1 as never)),
      toProblem((t) => t.mock.timers.tick(1)),
      toProblem((t) => t.mock.timers.enable({ apis: ['setTimeOut' as never] })),
    ]),
  ).toEqual([
    'TypeError: t.mock.method: run cannot be replaced there',
    "TypeError: t.mock.method: { name: 'x' } has no method name",
    'TypeError: t.mock.method takes an object, not null',
    'TypeError: t.mock.fn takes a function',
    'TypeError: t.mock.fetch takes a function or a table of answers, not 1',
    'no modules here',
    'TypeError: t.mock.module takes a specifier and an object of exports, not "./x" and 1',
    't.mock.timers.tick: call t.mock.timers.enable() first',
    'TypeError: t.mock.timers.enable: "setTimeOut" cannot be mocked; did you mean setTimeout?',
  ]);
});

test('modules are replaced until the test ends', async () => {
  const order: unknown[] = [];
  const host = createHost({
    mockModule(specifier, exports) {
      order.push([specifier, exports]);
      return () => order.push('undone');
    },
  });
  await runTest((t) => void t.mock.module('./mail', { send: 1 }), { host });
  expect(order).toEqual([['./mail', { send: 1 }], 'undone']);
});

test('exports may be written as for node:test', async () => {
  const replaced: unknown[] = [];
  const hostOf = (names: string[] | undefined): ReturnType<typeof createHost> =>
    createHost({
      mockModule: (_specifier, exports) => () => void replaced.push(exports),
      moduleNames: () => names,
    });
  const mock = async (exports: Record<string, unknown>, names?: string[]): Promise<void> => {
    const end = await runTest((t) => void t.mock.module('./mail', exports), { host: hostOf(names) });
    expect(end).toEqual({ status: 'passed', assertions: 0 });
  };
  await mock({ namedExports: { send: 1 }, defaultExport: 2, cache: true });
  await mock({ defaultExport: undefined });
  await mock({ namedExports: { send: 1 } }, ['send']);
  await mock({ namedExports: { send: 1 } }, ['namedExports']);
  await mock({ namedExports: 1, send: 2 });
  await mock({ cache: 1 });
  expect(replaced).toEqual([
    { send: 1, default: 2 },
    { default: undefined },
    { send: 1 },
    { namedExports: { send: 1 } },
    { namedExports: 1, send: 2 },
    { cache: 1 },
  ]);
});

test('an export that the module does not have is refused', async () => {
  const names = ['send', 'default'];
  const host = createHost({
    mockModule: () => () => undefined,
    moduleNames: (specifier) => ({ './mail': names, './empty': [] })[specifier],
  });
  const mock = async (specifier: string, exports: Record<string, unknown>): Promise<unknown> =>
    (await runTest((t) => void t.mock.module(specifier, exports), { host })).error;
  expect([
    await mock('./mail', { send: 1, default: 2, __esModule: true }),
    await mock('./mail', { sned: 1 }),
    await mock('./mail', { namedExports: { xyz: 1 } }),
    await mock('./empty', { a: 1 }),
    await mock('./unknown', { a: 1 }),
  ]).toEqual([
    undefined,
    'TypeError: t.mock.module: "./mail" does not export sned; did you mean send?',
    'TypeError: t.mock.module: "./mail" does not export xyz; it exports send, default',
    'TypeError: t.mock.module: "./empty" does not export a; it exports nothing',
    undefined,
  ]);
});

test('timers take a list alone', async () => {
  const realm = realmWith();
  const { setTimeout: real, Date: realDate } = realm;
  const end = await runTest(
    (t) => {
      t.mock.timers.enable(['setTimeout']);
      t.assert.Equal([realm['setTimeout'] === real, realm['Date'] === realDate], [false, true]);
    },
    { host: createHost({ realm }) },
  );
  expect(end).toEqual({ status: 'passed', assertions: 1 });
  expect(await toProblem((t) => t.mock.timers.enable('Date' as never))).toBe(
    'TypeError: t.mock.timers.enable takes { apis, now } with a list of apis, not "Date"',
  );
});

test('time stands still in the realm until it is told to go on', async () => {
  const realm = realmWith();
  const source = `(log) => {
    setTimeout(() => log('timeout'), 1000);
    setInterval(() => log('interval'), 600);
    Promise.resolve().then(() => new Promise((resolve) => setTimeout(resolve, 500))).then(() => log('promise'));
    return Date.now();
  }`;
  const { setTimeout: real, Date: realDate } = realm;
  const end = await runTest(
    async (t) => {
      // Compiled in the realm, as a test file is.
      const start = runInContextOf(realm, source) as (log: (what: string) => void) => number;
      const order: string[] = [];
      t.mock.timers.enable({ now: 5000 });
      t.assert.Equal(
        start((what) => order.push(what)),
        5000,
      );
      t.mock.timers.tick(700);
      t.assert.Equal(order, ['interval']);
      await t.mock.timers.tickAsync(600);
      t.assert.Equal(order, ['interval', 'timeout', 'interval', 'promise']);
      t.mock.timers.setTime(90_000);
      t.assert.Equal([runInContextOf(realm, 'Date.now()'), order.length], [90_000, 4]);
      t.assert.True(t.assert.Panic(() => t.mock.timers.enable()));
      t.mock.timers.reset();
      t.assert.True(realm['setTimeout'] === real);
      t.mock.timers.enable({ apis: ['Date'], now: new Date(7) });
      t.assert.Equal(
        [runInContextOf(realm, 'new Date().getTime()'), realm['setTimeout'] === real],
        [7, true],
      );
    },
    { host: createHost({ realm }) },
  );
  expect([end.status, end.verdicts, end.error]).toEqual(['passed', undefined, undefined]);
  expect([realm['setTimeout'] === real, realm['Date'] === realDate]).toEqual([true, true]);
});

test('runAll lets everything happen', async () => {
  const realm = realmWith();
  const end = await runTest(
    async (t) => {
      t.mock.timers.enable();
      const order = runInContextOf(
        realm,
        `(() => {
          const order = [];
          setTimeout(() => { order.push('a'); setTimeout(() => order.push('b'), 5000); }, 1000);
          return order;
        })()`,
      );
      t.mock.timers.runAll();
      t.assert.Equal(order, ['a', 'b']);
      await t.mock.timers.runAllAsync();
    },
    { host: createHost({ realm }) },
  );
  expect(end).toEqual({ status: 'passed', assertions: 1 });
});

test('fetch is answered from a table', async () => {
  const original = (): never => {
    throw new Error('the network');
  };
  const realm = realmWith({ fetch: original });
  const end = await runTest(
    async (t) => {
      const mock = t.mock.fetch({
        'GET https://x.test/users': [{ id: 1 }],
        'https://x.test/': { status: 404, body: 'gone', headers: { 'x-a': 'b' } },
        'https://x.test/down': new Error('no route'),
        'POST https://x.test/echo': (url, init) => ({ url, got: init.body }),
        'https://x.test/text': 'plain',
        'https://x.test/state': { status: 'ok' },
        'https://x.test/empty': { status: 204 },
      });
      // The mock stands where fetch was.
      const fetch = realm['fetch'] as typeof globalThis.fetch;
      const users = await fetch('https://x.test/users?page=1');
      t.assert.Equal(
        [users.status, users.url, await users.json()],
        [200, 'https://x.test/users?page=1', [{ id: 1 }]],
      );
      const gone = await fetch(new URL('https://x.test/users'), { method: 'delete' });
      t.assert.Equal([gone.status, gone.headers.get('x-a'), await gone.text()], [404, 'b', 'gone']);
      const echo = await fetch(new Request('https://x.test/echo', { method: 'POST' }), {
        body: 'hi',
        method: 'POST',
      });
      t.assert.Equal(await echo.json(), { url: 'https://x.test/echo', got: 'hi' });
      const text = await fetch('https://x.test/text');
      t.assert.Equal(
        [text.headers.get('content-type'), await text.text()],
        ['text/plain;charset=UTF-8', 'plain'],
      );
      t.assert.Equal(await (await fetch('https://x.test/state')).json(), { status: 'ok' });
      t.assert.Equal((await fetch('https://x.test/empty')).status, 204);
      const problems = await Promise.allSettled([fetch('https://x.test/down'), fetch('https://y.test/')]);
      t.assert.Equal(
        problems.map((problem) => problem.status === 'rejected' && String(problem.reason)),
        [
          'Error: no route',
          'TypeError: t.mock.fetch: unexpected request GET https://y.test/; there are answers to GET https://x.test/users, https://x.test/, https://x.test/down, POST https://x.test/echo, https://x.test/text, https://x.test/state, https://x.test/empty',
        ],
      );
      t.assert.Equal(mock.mock.callCount(), 8);
      t.assert.Equal(mock.mock.calls[0]?.arguments, ['https://x.test/users?page=1']);
    },
    { host: createHost({ realm }) },
  );
  expect([end.status, end.verdicts, end.error]).toEqual(['passed', undefined, undefined]);
  expect(realm['fetch']).toBe(original);
});

test('fetch is answered by a function, and can be aborted', async () => {
  const realm = realmWith();
  const end = await runTest(
    async (t) => {
      t.mock.fetch((url) => (url.endsWith('/slow') ? new Promise(() => undefined) : new Response(url)));
      const fetch = realm['fetch'] as typeof globalThis.fetch;
      t.assert.Equal(await (await fetch('https://x.test/')).text(), 'https://x.test/');
      t.mock.fetch({ '': new Response('again') });
      const again = realm['fetch'] as typeof globalThis.fetch;
      t.assert.Equal([await (await again('x')).text(), await (await again('y')).text()], ['again', 'again']);
      const abort = new AbortController();
      const slow = fetch('https://x.test/slow', { signal: abort.signal });
      abort.abort(new Error('enough'));
      await t.assert.Panic(() => slow);
    },
    { host: createHost({ realm }) },
  );
  expect(end).toEqual({ status: 'passed', assertions: 3 });
  expect('fetch' in realm).toBe(false);
});

function runInContextOf(realm: Record<string, unknown>, source: string): unknown {
  // Its own eval compiles in the realm, which is what a test file is compiled in.
  return (realm['eval'] as (source: string) => unknown)(source);
}
