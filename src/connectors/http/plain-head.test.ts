import { expect, test } from 'vitest';
import { parseHead } from './plain-head.ts';

const head = (...lines: string[]) => parseHead(lines.join('\r\n'));

/** Whether the connection is kept, and what ends the body. */
function fate(...lines: string[]): unknown {
  const parsed = head(...lines);
  return typeof parsed === 'string' ? parsed : [parsed.isKept, parsed.body];
}

test('reads the status and the headers, whatever their case', () => {
  expect(head('HTTP/1.1 429 Too Many', 'Retry-After:  7 ', 'X-A:', 'x-b: c:d', 'Content-Length: 5')).toEqual({
    status: 429,
    headers: { 'retry-after': '7', 'x-a': '', 'x-b': 'c:d', 'content-length': '5' },
    body: 5,
    isKept: true,
  });
});

test('joins headers that are lists, and takes the first of those that are not', () => {
  expect(head('HTTP/1.1 200', 'Via: a', 'via: b', 'retry-after: 1', 'Retry-After: 2', 'a: b')).toEqual({
    status: 200,
    headers: { via: 'a, b', 'retry-after': '1', a: 'b' },
    body: 'close',
    isKept: false,
  });
});

test('a header may have any name', () => {
  const parsed = head('HTTP/1.1 204 No Content', '__proto__: a', 'constructor: b', 'constructor: c');
  const headers = typeof parsed === 'string' ? {} : parsed.headers;
  expect(Object.entries(headers)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b, c'],
  ]);
});

test('lines may end in LF alone', () => {
  expect(parseHead('HTTP/1.1 200 OK\ncontent-length: 0\nx: y')).toEqual({
    status: 200,
    headers: { 'content-length': '0', x: 'y' },
    body: 0,
    isKept: true,
  });
});

test.each<[lines: string[], isKept: boolean, body: number | string]>([
  [['HTTP/1.1 200 OK', 'content-length: 12'], true, 12],
  [['HTTP/1.1 200 OK', 'content-length: 12', 'content-length: 12'], true, 12],
  [['HTTP/1.1 200 OK', 'transfer-encoding: Chunked'], true, 'chunked'],
  [['HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked'], true, 'chunked'],
  [['HTTP/1.1 200 OK', 'transfer-encoding: gzip'], false, 'close'],
  [['HTTP/1.1 200 OK', 'transfer-encoding: chunked', 'content-length: 3'], false, 'chunked'],
  [['HTTP/1.1 200 OK'], false, 'close'],
  [['HTTP/1.1 204 No Content', 'content-length: 12'], true, 0],
  [['HTTP/1.1 304 Not Modified', 'transfer-encoding: chunked'], true, 0],
  [['HTTP/1.1 100 Continue'], true, 0],
  [['HTTP/1.1 200 OK', 'content-length: 1', 'connection: x, Close'], false, 1],
  [['HTTP/1.1 200 OK', 'content-length: 1', 'connection: keep-alive'], true, 1],
  [['HTTP/1.0 200 OK', 'content-length: 1'], false, 1],
  [['HTTP/1.0 200 OK', 'content-length: 1', 'connection: Keep-Alive'], true, 1],
])('%j: kept %s, body %s', (lines, isKept, body) => {
  expect(fate(...lines)).toEqual([isKept, body]);
});

test.each<[lines: string[], line: string]>([
  [['HTTP/2 200 OK'], 'HTTP/2 200 OK'],
  [['HTTP/1.1 20 OK'], 'HTTP/1.1 20 OK'],
  [['HTTP/1.1 099 OK'], 'HTTP/1.1 099 OK'],
  [['HTTP/1.1 2000 OK'], 'HTTP/1.1 2000 OK'],
  [['HTTP/1.1 200 OK', 'nothing'], 'nothing'],
  [['HTTP/1.1 200 OK', ': x'], ': x'],
  [['HTTP/1.1 200 OK', 'a b: x'], 'a b: x'],
  [['HTTP/1.1 200 OK', 'a : x'], 'a : x'],
  [['HTTP/1.1 200 OK', ' folded'], ' folded'],
  [['HTTP/1.1 200 OK', 'content-length: -1'], 'content-length: -1'],
  [['HTTP/1.1 200 OK', 'content-length: 0x10'], 'content-length: 0x10'],
  [['HTTP/1.1 200 OK', 'content-length:'], 'content-length: '],
  [['HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2'], 'content-length: 1, 2'],
  [['HTTP/1.1 200 OK', 'content-length: 9999999999999999'], 'content-length: 9999999999999999'],
])('%j is malformed', (lines, line) => {
  expect(head(...lines)).toBe(line);
});
