// The 21 assertions of `t.assert`, each once passing and once failing, as the log has them.

import { expect, test } from 'vitest';
import { application, ends, lasting, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';

type Row = {
  /** Arguments of calls that hold, and of one that does not. */
  holds: string[];
  fails: string;
  verdict: { message: string; expected?: unknown; actual?: unknown; diff?: string };
};

const TABLE: Record<string, Row> = {
  True: {
    holds: ['true'],
    fails: '1',
    verdict: { message: 'expected 1 to be true', expected: true, actual: 1 },
  },
  False: {
    holds: ['false'],
    fails: 'undefined',
    verdict: { message: 'expected undefined to be false', expected: false, actual: 'undefined' },
  },
  Equal: {
    holds: [
      '{ a: [1, { b: new Date(5) }] }, { a: [1, { b: new Date(5) }] }',
      'NaN, NaN',
      'new Map([[1, new Set([2])]]), new Map([[1, new Set([2])]])',
      'cycle(), cycle()',
    ],
    fails: '{ a: undefined }, {}',
    verdict: {
      message: 'expected { a: undefined } to equal {}',
      expected: {},
      actual: { a: 'undefined' },
      diff: '- expected\n+ actual\n\n- {}\n+ {\n+   "a": "undefined"\n+ }',
    },
  },
  NotEqual: {
    holds: ['[1], [2]', '{ a: undefined }, {}'],
    fails: '[1], [1]',
    verdict: { message: 'expected [ 1 ] not to equal [ 1 ]', expected: 'not [ 1 ]', actual: [1] },
  },
  Nil: {
    holds: ['null', 'undefined'],
    fails: '0',
    verdict: { message: 'expected 0 to be null or undefined', expected: null, actual: 0 },
  },
  NotNil: {
    holds: ['0', "''", 'false'],
    fails: 'null',
    verdict: { message: 'expected a value, not null', expected: 'not nil', actual: null },
  },
  Contains: {
    holds: ["'abc', 'b'", '[{ a: 1 }], { a: 1 }', 'new Set([1]), 1', "new Map([['k', 1]]), 'k'"],
    fails: "'abc', 'd'",
    verdict: { message: 'expected "abc" to contain "d"', expected: 'd', actual: 'abc' },
  },
  NotContains: {
    holds: ["'abc', 'd'", '[1], 2'],
    fails: "'abc', 'a'",
    verdict: {
      message: 'expected "abc" not to contain "a"',
      expected: 'not containing "a"',
      actual: 'abc',
    },
  },
  Len: {
    holds: ["'a😀b', 3", '[1, 2], 2', 'new Map(), 0'],
    fails: "'😀', 2",
    verdict: { message: 'expected "😀" to have length 2, it has 1', expected: 2, actual: 1 },
  },
  Greater: {
    holds: ['2, 1', 'new Date(2), new Date(1)', '2n, 1n', "'b', 'a'"],
    fails: '1, 1',
    verdict: { message: 'expected 1 to be greater than 1', expected: '> 1', actual: 1 },
  },
  GreaterOrEqual: {
    holds: ['1, 1'],
    fails: '0, 1',
    verdict: { message: 'expected 0 to be greater than or equal to 1', expected: '>= 1', actual: 0 },
  },
  Less: {
    holds: ['1, 2'],
    fails: '1, 1',
    verdict: { message: 'expected 1 to be less than 1', expected: '< 1', actual: 1 },
  },
  LessOrEqual: {
    holds: ['1, 1'],
    fails: '2, 1',
    verdict: { message: 'expected 2 to be less than or equal to 1', expected: '<= 1', actual: 2 },
  },
  Error: {
    holds: ["new TypeError('x')", "{ message: 'x' }", "'x'"],
    fails: "''",
    verdict: { message: 'expected an error, not ""', expected: 'an error', actual: '' },
  },
  NoError: {
    holds: ['null', 'undefined'],
    fails: "new Error('x')",
    verdict: { message: 'expected no error, not Error: x', expected: null, actual: 'Error: x' },
  },
  Panic: {
    holds: ["() => { throw new Error('x'); }", "async () => { throw new Error('x'); }"],
    fails: '() => 1',
    verdict: { message: 'expected the function to throw', expected: 'a panic', actual: 'no panic' },
  },
  NoPanic: {
    holds: ['() => 1', 'async () => 1'],
    fails: "async () => { throw new Error('x'); }",
    verdict: {
      message: 'expected the function not to throw, it threw Error: x',
      expected: 'no panic',
      actual: 'Error: x',
    },
  },
  Match: {
    holds: ["'abc', /B/i", "'abc', '^a'"],
    fails: "'abc', /x/g",
    verdict: { message: 'expected "abc" to match /x/g', expected: '/x/g', actual: 'abc' },
  },
  NotMatch: {
    holds: ["'abc', /x/"],
    fails: "'abc', 'b'",
    verdict: { message: 'expected "abc" not to match "b"', expected: 'not matching "b"', actual: 'abc' },
  },
  JSONPath: {
    holds: [
      "{ a: { b: [1, 2] } }, '$.a.b[1]', 2",
      "{ a: [{ n: 1 }, { n: 2 }] }, '$.a[*].n', [1, 2]",
      "{ a: 1 }, 'a', 1",
    ],
    fails: "{ a: { b: 1 } }, '$.a.b', 2",
    verdict: { message: 'expected 1 at $.a.b to equal 2', expected: 2, actual: 1 },
  },
  Type: {
    holds: [
      "'x', 'string'",
      "[], 'array'",
      "null, 'null'",
      "new Date(), 'date'",
      "1, 'integer'",
      "new Cart(), 'Cart'",
    ],
    fails: "1, 'string'",
    verdict: {
      message: 'expected 1 to be of type string, it is of type number',
      expected: 'string',
      actual: 'number',
    },
  },
};

const HEAD = [
  'class Cart {}',
  'function cycle() { const value: any = { a: 1 }; value.self = value; return value; }',
];

/** One function an assertion, one call a line: first those that hold, then the one that fails. */
function sources(): { text: string; lines: Map<string, number> } {
  const text = [...HEAD];
  const lines = new Map<string, number>();
  for (const [name, { holds, fails }] of Object.entries(TABLE)) {
    text.push(`async function Test${name}(t: testing.T) {`);
    text.push(...holds.map((args) => `  await t.assert.${name}(${args}, 'holds');`));
    text.push(`  t.assert.${name}(${fails});`);
    lines.set(name, text.length);
    text.push('}');
  }
  return { text: `${text.join('\n')}\n`, lines };
}

test('each of them, passing and failing', async () => {
  const { text, lines } = sources();
  const cwd = application({ 'all_test.ts': text });
  const { exitCode } = await runScripts(cwd);
  const results = resultsIn(cwd);
  expect(Object.keys(TABLE)).toHaveLength(21);
  expect(exitCode).toBe(1);
  const found = Object.entries(results).map(([name, { status, error, verdicts, assertions }]) => [
    name,
    { status, error, verdicts, assertions },
  ]);
  const expected = Object.entries(TABLE).map(([name, { holds, verdict }]) => [
    `Test${name}`,
    {
      status: 'failed',
      error: `assertion failed: ${verdict.message}`,
      verdicts: [
        {
          type: name,
          status: 'failed',
          ...verdict,
          at: `${SOURCES}/all_test.ts:${String(lines.get(name))}:12`,
        },
      ],
      assertions: holds.length + 1,
    },
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

const OTHERS = `
function TestSoft(t) {
  const { Equal, True } = t.assert;
  const first = Equal(2, 1, 'Result ID should match');
  t.log('went on', first, True(true), t.failed);
  True('yes', 'row %d', 3);
  Equal('a\\nb', 'a\\nc');
}
function TestUnknown(t) { t.assert.Equals(1, 1); }
function TestLowerCase(t) { t.assert.equal(1, 1); }
function TestTooFew(t) { t.assert.Equal(1); }
function TestMisuse(t) { t.assert.Len(5, 1, 'how long'); t.assert.Greater(1, '2'); t.assert.Panic(1); t.assert.JSONPath({}, '$.a', 1); }
async function TestNotAwaited(t) { t.assert.NoPanic(async () => { await new Promise((done) => setTimeout(done, 20)); throw new Error('late'); }); }
function TestNone() {}
function TestHostile(t) { t.assert.Equal({ get a() { throw new Error('no'); } }, 1, 'hostile'); }
function TestHuge(t) { t.assert.Equal('x'.repeat(1e6), 1); }
`;

test("soft, with the author's words; wrong use is a failure; unknown ones name the nearest; none at all is marked", async () => {
  const cwd = application({ 'others_test.ts': OTHERS });
  const { stdout } = await runScripts(cwd, ['-o', 'r.json']);
  const at = (line: number, column: number): string =>
    `${SOURCES}/others_test.ts:${String(line)}:${String(column)}`;
  const results = resultsIn(cwd);
  expect(lasting(results['TestSoft'])).toEqual({
    id: 'TestSoft',
    run: 1,
    line: 2,
    status: 'failed',
    error: 'assertion failed: Result ID should match',
    assertions: 4,
    logs: ['went on false true true'],
    verdicts: [
      {
        type: 'Equal',
        status: 'failed',
        message: 'Result ID should match',
        expected: 1,
        actual: 2,
        at: at(4, 17),
      },
      { type: 'True', status: 'failed', message: 'row 3', expected: true, actual: 'yes', at: at(6, 3) },
      {
        type: 'Equal',
        status: 'failed',
        message: String.raw`expected "a\nb" to equal "a\nc"`,
        expected: 'a\nc',
        actual: 'a\nb',
        diff: '- expected\n+ actual\n\n  a\n- c\n+ b',
        at: at(7, 3),
      },
    ],
  });
  expect(lasting(results['TestUnknown'])).toEqual({
    id: 'TestUnknown',
    run: 1,
    line: 9,
    status: 'error',
    code: 'agent',
    error: 'TypeError: t.assert.Equals is not an assertion; did you mean Equal?',
    stack: `TypeError: t.assert.Equals is not an assertion; did you mean Equal?\n    at TestUnknown (${at(9, 36)})`,
    assertions: 0,
  });
  expect(results['TestMisuse']?.verdicts?.map(({ type, message }) => [type, message])).toEqual([
    ['Len', 'how long: 5 has no length'],
    ['Greater', '1 and "2" cannot be compared: a number is not a string'],
    ['Panic', '1 is not a function'],
    ['JSONPath', 'the path "$.a" matches nothing'],
  ]);
  const { TestSoft: _soft, TestUnknown: _unknown, ...rest } = ends(cwd);
  expect(rest).toEqual({
    TestLowerCase: 'error | agent | TypeError: t.assert.equal is not an assertion; did you mean Equal?',
    TestTooFew: 'failed | assertion failed: Equal takes (actual, expected, message?), but was given only 1',
    TestMisuse: 'failed | assertion failed: how long: 5 has no length',
    TestNotAwaited: 'failed | assertion failed: expected the function not to throw, it threw Error: late',
    TestNone: 'passed',
    TestHostile: 'failed | assertion failed: hostile',
    TestHuge: expect.stringMatching(/^failed \| assertion failed: expected "x{100,}.* to equal 1$/),
  });
  expect(JSON.stringify(results['TestHuge']).length).toBeLessThan(30_000);
  expect(stdout).toMatch(/► \[TestNone\] \.\.\.\n {2}✓ PASSED \(\d+ms, no assertions\)\n/);
});
