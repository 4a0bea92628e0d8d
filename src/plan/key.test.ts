import { expect, test } from 'vitest';
import { variablesKey } from '../variables/variables-key.ts';
import { attemptKey } from './key.ts';

test('is the same on every machine and in every version', () => {
  expect(attemptKey('tests/inputs.jsonl', 'T001', 1)).toMatchInlineSnapshot(`"141506cd56c018e35abb20a2"`);
  expect(
    attemptKey('tests/inputs.jsonl', 'T001', 2, variablesKey({ Model: 'a', Temperature: 0 })),
  ).toMatchInlineSnapshot(`"99d433d0b6ab463a347928a7"`);
});

test('does not depend on the order of variables', () => {
  expect(variablesKey({ a: 1, b: 2 })).toBe(variablesKey({ b: 2, a: 1 }));
});

test('tells apart everything that makes an attempt another one', () => {
  const keys = [
    attemptKey('t', 'c', 1),
    attemptKey('t', 'c', 2),
    attemptKey('t', 'c2', 1),
    attemptKey('t2', 'c', 1),
    attemptKey('tc', '', 1),
    attemptKey('t:1', 'c', 1),
    attemptKey('t', 'c', 1, variablesKey({ a: 1 })),
    attemptKey('t', 'c', 1, variablesKey({ a: '1' })),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('gives a million cases a million keys', () => {
  const keys = new Set<string>();
  for (let index = 0; index < 1_000_000; index += 1) keys.add(attemptKey('cases.jsonl', `case-${index}`, 1));
  expect(keys.size).toBe(1_000_000);
});
