import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainResponse } from './plain-response.ts';

/** Reads pieces until the response is over or the connection ends. */
function read(...pieces: (string | Buffer)[]) {
  const heads: unknown[] = [];
  let text = '';
  const response = new PlainResponse({
    head: (status, headers) => heads.push([status, { ...headers }]),
    data: (piece) => (text += piece),
  });
  let count = 0;
  for (const piece of pieces) {
    if (response.isDone || response.isMalformed) break;
    // The buffer of a socket is overwritten by the next piece.
    const bytes = Buffer.from(piece);
    count += response.push(bytes);
    bytes.fill('#');
  }
  const isWhole = response.isDone || response.close();
  const { problem, isKept } = response;
  return { heads, text, count, isWhole, isKept, ...(problem !== undefined && { problem }) };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const chunked = [200, { 'transfer-encoding': 'chunked' }];
const count = (text: string): number => Buffer.byteLength(text);
const long = (length: number): string => 'x'.repeat(length);

test.each<[what: string, response: string, expected: object]>([
  [
    'chunks, with extensions and trailers',
    `${CHUNKED}3;a="b;c"\r\nhä\r\n00A \r\nß€😀!\r\n0;z\r\nx-sum: 1\r\ny: 2\r\n\r\n`,
    { heads: [chunked], text: 'häß€😀!', isWhole: true, isKept: true },
  ],
  [
    'a length',
    'HTTP/1.1 503 Busy\r\nContent-Length: 9\r\nRetry-After: 1\r\n\r\nß€😀',
    {
      heads: [[503, { 'content-length': '9', 'retry-after': '1' }]],
      text: 'ß€😀',
      isWhole: true,
      isKept: true,
    },
  ],
  [
    'the end of the connection',
    'HTTP/1.0 200 OK\r\n\r\nß€😀',
    { heads: [[200, {}]], text: 'ß€😀', isWhole: true, isKept: false },
  ],
  [
    'nothing, after what is only said in between',
    '\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    { heads: [[204, {}]], text: '', isWhole: true, isKept: true },
  ],
  [
    'chunks whose lines end in LF alone',
    'HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n2\nok\n0\n\n',
    { heads: [chunked], text: 'ok', isWhole: true, isKept: true },
  ],
  [
    'the middle of a character, which becomes a mark',
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabä',
    { heads: [[200, { 'content-length': '3' }]], text: 'ab\ufffd', isWhole: true, isKept: true },
  ],
])('reads a body that ends with %s, wherever it is split', (_what, response, expected) => {
  const bytes = Buffer.from(response);
  const whole = { ...expected, count: read(bytes).count };
  for (let at = 0; at <= bytes.length; at += 1)
    expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  expect(read(...Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole);
});

test('any text in any chunks is read as it was sent, in any pieces', () => {
  const cut = (bytes: Buffer, places: number[]): Buffer[] => {
    const marks = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
    const ends = marks.toSorted((a, b) => a - b);
    return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
  };
  const places = fc.array(fc.nat(), { maxLength: 12 });
  const extension = fc.constantFrom('', ';a', ' ; b=c', ';d="e f"');
  const trailers = fc.constantFrom('', 'x: y\r\n', 'x: y\r\nz: 0\r\n');
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(text, places, places, extension, trailers, (said, chunkPlaces, piecePlaces, mark, after) => {
      const chunks = cut(Buffer.from(said), chunkPlaces).filter(({ length }) => length > 0);
      const sizes = chunks.map(({ length }, index) => length.toString(16).padStart(index % 3, '0'));
      const parts = chunks.flatMap((chunk, index) => [
        Buffer.from(`${String(sizes[index])}${mark}\r\n`),
        chunk,
        Buffer.from('\r\n'),
      ]);
      const wire = Buffer.concat([Buffer.from(CHUNKED), ...parts, Buffer.from(`0${mark}\r\n${after}\r\n`)]);
      const pieces = cut(Buffer.concat([wire, Buffer.from('more')]), piecePlaces);
      const whole = { heads: [chunked], text: Buffer.from(said).toString(), isWhole: true, isKept: true };
      expect(read(...pieces)).toEqual({ ...whole, count: wire.length });
    }),
    { numRuns: 300 },
  );
});

test('what is beyond the end is not taken', () => {
  const first = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const second = `${CHUNKED}0\r\n\r\n`;
  expect([read(first + second).count, read(second + first).count]).toEqual([count(first), count(second)]);
});

test.each<[what: string, response: string, text: string]>([
  ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le', ''],
  ['in the middle of a length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nok', 'ok'],
  ['in a chunk', `${CHUNKED}5\r\nok`, 'ok'],
  ['in a character', `${CHUNKED}5\r\nok\u00c3`, 'ok'],
  ['after a chunk', `${CHUNKED}2\r\nok`, 'ok'],
  ['before the next chunk', `${CHUNKED}2\r\nok\r\n`, 'ok'],
  ['before the last line', `${CHUNKED}2\r\nok\r\n0\r\n`, 'ok'],
  ['in the trailers', `${CHUNKED}2\r\nok\r\n0\r\nx: y\r\n`, 'ok'],
])('a response that stops %s is not whole', (_what, response, text) => {
  const result = read(Buffer.from(response, 'latin1'));
  expect([result.isWhole, result.text, result.problem]).toEqual([false, text, undefined]);
});

test.each<[what: string, body: string]>([
  ['a size that is none', 'x\r\n'],
  ['an empty size', '\r\n'],
  ['a negative size', '-1\r\n'],
  ['an enormous size', '1000000000000\r\n'],
  ['more than the chunk in a chunk', '2\r\nokay\r\n0\r\n\r\n'],
  ['an endless extension', `2;${long(70_000)}`],
  ['an extension that is too long', `2;${long(70_000)}\r\nok\r\n0\r\n\r\n`],
  ['an endless trailer', `0\r\n${'x: y\r\n'.repeat(15_000)}`],
])('%s ends the response before its time', (_what, body) => {
  const { isWhole, heads, problem } = read(CHUNKED + body, '0\r\n\r\n');
  expect({ isWhole, heads, problem }).toEqual({ isWhole: false, heads: [chunked], problem: undefined });
});

test.each<[problem: string, response: string]>([
  ['sent something that is not HTTP: "hello"', 'hello'],
  [
    String.raw`sent something that is not HTTP: "\u0015\u0003\u0001\u0000\u0002"`,
    '\u0015\u0003\u0001\u0000\u0002',
  ],
  ['sent something that is not HTTP: "HTTP/2 200"', 'HTTP/2 200\r\n\r\n'],
  ['sent something that is not HTTP: "no header"', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n'],
  ['sent something that is not HTTP: "HTTP/1.1 101 Switch"', 'HTTP/1.1 101 Switch\r\n\r\n'],
  ['sent more than 64 kB of headers', `HTTP/1.1 200 OK\r\nx: ${long(70_000)}`],
  ['sent more than 64 kB of headers', `HTTP/1.1 200 OK\r\nx: ${long(70_000)}\r\n\r\n`],
])('%s', (problem, response) => {
  for (const pieces of [[response], response.match(/[^]{1,12}/g) ?? []]) {
    const { heads, isWhole, problem: found } = read(...pieces);
    expect({ heads, isWhole, found }).toEqual({ heads: [], isWhole: false, found: problem });
  }
});

test('64 kB of headers are read', () => {
  const { heads, isWhole } = read(`HTTP/1.1 204 OK\r\nx: ${long(65_000)}\r\n\r\n`);
  expect({ heads, isWhole }).toEqual({ heads: [[204, { x: long(65_000) }]], isWhole: true });
});
