import { expect, test } from 'vitest';
import { secretsIn, secretsInUrl } from './secrets.ts';

test('finds a user without a password, and keys in query and fragment of an address', () => {
  expect(secretsInUrl('http://tok_12345678@host/')).toContain('tok_12345678');
  expect(secretsInUrl('http://host/?api_key=key-12345678&page=long-enough')).toEqual(['key-12345678']);
  expect(secretsInUrl('http://host/#token=a%2Fb-12345678')).toEqual(['a%2Fb-12345678', 'a/b-12345678']);
  expect(secretsInUrl('http://host/#section-of-a-page')).toEqual([]);
});

test('finds the token after a scheme and the password in Basic', () => {
  expect(secretsIn('Bearer sk-12345678')).toEqual(['Bearer sk-12345678', 'sk-12345678']);
  expect(secretsIn(`Basic ${Buffer.from('postgres:s3cret-word').toString('base64')}`)).toEqual([
    'Basic cG9zdGdyZXM6czNjcmV0LXdvcmQ=',
    'cG9zdGdyZXM6czNjcmV0LXdvcmQ=',
    's3cret-word',
  ]);
  expect(secretsIn('Bearer a1b2')).toEqual(['Bearer a1b2']);
  expect(secretsIn('short')).toEqual([]);
});
