import { expect, test } from 'vitest';
import { runTest } from '../test-host.fixture.ts';

/** What is known of a comparison that fails. */
async function compared(actual: unknown, expected: unknown): Promise<unknown> {
  const { verdicts } = await runTest((t) => t.assert.Equal(actual, expected));
  return verdicts?.map(({ type: _type, status: _status, ...verdict }) => verdict);
}

const diff = (...lines: string[]): string => ['- expected', '+ actual', '', ...lines].join('\n');

test('a date is told from its text', async () => {
  const text = '1970-01-01T00:00:00.000Z';
  expect(await compared(new Date(0), text)).toEqual([
    {
      message: `expected ${text} to equal "${text}"`,
      expected: `"${text}"`,
      actual: `Date ${text}`,
      diff: diff(`- "${text}"`, `+ Date ${text}`),
    },
  ]);
});

test.each<[unknown, unknown, string, string]>([
  [undefined, 'undefined', '"undefined"', 'undefined'],
  [1n, '1n', '"1n"', 'bigint 1n'],
  ['NaN', Number.NaN, 'number NaN', '"NaN"'],
  [new Error('x'), 'Error: x', '"Error: x"', 'Error: x'],
])('%o is told from %o', async (actual, expected, before, after) => {
  expect(await compared(actual, expected)).toMatchObject([
    { expected: before, actual: after, diff: diff(`- ${before}`, `+ ${after}`) },
  ]);
});

test('what looks alike and is not the same is said to be so', async () => {
  const make = (): (() => void) => function run() {};
  const alike = 'they look alike, but are not equal';
  expect([await compared(make(), make()), await compared([make()], [make()])]).toEqual([
    [
      {
        message: `expected [Function: run] to equal [Function: run]; ${alike}`,
        expected: '[Function: run]',
        actual: '[Function: run]',
      },
    ],
    [
      {
        message: `expected [ [Function: run] ] to equal [ [Function: run] ]; ${alike}`,
        expected: ['[Function: run]'],
        actual: ['[Function: run]'],
      },
    ],
  ]);
});

test.each<[string, string, string | undefined, string | undefined]>([
  ['a', 'b', undefined, undefined],
  ['a', 'a ', '"a "', '"a"'],
  ['\tx', 'y', '"y"', String.raw`"\tx"`],
  ['a b', 'a\u00a0b', String.raw`"a\u{a0}b"`, '"a b"'],
  ['a\u200bb', 'ab', '"ab"', String.raw`"a\u{200b}b"`],
  ['é', 'e\u0301', String.raw`"e\u{301}"`, '"é"'],
  ['a\r\nb', 'a\nb', String.raw`"a\nb"`, String.raw`"a\r\nb"`],
  ['a\n', 'a', '"a"', String.raw`"a\n"`],
])('%j and %j are quoted if they would look alike', async (actual, expected, before, after) => {
  const quoted = before === undefined ? {} : { diff: diff(`- ${before}`, `+ ${String(after)}`) };
  const message = `expected ${after ?? JSON.stringify(actual)} to equal ${before ?? JSON.stringify(expected)}`;
  expect(await compared(actual, expected)).toEqual([{ message, expected, actual, ...quoted }]);
});

test('long texts are shown where they differ', async () => {
  const [actual, expected] = [
    `${'a'.repeat(500)}😀${'c'.repeat(500)}`,
    `${'a'.repeat(500)}😁${'c'.repeat(20)}`,
  ];
  const [before, after] = [
    `…"${'a'.repeat(30)}😁${'c'.repeat(20)}"`,
    `…"${'a'.repeat(30)}😀${'c'.repeat(48)}"…`,
  ];
  const place = 'the first difference is at character 501';
  expect(await compared(actual, expected)).toEqual([
    {
      message: `expected ${after} to equal ${before}; ${place}`,
      expected,
      actual,
      diff: diff(`- ${before}`, `+ ${after}`, `  ${place}`),
    },
  ]);
});

test('a path without a match is not one that leads to undefined', async () => {
  const { verdicts } = await runTest((t) => t.assert.JSONPath({ a: 1 }, '$.b', undefined));
  expect(verdicts).toEqual([
    {
      type: 'JSONPath',
      status: 'failed',
      message: 'the path "$.b" matches nothing, not even undefined',
      expected: 'undefined',
      actual: 'no match',
    },
  ]);
});
