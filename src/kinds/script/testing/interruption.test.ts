import { expect, test } from 'vitest';
import { AttemptError } from '../../../errors.ts';
import { createHost, createTestRun, runTest } from './test-host.fixture.ts';

const never = new Promise<never>(() => undefined);
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

test('an exception that nobody caught ends the test without waiting for its function', async () => {
  const order: string[] = [];
  const run = createTestRun(
    (t) => {
      t.cleanup(() => order.push('cleanup'));
      return never;
    },
    { after: () => soon().then(() => order.push('after')) },
  );
  const end = run.begin();
  run.fail(new Error('lost'));
  const problem = {
    status: 'error',
    code: 'agent',
    error: 'lost',
    stack: 'mapped Error: lost',
    assertions: 0,
  };
  expect(await end).toEqual(problem);
  expect(order).toEqual(['after', 'cleanup']);
  run.fail(new Error('after the end'));
  run.expire('after the end');
});

test('an exception in tear-down is an error, too, and tear-down goes on', async () => {
  const run = createTestRun(() => undefined, { after: () => soon() });
  const end = run.begin();
  run.fail(new AttemptError('harness', 'worker lost'));
  const { stack: _stack, ...rest } = await end;
  expect(rest).toEqual({ status: 'error', code: 'harness', error: 'worker lost', assertions: 0 });
});

test('fatal in a callback ends the test as failed', async () => {
  let late: unknown;
  const run = createTestRun((t) => {
    void soon().then(() => {
      try {
        t.fatal('stop');
      } catch (stop) {
        late = stop;
        run.fail(stop);
      }
    });
    return never;
  });
  const verdicts = [{ type: 'fatal', status: 'failed', message: 'stop' }];
  expect(await run.begin()).toEqual({ status: 'failed', error: 'stop', assertions: 0, verdicts });
  // It means nothing to another test.
  let used: testing.T | undefined;
  const other = createTestRun((t) => {
    used = t;
    return soon();
  });
  const end = other.begin();
  other.fail(late);
  expect(await end).toEqual({ status: 'passed', assertions: 0 });
  expect(() => used?.assert.True(true)).toThrow('t.assert.True was called after TestX had ended');
});

test('a deadline ends the test; tear-down that hangs is left after five seconds', async () => {
  const order: string[] = [];
  const delays: (number | undefined)[] = [];
  // The five seconds pass at once; a cast, because Node's function has properties that nobody asks for here.
  const quick = ((callback: () => void, ms?: number) => {
    delays.push(ms);
    return setTimeout(callback, 1);
  }) as typeof setTimeout;
  const run = createTestRun(
    (t) => {
      t.cleanup(() => order.push('last'));
      t.cleanup(() => never);
      t.cleanup(() => never);
      return never;
    },
    { host: createHost({ setTimeout: quick }), after: () => order.push('after') },
  );
  const end = run.begin();
  run.expire('too slow');
  run.expire('said twice');
  expect(await end).toEqual({ status: 'timeout', error: 'too slow', assertions: 0 });
  expect([order, delays]).toEqual([['after', 'last'], [5000]]);
});

test('a deadline during tear-down makes a test that had passed a timeout', async () => {
  // A cast, for the same reason.
  const quick = ((callback: () => void) => setTimeout(callback, 1)) as typeof setTimeout;
  const run = createTestRun((t) => t.assert.True(true), {
    host: createHost({ setTimeout: quick }),
    after: () => never,
  });
  const end = run.begin();
  run.expire('too slow');
  expect(await end).toEqual({ status: 'timeout', error: 'too slow', assertions: 1 });
});

test('what is used after the end says so, unless the test was interrupted', async () => {
  let used: testing.T | undefined;
  await runTest((t) => {
    used = t;
  });
  expect(() => used?.assert.True(true)).toThrow('t.assert.True was called after TestX had ended');
  expect(() => used?.run('late', () => undefined)).toThrow('t.run was called after TestX had ended');

  const run = createTestRun(async (t) => {
    used = t;
    t.fail('early');
    await never;
  });
  const end = run.begin();
  run.expire('too slow');
  await end;
  expect(used?.assert.True(false)).toBe(false);
  const verdicts = [{ type: 'fail', status: 'failed', message: 'early' }];
  expect(await end).toEqual({ status: 'timeout', error: 'too slow', assertions: 0, verdicts });
});

test('a host that breaks is not the fault of the test', () => {
  const host = createHost({
    mapStack() {
      throw new Error('no map');
    },
  });
  const end = runTest(
    () => {
      throw new Error('boom');
    },
    { host },
  );
  expect(end).toEqual({ status: 'error', code: 'harness', error: 'no map', assertions: 0 });
});

test('a function whose set-up was interrupted does not run', async () => {
  const order: string[] = [];
  const run = createTestRun(() => order.push('test'), {
    before: () => never,
    after: () => order.push('after'),
  });
  const end = run.begin();
  run.expire('too slow');
  expect(await end).toEqual({ status: 'timeout', error: 'too slow', assertions: 0 });
  expect(order).toEqual(['after']);
});
