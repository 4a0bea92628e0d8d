import { expect, test } from 'vitest';
import type { PostTarget } from './http-exchange.ts';
import { plainRequest, plainRoute } from './plain-route.ts';

const target = (headers: Record<string, string>, given: Partial<PostTarget> = {}): PostTarget => ({
  isSecure: false,
  hostname: 'models.test',
  port: 8080,
  path: '/v1/chat?a=b',
  headers,
  ...given,
});

const request = (...args: Parameters<typeof target>): string =>
  plainRequest(plainRoute(target(...args)), '"ä€"');

test('writes head and body in one piece', () => {
  expect(request({ 'X-Team': 'a\tbü' })).toBe(
    [
      'POST /v1/chat?a=b HTTP/1.1',
      'host: models.test:8080',
      'connection: keep-alive',
      'x-team: a\tbü',
      'content-length: 7',
      '',
      '"ä€"',
    ].join('\r\n'),
  );
});

test('the last of several headers of a name is sent, and the length is ours', () => {
  const headers = { authorization: 'a', Authorization: 'b', Host: 'x', 'Content-Length': '1' };
  expect(request({ ...headers, 'transfer-encoding': 'chunked' })).toBe(
    [
      'POST /v1/chat?a=b HTTP/1.1',
      'host: x',
      'connection: keep-alive',
      'authorization: b',
      'content-length: 7',
      '',
      '"ä€"',
    ].join('\r\n'),
  );
});

test.each<[Partial<PostTarget>, host: string]>([
  [{ port: 80 }, 'models.test'],
  [{ hostname: '127.0.0.1' }, '127.0.0.1:8080'],
  [{ hostname: '::1' }, '[::1]:8080'],
  [{ hostname: '::1', port: 80 }, '[::1]'],
])('%j is the host %s', (given, host) => {
  expect(request({}, given).split('\r\n')[1]).toBe(`host: ${host}`);
});

test.each<[headers: Record<string, string>, message: string]>([
  [{ 'x-a': 'b\r\nx-c: d' }, 'Invalid character in header content ["x-a"]'],
  [{ 'x-a': 'b\nc' }, 'Invalid character in header content ["x-a"]'],
  [{ 'x-a': '\u0000' }, 'Invalid character in header content ["x-a"]'],
  [{ 'x-a': '\u007f' }, 'Invalid character in header content ["x-a"]'],
  [{ 'x-a': '€' }, 'Invalid character in header content ["x-a"]'],
  [{ 'x-a\r\nx-b': 'c' }, 'Header name must be a valid HTTP token ["x-a\r\nx-b"]'],
  [{ 'x a': 'c' }, 'Header name must be a valid HTTP token ["x a"]'],
  [{ '': 'c' }, 'Header name must be a valid HTTP token [""]'],
])('refuses %j', (headers, message) => {
  expect(() => plainRoute(target(headers))).toThrow(new TypeError(message));
});
