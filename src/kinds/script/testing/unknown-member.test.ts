import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createHost, runTest } from './test-host.fixture.ts';

type Members = Record<string, (...args: unknown[]) => unknown>;

/** What a test says that calls a member by each of these names. */
async function told(names: string[], pick: (t: testing.T) => unknown): Promise<unknown[]> {
  const call = async (name: string): Promise<unknown> => {
    // Users may write anything, also what the types forbid.
    const end = await runTest((t) => (pick(t) as Members)[name]?.(1, 1));
    return [end.status, end.error?.replace('TypeError: ', '')];
  };
  return Promise.all(names.map(call));
}

test.each([
  ['Fatal', 'did you mean t.fatal?'],
  ['Fatalf', 'did you mean t.fatal?'],
  ['FailNow', 'did you mean t.fatal?'],
  ['Fail', 'did you mean t.fail?'],
  ['Errorf', 'did you mean t.error?'],
  ['Error', 'did you mean t.error?'],
  ['Log', 'did you mean t.log?'],
  ['Logf', 'did you mean t.log?'],
  ['Run', 'did you mean t.run?'],
  ['Cleanup', 'did you mean t.cleanup?'],
  ['TempDir', 'did you mean t.tempDir?'],
  ['tmpDir', 'did you mean t.tempDir?'],
  ['Skip', 'did you mean t.skip?'],
  ['Name', 'did you mean t.name, which is a property?'],
  ['Failed', 'did you mean t.failed, which is a property?'],
  ['Helper', 'it is not needed: leave it out'],
  ['Parallel', 'the tests of a file run in order, and files at the same time (--parallel)'],
  ['Setenv', 'set process.env and put it back in t.cleanup; other files do not see it'],
  ['expect', 'did you mean t.assert?'],
  ['require', 'use t.assert, and t.fatal to stop: if (!t.assert.NotNil(x)) t.fatal()'],
  ['equal', 'did you mean t.assert.Equal?'],
  ['throws', 'did you mean t.assert.Panic?'],
])('t.%s says what there is instead', async (name, advice) => {
  expect(await told([name], (t) => t)).toEqual([['error', `t.${name} is not part of t; ${advice}`]]);
});

test('a member of an unknown member is refused, too', async () => {
  // Users may write anything.
  const { error } = await runTest((t) =>
    (t as unknown as Record<string, Members>)['require']?.['Equal']?.(1, 1),
  );
  expect(error).toBe(
    'TypeError: t.require is not part of t; use t.assert, and t.fatal to stop: if (!t.assert.NotNil(x)) t.fatal()',
  );
});

test('a property that is called is said to be one', async () => {
  // Users may write anything.
  const { error } = await runTest((t) => (t as unknown as { failed(): void }).failed());
  expect(error).toBe('TypeError: t.failed is not a function: it is a property');
});

test('t.mock says what there is instead', async () => {
  expect(await told(['spyOn', 'restore', 'useFakeTimers', 'restoreall', 'modul'], (t) => t.mock)).toEqual([
    ['error', 't.mock.spyOn is not part of t.mock; did you mean t.mock.method?'],
    ['error', 't.mock.restore is not part of t.mock; did you mean t.mock.restoreAll?'],
    ['error', 't.mock.useFakeTimers is not part of t.mock; did you mean t.mock.timers.enable?'],
    ['error', 't.mock.restoreall is not part of t.mock; did you mean t.mock.restoreAll?'],
    ['error', 't.mock.modul is not part of t.mock; did you mean t.mock.module?'],
  ]);
});

test('t can be printed, awaited, returned and written on', async () => {
  const host = createHost();
  const end = await runTest(
    async (t) => {
      const own = t as unknown as Record<string, unknown>;
      own['server'] = (own['server'] ?? 0) === 0;
      t.log(own['server'], own['then'], own['other'], 'Fatal' in t, JSON.stringify(t.mock));
      t.log(
        inspect(await Promise.resolve(t)).split('\n')[0],
        inspect(t.mock).split('\n')[0],
        Object.keys(t).length,
      );
      return t;
    },
    { host },
  );
  expect([end, host.lines]).toEqual([
    { status: 'passed', assertions: 0 },
    ['true undefined undefined false {"timers":{}}', 'T { Mock { 13'],
  ]);
});

const MEANT = {
  Contains: ['includes', 'include', 'contains'],
  Equal: ['deepEqual', 'deepStrictEqual', 'strictEqual', 'toEqual', 'toBe', 'is', 'eq', 'Equals', 'equal'],
  False: ['isFalse', 'notOk'],
  Len: ['lengthOf', 'Length'],
  Match: ['match', 'Regexp'],
  Nil: ['isNull', 'isNil', 'Null'],
  NoPanic: ['doesNotThrow', 'NotPanics'],
  NotEqual: ['notEqual', 'notDeepEqual', 'notStrictEqual', 'isNot'],
  Panic: ['throws', 'rejects', 'Throws', 'ToThrow', 'Panics'],
  True: ['ok', 'truthy', 'isTrue'],
};

test.each(Object.entries(MEANT))('%s is meant by its other names', async (meant, names) => {
  const error = (name: string): unknown => [
    'error',
    `t.assert.${name} is not an assertion; did you mean ${meant}?`,
  ];
  expect(await told(names, (t) => t.assert)).toEqual(names.map(error));
});

test('an assertion without a counterpart comes with advice', async () => {
  const close = 'compare nearly equal numbers with Less(Math.abs(a - b), 0.1)';
  const message = 'check Error(error), and Match(error.message, /…/) for its text';
  const names = ['Empty', 'InDelta', 'closeTo', 'ErrorContains', 'ErrorIs'];
  expect(await told([...names, 'Xyz'], (t) => t.assert)).toEqual([
    ['error', 't.assert.Empty is not an assertion; write Len(value, 0)'],
    ['error', `t.assert.InDelta is not an assertion; ${close}`],
    ['error', `t.assert.closeTo is not an assertion; ${close}`],
    ['error', `t.assert.ErrorContains is not an assertion; ${message}`],
    ['error', `t.assert.ErrorIs is not an assertion; ${message}`],
    ['error', 't.assert.Xyz is not an assertion'],
  ]);
});
