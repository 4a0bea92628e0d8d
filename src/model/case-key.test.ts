import { expect, test } from 'vitest';
import { caseKey } from './case-key.ts';

test('keeps cases apart that differ in the test, the id or the variables', () => {
  const keys = [
    caseKey('a', 'b'),
    caseKey('a', 'c'),
    caseKey('b', 'b'),
    caseKey('ab', ''),
    caseKey('a', 'b', '[["model","x"]]'),
    caseKey('a', 'b', '[["model","y"]]'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('names the same case alike', () => {
  expect(caseKey('a', 'b', '')).toBe(caseKey('a', 'b'));
});

test('keeps the form that logs have', () => {
  expect([caseKey('a', 'b'), caseKey('a', 'b', '[["model","x"]]')]).toEqual([
    'a\nb',
    'a\nb\n[["model","x"]]',
  ]);
});
