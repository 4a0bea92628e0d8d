import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { AttemptError } from '../../../../errors.ts';
import { createHost, runTest } from '../test-host.fixture.ts';

type Calls = (assert: testing.Assert) => boolean[];

/** What the assertions return; a failure that is not seen in the return value would be a lie. */
function results(calls: Calls): boolean[] {
  let returned: boolean[] = [];
  const end = runTest((t) => {
    returned = calls(t.assert);
  });
  expect(end).toMatchObject({ assertions: returned.length });
  return returned;
}

/** The message of each failed assertion. */
async function messages(calls: (assert: testing.Assert) => unknown): Promise<(string | undefined)[]> {
  const { verdicts = [] } = await runTest((t) => calls(t.assert));
  return verdicts.map(({ message }) => message);
}

const other = createContext({});
const foreign = (source: string): unknown => runInContext(source, other);
// Users may write anything, also what the types forbid.
const untyped = (assert: testing.Assert): Record<string, (...args: unknown[]) => unknown> => assert as never;
const boom = (): never => {
  throw new Error('boom');
};

test.each<[string, Calls, Calls]>([
  ['True', (a) => [a.True(true)], (a) => [a.True(1), a.True('true'), a.True(new Boolean(true))]],
  ['False', (a) => [a.False(false)], (a) => [a.False(0), a.False(undefined)]],
  ['Equal', (a) => [a.Equal({ a: [1] }, foreign('({ a: [1] })'))], (a) => [a.Equal(1, '1')]],
  ['NotEqual', (a) => [a.NotEqual({}, { a: undefined })], (a) => [a.NotEqual([1], [1])]],
  ['Nil', (a) => [a.Nil(null), a.Nil(undefined)], (a) => [a.Nil(0), a.Nil('')]],
  ['NotNil', (a) => [a.NotNil(0), a.NotNil('')], (a) => [a.NotNil(null), a.NotNil(undefined)]],
  [
    'Contains',
    (a) => [
      a.Contains('abc', 'b'),
      a.Contains(foreign('[{ a: 1 }]'), { a: 1 }),
      a.Contains(foreign('new Set([1])'), 1),
      a.Contains(new Map([['k', 1]]), 'k'),
      a.Contains(new Uint8Array([1]), 1),
    ],
    (a) => [a.Contains('abc', 'd'), a.Contains([1], 2), a.Contains('1', 1), a.Contains({ a: 1 }, 'a')],
  ],
  [
    'NotContains',
    (a) => [a.NotContains('abc', 'd'), a.NotContains([1], 2)],
    (a) => [a.NotContains('abc', 'b'), a.NotContains([[1]], [1]), a.NotContains(null, 'a')],
  ],
  [
    'Len',
    (a) => [
      a.Len('a😀', 2),
      a.Len([1, 2], 2),
      a.Len(foreign('new Map([[1, 2]])'), 1),
      a.Len(Buffer.alloc(3), 3),
    ],
    (a) => [a.Len('😀', 2), a.Len({ length: 1 }, 1), a.Len(null, 0), a.Len([], Number.NaN)],
  ],
  [
    'Greater',
    (a) => [a.Greater(2, 1), a.Greater('b', 'a'), a.Greater(2n, 1n), a.Greater(new Date(2), new Date(1))],
    (a) => [a.Greater(1, 1), a.Greater(Number.NaN, 1), a.Greater<never>('2' as never, 1 as never)],
  ],
  ['GreaterOrEqual', (a) => [a.GreaterOrEqual(1, 1)], (a) => [a.GreaterOrEqual(1, 2)]],
  ['Less', (a) => [a.Less(1, 2)], (a) => [a.Less(2, 2), a.Less<never>({} as never, 1 as never)]],
  ['LessOrEqual', (a) => [a.LessOrEqual(2, 2)], (a) => [a.LessOrEqual(3, 2)]],
  [
    'Error',
    (a) => [
      a.Error(new Error()),
      a.Error(foreign('new TypeError("x")')),
      a.Error({ message: '' }),
      a.Error('x'),
    ],
    (a) => [a.Error(null), a.Error(''), a.Error({}), a.Error(true)],
  ],
  ['NoError', (a) => [a.NoError(null), a.NoError(undefined)], (a) => [a.NoError(''), a.NoError(new Error())]],
  [
    'Panic',
    (a) => [a.Panic(boom)],
    (a) => [a.Panic(() => 1), untyped(a)['Panic']?.('not a function') as boolean],
  ],
  ['NoPanic', (a) => [a.NoPanic(() => 1)], (a) => [a.NoPanic(boom)]],
  [
    'Match',
    (a) => [
      a.Match('abc', /B/i),
      a.Match('abc', '^a.c$'),
      a.Match('ABC', '(?i)b'),
      a.Match('a', foreign('/a/') as RegExp),
    ],
    (a) => [a.Match('abc', /d/), a.Match(1, /1/), a.Match('(', '('), a.Match('a', {} as never)],
  ],
  ['NotMatch', (a) => [a.NotMatch('abc', /d/)], (a) => [a.NotMatch('abc', /b/), a.NotMatch(1, /2/)]],
  [
    'JSONPath',
    (a) => [
      a.JSONPath({ a: { b: 1 } }, '$.a.b', 1),
      a.JSONPath({ a: [{ b: 1 }, { b: 2 }] }, 'a[1].b', 2),
      a.JSONPath(foreign('({ a: [{ b: 1 }, { b: 2 }] })'), '$.a[*].b', [1, 2]),
      a.JSONPath({ a: [{ b: 1 }] }, '$..b', 1),
      a.JSONPath({ a: [{ b: 1 }] }, '$..b', [1]),
    ],
    (a) => [
      a.JSONPath({ a: 1 }, '$.a', 2),
      a.JSONPath({ a: 1 }, '$.b', undefined),
      a.JSONPath({ a: 1 }, '$[', 1),
      a.JSONPath({ a: 1 }, 1 as never, 1),
    ],
  ],
  [
    'Type',
    (a) => [
      a.Type('x', 'string'),
      a.Type([], 'array'),
      a.Type(null, 'null'),
      a.Type({}, 'object'),
      a.Type(foreign('new Date()'), 'date'),
      a.Type(foreign('new RangeError()'), 'Error'),
      a.Type(1, 'integer'),
      a.Type(Promise.resolve(), 'promise'),
      a.Type(boom, 'function'),
      a.Type(undefined, 'undefined'),
      a.Type(foreign('class Point {}; new Point()'), 'Point'),
    ],
    (a) => [
      a.Type(1.5, 'integer'),
      a.Type(null, 'object'),
      a.Type([], 'object'),
      a.Type('x', 'number'),
      a.Type(1, ''),
    ],
  ],
])('%s', (_name, holds, fails) => {
  const [good, bad] = [results(holds), results(fails)];
  expect([good, bad]).toEqual([good.map(() => true), bad.map(() => false)]);
});

test('every failure says what was expected', async () => {
  const texts = await messages((a) => [
    a.True(1),
    a.Equal({ a: 1 }, [2]),
    a.NotEqual('x', 'x'),
    a.Nil(0),
    a.NotNil(null),
    a.Contains('abc', 'd'),
    a.Contains({ a: 1 }, 'a'),
    a.Len('abc', 2),
    a.Len({}, 0),
    a.Greater(1, 2),
    a.Less<never>('1' as never, 2 as never),
    a.Error(null),
    a.NoError(new TypeError('oh')),
    a.Panic(() => 1),
    a.NoPanic(boom),
    a.Match('abc', /d/g),
    a.Match(1, 'x'),
    a.JSONPath({ a: 1 }, '$.a', 2),
    a.JSONPath({ a: 1 }, '$.b', 2),
    a.JSONPath({ a: 1 }, '$.b', undefined),
    a.Type('x', 'number'),
    untyped(a)['Equal']?.(1),
    untyped(a)['True']?.(),
    a.Len(1, 1, 'the author says'),
    a.Equal(1, 2, 'row %d', 7),
  ]);
  expect(texts).toEqual([
    'expected 1 to be true',
    'expected { a: 1 } to equal [ 2 ]',
    'expected "x" not to equal "x"',
    'expected 0 to be null or undefined',
    'expected a value, not null',
    'expected "abc" to contain "d"',
    '{ a: 1 } is neither a string nor a list, set or map',
    'expected "abc" to have length 2, it has 3',
    '{} has no length',
    'expected 1 to be greater than 2',
    '"1" and 2 cannot be compared: a string is not a number',
    'expected an error, not null',
    'expected no error, not TypeError: oh',
    'expected the function to throw',
    'expected the function not to throw, it threw Error: boom',
    'expected "abc" to match /d/g',
    'only a string can match a pattern, not 1',
    'expected 1 at $.a to equal 2',
    'the path "$.b" matches nothing',
    'the path "$.b" matches nothing, not even undefined',
    'expected "x" to be of type number, it is of type string',
    'Equal takes (actual, expected, message?), but was given only 1',
    'True takes (value, message?), but was given none',
    'the author says: 1 has no length',
    'row 7',
  ]);
});

test('verdicts have a difference where it helps', async () => {
  const { verdicts = [] } = await runTest((t) => {
    t.assert.Equal('a\nb', 'a\nc');
    t.assert.Equal('a', 'b');
    t.assert.Equal({ a: 1, b: undefined }, { a: 1 });
    t.assert.Equal(new Map([['a', 1]]), new Map([['a', 2]]));
    t.assert.Equal([1], 1);
  });
  expect(verdicts.map(({ diff }) => diff)).toEqual([
    '- expected\n+ actual\n\n  a\n- c\n+ b',
    undefined,
    '- expected\n+ actual\n\n  {\n-   "a": 1\n+   "a": 1,\n+   "b": "undefined"\n  }',
    "- expected\n+ actual\n\n  Map(1) {\n-   'a' => 2\n+   'a' => 1\n  }",
    undefined,
  ]);
});

test('where a pattern was used before does not matter', () => {
  const pattern = /b/g;
  expect(results((a) => [a.Match('ab', pattern), a.Match('ab', pattern), a.Match('ab', pattern)])).toEqual([
    true,
    true,
    true,
  ]);
  expect(pattern.lastIndex).toBe(0);
});

test('assertions can be returned, awaited and printed', async () => {
  const host = createHost();
  const end = await runTest(
    async (t) => {
      t.log(await Promise.resolve(t.assert), JSON.stringify(t.assert));
      return t.assert;
    },
    { host },
  );
  expect([end, host.lines]).toEqual([{ status: 'passed', assertions: 0 }, ['Assert {} {}']]);
});

test('Panic waits for an asynchronous function, and the test waits for Panic', async () => {
  const end = await runTest(async (t) => {
    const rejects = await t.assert.Panic(() => Promise.reject(new Error('x')));
    t.assert.True(rejects);
    void t.assert.Panic(async () => 1);
    void t.assert.NoPanic(
      foreign('async () => { throw new Error("foreign") }') as () => Promise<void>,
      'fine',
    );
  });
  expect(end).toEqual({
    status: 'failed',
    error: 'assertion failed: expected the function to throw',
    assertions: 4,
    verdicts: [
      {
        type: 'Panic',
        status: 'failed',
        message: 'expected the function to throw',
        expected: 'a panic',
        actual: 'no panic',
      },
      {
        type: 'NoPanic',
        status: 'failed',
        message: 'fine',
        expected: 'no panic',
        actual: 'Error: foreign',
      },
    ],
  });
});

test('skip inside of a function that is watched for panics skips the test', async () => {
  const skip = { status: 'skipped', reason: 'skip', skip_message: 'later', assertions: 1 };
  expect(runTest((t) => t.assert.Panic(() => t.skip('later')))).toEqual(skip);
  const later = runTest(async (t) => {
    await t.assert.NoPanic(() => Promise.resolve().then(() => t.skip('later')));
    t.fail('not reached');
  });
  expect(await later).toEqual(skip);
});

test('a value that throws when looked at is a failure', async () => {
  const hostile = {
    get a() {
      return boom();
    },
  };
  expect(await messages((a) => a.Equal(hostile, { a: 1 }, 'mine'))).toEqual([
    'mine: the values cannot be judged: Error: boom',
  ]);
});

test('an agent judges; the test waits for it', async () => {
  const asked: unknown[] = [];
  const host = createHost({
    async judge(...question) {
      asked.push(question);
      return question[0] === 'good' ? { passed: true } : { passed: false, reason: 'too short', score: 0.2 };
    },
  });
  const end = await runTest(
    async (t) => {
      t.assert.True(await t.assert.Agent('good', 'agents:judge'));
      void t.assert.Agent('bad', 'judge', { criteria: 'be long', strict: true }, 'answer of %s', 'Bob');
      void t.assert.Agent('bad', '');
    },
    { host },
  );
  expect(asked).toEqual([
    ['good', 'agents:judge', {}],
    ['bad', 'judge', { criteria: 'be long', strict: true }],
  ]);
  expect(end).toEqual({
    status: 'failed',
    error: 'assertion failed: "" is not the id of an agent',
    assertions: 4,
    verdicts: [
      { type: 'Agent', status: 'failed', message: '"" is not the id of an agent' },
      {
        type: 'Agent',
        status: 'failed',
        message: 'answer of Bob',
        expected: 'be long',
        actual: 'bad',
        score: 0.2,
        reason: 'too short',
      },
    ],
  });
});

test('without a judgement the test is an error and stops; a proven failure stays one', async () => {
  const host = createHost({ judge: () => Promise.reject(new AttemptError('judge', 'no judge today')) });
  const ask = async (t: testing.T): Promise<void> => {
    await t.assert.Agent('x', 'judge', { criteria: 'y' });
    t.fail('not reached');
  };
  const error = { status: 'error', code: 'judge', error: 'no judge today', assertions: 1 };
  expect(await runTest(ask, { host })).toEqual(error);
  expect(await runTest((t) => void ask(t).catch(() => undefined), { host })).toEqual(error);
  const failed = await runTest(
    async (t) => {
      t.fail('wrong');
      await ask(t);
    },
    { host },
  );
  const verdicts = [{ type: 'fail', status: 'failed', message: 'wrong' }];
  expect(failed).toEqual({ status: 'failed', error: 'wrong', assertions: 1, verdicts });
});
