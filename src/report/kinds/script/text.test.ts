import { expect, test } from 'vitest';
import type { Subtest } from '../../../model/script.ts';
import { subtestTexts } from './text.ts';

test('of very many subtests those come first that did not pass', () => {
  const subtests: Subtest[] = Array.from({ length: 300 }, (_, at) => ({
    name: `TestRows/${at}`,
    status: at === 299 ? 'error' : 'passed',
    duration_ms: 1,
  }));
  const texts = subtestTexts(subtests);
  expect([texts.length, texts[0], texts[1], texts.at(-1)]).toEqual([
    201,
    'error: TestRows/299 (1ms)',
    'passed: TestRows/0 (1ms)',
    '… and 100 more',
  ]);
});
