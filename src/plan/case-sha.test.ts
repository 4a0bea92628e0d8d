import { expect, test } from 'vitest';
import type { TestCase } from '../model/case.ts';
import { caseSha } from './case-sha.ts';

const CASE: TestCase = { id: 'a', input: 'hi', assert: { type: 'contains', value: 'x' } };

test('is the same on every machine and in every version', () => {
  expect(caseSha(CASE)).toMatchInlineSnapshot(`"24a87cee5a38361305e0d2ee"`);
});

test('does not depend on names, tags, skip and the order of keys', () => {
  const same = { assert: { value: 'x', type: 'contains' }, input: 'hi', id: 'b', tags: ['t'], skip: true };
  expect(caseSha({ ...same, description: 'd' })).toBe(caseSha(CASE));
});

test('tells apart everything that the agent is asked or judged by', () => {
  const cases: Partial<TestCase>[] = [
    {},
    { input: 'ho' },
    { input: [{ role: 'user', content: 'hi' }] },
    { expected: 1 },
    { expected: '1' },
    { expected: null },
    { expected: [1, 2] },
    { expected: [[1], 2] },
    { assert: { type: 'contains', value: 'y' } },
    { assert: [{ type: 'contains', value: 'x' }] },
    { options: { connector: 'a' } },
    { mocks: { 'search.Web': [] } },
    { before: 'env.Before' },
    { after: 'env.Before' },
    { metadata: { a: 1 } },
    { user: 'u' },
    { team: 'u' },
    { timeout: '3s' },
    { turns: [{ input: 'hi' }] },
    { simulator: { use: 'agents:a' } },
    { max_turns: 3 },
    { checkpoints: [{ id: 'c', assert: { type: 'contains', value: 'x' } }] },
  ];
  expect(new Set(cases.map((fields) => caseSha({ ...CASE, ...fields }))).size).toBe(cases.length);
});
