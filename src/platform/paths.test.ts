import { expect, test } from 'vitest';
import { displayPath, isInside } from './paths.ts';

test.each([
  ['/app', '/app', true],
  ['/app', '/app/a/b', true],
  ['/app', '/app/..hidden', true],
  ['/app', '/application', false],
  ['/app', '/', false],
  ['/app/a', '/app/b', false],
  ['/', '/app', true],
])('isInside(%s, %s) is %s', (parent, child, inside) => {
  expect(isInside(parent, child)).toBe(inside);
});

test('names files relative to the working directory only if they lie below it', () => {
  expect(displayPath('/app/tests/cases.jsonl', '/app')).toBe('tests/cases.jsonl');
  expect(displayPath('/other/cases.jsonl', '/app')).toBe('/other/cases.jsonl');
  expect(displayPath('/app', '/app')).toBe('.');
});
