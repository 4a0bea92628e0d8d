import { expect, test } from 'vitest';
import { secretsInUrl } from './secrets.ts';

test('finds a user without a password, and keys in query and fragment of an address', () => {
  expect(secretsInUrl('http://tok_12345678@host/')).toContain('tok_12345678');
  expect(secretsInUrl('http://host/?api_key=key-12345678&page=long-enough')).toEqual(['key-12345678']);
  expect(secretsInUrl('http://host/#token=a%2Fb-12345678')).toEqual(['a%2Fb-12345678', 'a/b-12345678']);
  expect(secretsInUrl('http://host/#section-of-a-page')).toEqual([]);
});
