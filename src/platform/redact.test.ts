import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';

test('replaces a secret in every form it takes in a line of JSON', () => {
  const secret = 'pa"ss/wörd+1';
  const redact = createRedactor([secret]);
  const line = JSON.stringify({
    header: `Bearer ${secret}`,
    url: `http://x/?key=${encodeURIComponent(secret)}`,
    other: 'safe',
  });
  expect(JSON.parse(redact(line))).toEqual({ header: 'Bearer ***', url: 'http://x/?key=***', other: 'safe' });
});

test('replaces the longer of two secrets whole', () => {
  expect(createRedactor(['sk-12345', 'sk-12345-extended'])('a sk-12345-extended b sk-12345')).toBe(
    'a *** b ***',
  );
});
