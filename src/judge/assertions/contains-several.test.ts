import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test.each<[string, object, unknown]>([
  ['any: the second', { type: 'contains_any', value: ['x', 'fine'] }, 'all is fine'],
  ['any: a number', { type: 'contains_any', value: [41, 42] }, 'it is 42'],
  ['any: a part of a structure', { type: 'contains_any', value: ['x', { a: 1 }] }, [{ a: 1, b: 2 }]],
  ['any: another case', { type: 'contains_any', value: ['FINE'], ignore_case: true }, 'all is Fine'],
  ['all', { type: 'contains_all', value: ['all', 'fine'] }, 'all is fine'],
  [
    'all: another case',
    { type: 'contains_all', value: ['ALL', 'Fine', 4], ignore_case: true },
    'All is fine, 4',
  ],
  [
    'all: another case in a value',
    { type: 'contains_all', value: ['SAY "HI"'], ignore_case: true },
    { a: 'say "hi"' },
  ],
  ['one: another case', { type: 'contains', value: 'FINE', ignore_case: true }, 'fine'],
  ['icontains', { type: 'icontains', value: 'GRÖSSE' }, 'die grösse'],
  ['icontains: a key', { type: 'icontains', value: 'NEED' }, { need_search: false }],
  ['not: case counts', { type: 'not_contains', value: 'FINE' }, 'fine'],
])('passes: %s', (_name, assertion, output) => {
  const { type } = assertion as { type: string };
  expect(verdictOn(output, { ...assertion, type })).toEqual({ type, status: 'passed' });
});

test('a failure names what is missing', () => {
  expect(verdictOn('All is fine', { type: 'contains_any', value: ['all', 'bad'] })).toEqual({
    type: 'contains_any',
    status: 'failed',
    message: 'the answer contains none of "all", "bad"',
    expected: ['all', 'bad'],
    actual: 'All is fine',
  });
  expect(verdictOn('All is fine', { type: 'contains_all', value: ['All', 'bad', 'worse'] })).toEqual({
    type: 'contains_all',
    status: 'failed',
    message: 'the answer does not contain "bad", "worse"',
    expected: ['All', 'bad', 'worse'],
    actual: 'All is fine',
  });
  const value = Array.from({ length: 13 }, (_, index) => `w${index}`);
  expect(verdictOn('', { type: 'contains_all', value }).message).toBe(
    'the answer does not contain "w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9" and 3 more',
  );
  expect(verdictOn('It is FINE', { type: 'not_contains', value: 'fine', ignore_case: true })).toEqual({
    type: 'not_contains',
    status: 'failed',
    message: 'the answer contains "fine"',
    expected: 'fine',
    actual: 'It is FINE',
  });
});
