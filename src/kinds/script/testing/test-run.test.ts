import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost, runTest } from './test-host.fixture.ts';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test('a synchronous test ends at once', () => {
  const end = runTest((t, ctx) => {
    const { assert } = t;
    const { Equal, True } = assert;
    True(Equal([t.name, t.failed, ctx.User.ID], ['TestX', false, 'u']));
  });
  expect(end).toEqual({ status: 'passed', assertions: 2 });
});

test('a failed assertion does not stop the test; the first one is the headline', () => {
  const host = createHost({ locate: (stack) => /test-run\.test\.ts/.exec(stack)?.[0] });
  const end = runTest(
    (t) => {
      t.assert.Equal(2, 1);
      t.assert.True(t.failed);
      t.assert.Equal({ a: [1] }, { a: [2] }, 'row %d', 3);
      t.fail('enough');
      t.fail();
    },
    { host },
  );
  const at = 'test-run.test.ts';
  expect(end).toEqual({
    status: 'failed',
    error: 'assertion failed: expected 2 to equal 1',
    assertions: 3,
    verdicts: [
      { type: 'Equal', status: 'failed', message: 'expected 2 to equal 1', expected: 1, actual: 2, at },
      {
        type: 'Equal',
        status: 'failed',
        message: 'row 3',
        expected: { a: [2] },
        actual: { a: [1] },
        diff: '- expected\n+ actual\n\n  {\n    "a": [\n-     2\n+     1\n    ]\n  }',
        at,
      },
      { type: 'fail', status: 'failed', message: 'enough', at },
      { type: 'fail', status: 'failed', message: 'failed', at },
    ],
  });
});

test('fatal and skip stop the function, even if what they throw is caught', () => {
  const fatal = runTest((t) => {
    try {
      t.fatal('no database');
    } catch {
      t.log('goes on');
    }
  });
  const verdicts = [{ type: 'fatal', status: 'failed', message: 'no database' }];
  expect(fatal).toEqual({ status: 'failed', error: 'no database', assertions: 0, verdicts });

  const skipped = runTest((t) => {
    try {
      t.skip('not on %s', 'Sundays');
    } finally {
      t.assert.True(true);
    }
    t.assert.True(false);
  });
  const reason = { reason: 'skip', skip_message: 'not on Sundays' };
  expect(skipped).toEqual({ status: 'skipped', ...reason, assertions: 1 });
  expect(runTest((t) => t.skip())).toEqual({ status: 'skipped', reason: 'skip', assertions: 0 });
});

test('a skip after a failure is a failure', () => {
  const end = runTest((t) => {
    t.fail('wrong');
    t.skip('too late');
  });
  const verdicts = [{ type: 'fail', status: 'failed', message: 'wrong' }];
  expect(end).toEqual({ status: 'failed', error: 'wrong', assertions: 0, verdicts });
});

test('an exception is an error with its mapped stack and causes; failures before it are kept', () => {
  const end = runTest((t) => {
    t.fail('wrong');
    throw new TypeError('boom', { cause: new Error('deeper') });
  });
  expect(end).toEqual({
    status: 'error',
    code: 'agent',
    error: 'TypeError: boom (caused by: deeper)',
    stack: 'mapped TypeError: boom\n[cause]: mapped Error: deeper',
    assertions: 0,
    verdicts: [{ type: 'fail', status: 'failed', message: 'wrong' }],
  });
});

test.each<[unknown, string]>([
  ['text', '"text" was thrown, which is not an Error'],
  [undefined, 'undefined was thrown, which is not an Error'],
  [{ message: 'like an error' }, 'like an error'],
  [new Error(), 'Error'],
])('%o can be thrown', async (thrown, error) => {
  const fail = (): never => {
    throw thrown;
  };
  const { stack: _stack, ...end } = await runTest(fail);
  expect(end).toEqual({ status: 'error', code: 'agent', error, assertions: 0 });
  const { stack: _other, ...rejected } = await runTest(() => Promise.resolve().then(fail));
  expect(rejected).toEqual(end);
});

test('logs are formatted', () => {
  const host = createHost();
  const end = runTest(
    (t) => {
      t.log('a', { b: 1 });
      t.error('c %d', 2);
      t.log({
        get [Symbol.toStringTag]() {
          throw new Error('hostile');
        },
      });
    },
    { host },
  );
  const verdicts = [{ type: 'error', status: 'failed', message: 'c 2' }];
  expect(end).toEqual({ status: 'failed', error: 'c 2', verdicts, assertions: 0 });
  expect(host.lines).toEqual(['a { b: 1 }', 'ERROR: c 2', '[unprintable value]']);
});

test('set-up, test, tear-down and cleanups run in this order, the last cleanup first', async () => {
  const order: string[] = [];
  const end = await runTest(
    async (t, ctx) => {
      t.cleanup(() => order.push('first cleanup'));
      t.cleanup(async () => {
        await soon();
        order.push('last cleanup');
      });
      await soon();
      order.push(`test of ${ctx.User.ID}`);
    },
    {
      before: async (t) => {
        await soon();
        order.push('before');
        t.cleanup(() => order.push('cleanup of before'));
        t.assert.True(true);
      },
      after: (t) => {
        order.push('after');
        t.assert.Equal(t.failed, false);
      },
    },
  );
  expect(end).toEqual({ status: 'passed', assertions: 2 });
  expect(order).toEqual([
    'before',
    'test of u',
    'after',
    'last cleanup',
    'first cleanup',
    'cleanup of before',
  ]);
});

test('every step that throws says which one it was; the others run', () => {
  const order: string[] = [];
  const boom = (): never => {
    throw new Error('boom');
  };
  const problem = { status: 'error', code: 'agent', stack: 'mapped Error: boom', assertions: 0 };
  const note = (): void => void order.push('run');
  const after = (t: testing.T): void => t.cleanup(note);
  expect(runTest(note, { before: boom, after })).toEqual({ ...problem, error: 'BeforeEach: boom' });
  expect(order).toEqual(['run']);
  expect(runTest(note, { after: boom })).toEqual({ ...problem, error: 'AfterEach: boom' });
  const twice = runTest((t) => {
    t.cleanup(note);
    t.cleanup(boom);
  });
  expect(twice).toEqual({ ...problem, error: 'cleanup: boom' });
  expect(order).toEqual(['run', 'run', 'run']);
});

test('a skip in BeforeEach skips the function, not the tear-down', () => {
  const order: string[] = [];
  const end = runTest(() => order.push('test'), {
    before: (t) => t.skip('later'),
    after: () => order.push('after'),
  });
  expect(end).toEqual({ status: 'skipped', reason: 'skip', skip_message: 'later', assertions: 0 });
  expect(order).toEqual(['after']);
});

test('temporary folders are gone after the test', async () => {
  const folders: string[] = [];
  await runTest((t) => {
    folders.push(t.tempDir(), t.tempDir());
    for (const folder of folders) writeFileSync(join(folder, 'file'), '');
  });
  expect([new Set(folders).size, folders.filter((folder) => existsSync(folder))]).toEqual([2, []]);
});

test('at most a thousand failures are kept, all are counted', async () => {
  const end = await runTest((t) => {
    for (let count = 0; count < 1500; count++) t.assert.True(false);
  });
  expect([end.verdicts?.length, end.assertions, end.status]).toEqual([1000, 1500, 'failed']);
});

test('of several problems the first is told', () => {
  const boom = (message: string) => (): never => {
    throw new Error(message);
  };
  const end = runTest(
    (t) => {
      t.cleanup(boom('third'));
      throw new Error('first');
    },
    { after: boom('second') },
  );
  expect(end).toEqual({
    status: 'error',
    code: 'agent',
    error: 'first',
    stack: 'mapped Error: first',
    assertions: 0,
  });
});
