import { expect, test } from 'vitest';
import { createTestRun, runTest } from './test-host.fixture.ts';
import type { TestEnd } from './test-run.ts';

const never = new Promise<never>(() => undefined);
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** The end with durations as zero. */
async function endOf(end: TestEnd | Promise<TestEnd>): Promise<TestEnd> {
  const { subtests, ...rest } = await end;
  if (subtests === undefined) return rest;
  for (const subtest of subtests) subtest.duration_ms = 0;
  return { ...rest, subtests };
}

test('subtests have names, ends and failures of their own', async () => {
  const order: string[] = [];
  const end = await endOf(
    runTest((t) => {
      t.cleanup(() => order.push('parent'));
      const results = [
        t.run('good', (t, ctx) => {
          t.cleanup(() => order.push('child'));
          t.assert.Equal([t.name, ctx.User.ID], ['TestX/good', 'u']);
        }),
        t.run('bad', (t) => {
          t.run('inner', (t) => t.fatal('stop'));
          t.log('goes on');
        }),
        t.run('good', (t) => t.skip('later')),
      ];
      t.assert.Equal(results, [true, false, true]);
    }),
  );
  expect(end).toEqual({
    status: 'failed',
    error: 'stop',
    assertions: 2,
    verdicts: [{ type: 'fatal', status: 'failed', message: 'stop', subtest: 'TestX/bad/inner' }],
    subtests: [
      { name: 'TestX/good', status: 'passed', duration_ms: 0 },
      { name: 'TestX/bad', status: 'failed', duration_ms: 0, error: 'stop' },
      { name: 'TestX/bad/inner', status: 'failed', duration_ms: 0, error: 'stop' },
      { name: 'TestX/good#01', status: 'skipped', duration_ms: 0, error: 'later' },
    ],
  });
  expect(order).toEqual(['child', 'parent']);
});

test('an exception in a subtest is an error of both; the parent goes on', async () => {
  const end = await endOf(
    runTest((t) => {
      t.run('broken', () => {
        throw new Error('boom');
      });
      t.assert.True(t.failed);
    }),
  );
  expect(end).toEqual({
    status: 'error',
    code: 'agent',
    error: 'boom',
    stack: 'mapped Error: boom',
    assertions: 1,
    subtests: [{ name: 'TestX/broken', status: 'error', duration_ms: 0, error: 'boom' }],
  });
});

test('asynchronous subtests are waited for, awaited or not', async () => {
  const end = await endOf(
    runTest(async (t) => {
      const isGood = await t.run('awaited', async (t) => {
        await soon();
        t.assert.True(true);
      });
      t.assert.True(isGood);
      void t.run('forgotten', async (t) => {
        await soon();
        void t.run('deeper', () => soon().then(() => t.fail('late')));
      });
    }),
  );
  expect(end).toEqual({
    status: 'failed',
    error: 'late',
    assertions: 2,
    verdicts: [{ type: 'fail', status: 'failed', message: 'late', subtest: 'TestX/forgotten' }],
    subtests: [
      { name: 'TestX/awaited', status: 'passed', duration_ms: 0 },
      { name: 'TestX/forgotten', status: 'failed', duration_ms: 0, error: 'late' },
      { name: 'TestX/forgotten/deeper', status: 'passed', duration_ms: 0 },
    ],
  });
});

test('who stops the parent from a subtest leaves both', async () => {
  const order: string[] = [];
  const end = await endOf(
    runTest((parent) => {
      parent.run('child', () => parent.fatal('all of it'));
      order.push('not reached');
    }),
  );
  expect(end).toEqual({
    status: 'failed',
    error: 'all of it',
    assertions: 0,
    verdicts: [{ type: 'fatal', status: 'failed', message: 'all of it' }],
    subtests: [{ name: 'TestX/child', status: 'skipped', duration_ms: 0 }],
  });
  expect(order).toEqual([]);
});

test('a deadline interrupts subtests, whose cleanups run first', async () => {
  const order: string[] = [];
  const run = createTestRun(async (t) => {
    t.cleanup(() => order.push('parent'));
    await t.run('hangs', (t) => {
      t.cleanup(() => soon().then(() => order.push('child')));
      return never;
    });
  });
  const end = run.begin();
  run.expire('too slow');
  expect(await endOf(end)).toEqual({
    status: 'timeout',
    error: 'too slow',
    assertions: 0,
    subtests: [{ name: 'TestX/hangs', status: 'error', duration_ms: 0, error: 'too slow' }],
  });
  expect(order).toEqual(['child', 'parent']);
});
