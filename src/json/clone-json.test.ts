import { expect, test } from 'vitest';
import { isFlat, cloneJson } from './clone-json.ts';

test('a copy shares nothing that can be changed', () => {
  const flat = { a: 1, b: 'x', c: null };
  const nested = { a: { list: [1] }, b: null };
  const copies = [cloneJson(flat), cloneJson(nested)] as const;
  copies[0].a = 2;
  copies[1].a.list.push(2);
  expect([flat, nested, ...copies]).toEqual([
    { a: 1, b: 'x', c: null },
    { a: { list: [1] }, b: null },
    { a: 2, b: 'x', c: null },
    { a: { list: [1, 2] }, b: null },
  ]);
  expect([isFlat(flat), isFlat(nested), isFlat({})]).toEqual([true, false, true]);
});
