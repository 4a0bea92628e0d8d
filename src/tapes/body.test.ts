import { expect, test } from 'vitest';
import { bodyPieces, tapedRequestBody, tapedResponseBody } from './body.ts';

const arrived = (...pieces: (string | Uint8Array)[]) =>
  pieces.map((piece, index) => ({ piece, atMs: index * 10 }));
const textOf = (pieces: (string | Uint8Array)[]): string =>
  pieces.map((piece) => Buffer.from(piece as string).toString('latin1')).join('');

const RESPONSES: [name: string, type: string, pieces: (string | Uint8Array)[], taped: unknown][] = [
  ['nothing', 'application/json', [], {}],
  ['compact JSON', 'application/json', ['{"a":[1,2]}'], { json: { a: [1, 2] } }],
  ['JSON in two pieces', 'application/json', ['{"a":', '1}'], { json: { a: 1 } }],
  ['JSON with spaces is kept as it is', 'application/json', ['{ "a": 1 }'], { text: '{ "a": 1 }' }],
  ['numbers that JSON would change', 'application/json', ['{"a":1.0}'], { text: '{"a":1.0}' }],
  ['a JSON text is a text', 'application/json', ['"hello"'], { text: '"hello"' }],
  ['text', 'text/plain', ['hello'], { text: 'hello' }],
  ['text bit by bit', 'text/plain', ['hel', 'lo'], { stream: ['hel', 'lo'], at_ms: [0, 10] }],
  ['bytes', 'image/png', [Uint8Array.from([255, 0])], { base64: '/wA=' }],
  [
    'a character in two pieces',
    'text/plain',
    [Uint8Array.from([0xc3]), Uint8Array.from([0xa4, 0x21])],
    { stream: ['ä!'], at_ms: [10] },
  ],
  [
    'events',
    'text/event-stream',
    ['data: {"a":1}\n\ndata: {"b"', ':2}\n\nevent: end\ndata: [DONE]\n\n'],
    {
      stream: [{ data: { a: 1 } }, { data: { b: 2 } }, { event: 'end', data: '[DONE]' }],
      at_ms: [0, 10, 10],
    },
  ],
  [
    'events that say more, or say it otherwise',
    'text/event-stream',
    [
      'id: 1\ndata: x\n\n',
      'data:y\n\n',
      'data: { "a": 1 }\n\n',
      ': ping\n\n',
      'data: a\ndata: b\n\n',
      'rest',
    ],
    {
      stream: [
        'id: 1\ndata: x\n\n',
        'data:y\n\n',
        { data: '{ "a": 1 }' },
        ': ping\n\n',
        'data: a\ndata: b\n\n',
        'rest',
      ],
      at_ms: [0, 10, 20, 30, 40, 50],
    },
  ],
  [
    'lines',
    'application/x-ndjson',
    ['{"a":1}\n{"b"', ':2}\n'],
    { stream: ['{"a":1}\n', '{"b":2}\n'], at_ms: [0, 10] },
  ],
];

test.each(RESPONSES)('responses: %s', (_name, type, pieces, taped) => {
  const body = tapedResponseBody(arrived(...pieces), type);
  expect(body).toEqual(taped);
  // Whatever it looks like, the same bytes come back.
  expect(textOf(bodyPieces(body))).toBe(textOf(pieces));
});

test('requests: JSON by its meaning, forms without the mark between their parts', () => {
  const form = 'multipart/form-data; boundary=----x42';
  expect([
    tapedRequestBody(undefined, undefined),
    tapedRequestBody('', undefined),
    tapedRequestBody('{ "a": 1 }', undefined),
    tapedRequestBody('a=1', 'application/x-www-form-urlencoded'),
    tapedRequestBody(Buffer.from('------x42\r\nhello\r\n------x42--'), form),
    tapedRequestBody(Uint8Array.from([255]), undefined),
  ]).toEqual([
    {},
    {},
    { json: { a: 1 } },
    { text: 'a=1' },
    { text: '--boundary\r\nhello\r\n--boundary--' },
    { base64: '/w==' },
  ]);
});
