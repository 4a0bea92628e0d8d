import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp } from './http.ts';

/** A server on a thread of its own, because the calls under test block this one. It tells what it was sent. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const { authorization, 'content-type': type, 'x-one': one } = headers;
    const body = Buffer.concat(chunks).toString();
    if (url === '/hang') return;
    if (url === '/broken') return request.socket.destroy();
    if (url === '/text') return response.setHeader('content-type', 'text/plain').end('{"a": 1}');
    if (url === '/bad-json') return response.setHeader('content-type', 'application/json').end('{');
    if (url === '/empty') return response.writeHead(204).end();
    if (url === '/refuse') {
      response.writeHead(422, { 'content-type': 'application/problem+json', 'set-cookie': ['a=1', 'b=2'], date: 'never', connection: 'close' });
      return response.end('{"message": "too young"}');
    }
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ method, url, authorization, type, one, body }));
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const root = mkdtempSync(join(tmpdir(), 'assay-http-'));
const http = createHttp({ root, limitMs: 20_000 });
let server: Worker;
let base = '';

/** An address where nobody listens any more. */
async function closedAddress(): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A server that listens on a port has such an address.
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return `127.0.0.1:${String(port)}`;
}

beforeAll(async () => {
  server = new Worker(SERVER, { eval: true });
  const [port] = (await once(server, 'message')) as [number];
  base = `http://127.0.0.1:${String(port)}`;
});
afterAll(async () => {
  await server.terminate();
  rmSync(root, { recursive: true });
});

test('answers when the call returns, with parsed JSON', () => {
  const { headers, ...answer } = http.Get(`${base}/a?x=0`, { x: 1, y: ['2', 3] }, { 'X-One': 'one' });
  expect(answer).toEqual({
    status: 200,
    code: 200,
    data: { method: 'GET', url: '/a?x=0&x=1&y=2&y=3', one: 'one', body: '' },
    message: '',
  });
  expect(headers['Content-Type']).toEqual(['application/json; charset=utf-8']);
});

test('every method sends its payload, query and headers', () => {
  const json = 'application/json; charset=utf-8';
  const query = [['q', '1']];
  const headers = [{ 'X-One': 'h' }];
  const sent = { url: '/a?q=1', type: json, one: 'h', body: '{"a":[1]}' };
  const payload = { a: [1] };
  expect([
    http.Post(`${base}/a`, payload, null, query, headers).data,
    http.Put(`${base}/a`, payload, query, headers).data,
    http.Patch(`${base}/a`, payload, query, headers).data,
    http.Delete(`${base}/a`, payload, query, headers).data,
    http.Send('options', `${base}/a`, payload, query, headers).data,
  ]).toEqual([
    { method: 'POST', ...sent },
    { method: 'PUT', ...sent },
    { method: 'PATCH', ...sent },
    { method: 'DELETE', ...sent },
    { method: 'OPTIONS', ...sent },
  ]);
  const { status, data } = http.Head(`${base}/a`);
  expect({ status, data }).toEqual({ status: 200, data: null });
});

test.each<[string, unknown, unknown, object]>([
  ['text', 'hello', {}, { type: 'text/plain;charset=utf-8', body: 'hello' }],
  [
    'text of a given type',
    '{}',
    { 'content-type': 'application/json' },
    { type: 'application/json', body: '{}' },
  ],
  [
    'a form',
    { a: 'x y', b: [1, 2] },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { type: 'application/x-www-form-urlencoded', body: 'a=x+y&b=1&b=2' },
  ],
  ['nothing', undefined, {}, { body: '' }],
])('a payload may be %s', (_, payload, headers, sent) => {
  const { data } = http.Post(`${base}/a`, payload, undefined, 'q=1&r=2', headers);
  expect({ ...(data as object), type: (data as { type?: string }).type?.replace('; ', ';') }).toEqual({
    method: 'POST',
    url: '/a?q=1&r=2',
    ...sent,
  });
});

test('files are sent as a form, found below the root', () => {
  mkdirSync(join(root, 'data'));
  writeFileSync(join(root, 'data', 'note.txt'), 'the note');
  const parts = (data: unknown): string[] =>
    (data as { body: string }).body
      .split(/--+\S*(?:\r\n)?/)
      .filter((part) => part !== '')
      .map((part) => part.trim().replace(/\r\n/g, '|'));
  const note =
    'Content-Disposition: form-data; name="file"; filename="note.txt"|Content-Type: application/octet-stream||the note';
  const field = 'Content-Disposition: form-data; name="a"||1';
  const multipart = { 'Content-Type': 'multipart/form-data' };
  expect(parts(http.Post(`${base}/a`, { a: 1 }, { file: 'data/note.txt' }).data)).toEqual([field, note]);
  expect(parts(http.Post(`${base}/a`, 'data/note.txt', null, null, multipart).data)).toEqual([note]);
  const files = [{ name: 'file', path: 'note.txt', data: Buffer.from('the note').toString('base64') }];
  expect(parts(http.Send('POST', `${base}/a`, { a: 1 }, null, null, files).data)).toEqual([field, note]);
});

test('a refusal is an answer, with all of its headers', () => {
  expect(http.Get(`${base}/refuse`)).toEqual({
    status: 422,
    code: 422,
    data: { message: 'too young' },
    headers: {
      'Content-Type': ['application/problem+json'],
      'Set-Cookie': ['a=1', 'b=2'],
      Date: ['never'],
      Connection: ['close'],
      'Transfer-Encoding': ['chunked'],
    },
    message: 'too young',
  });
});

test('an answer that is not JSON stays text', () => {
  const answers = ['/text', '/bad-json', '/empty'].map((path) => {
    const { status, data, message } = http.Get(base + path);
    return { status, data, isExplained: message !== '' };
  });
  expect(answers).toEqual([
    { status: 200, data: '{"a": 1}', isExplained: false },
    { status: 200, data: '{', isExplained: true },
    { status: 204, data: null, isExplained: false },
  ]);
});

test('a name and a password in the address become a header', () => {
  const { data } = http.Get(`${base.replace('//', '//ann:p%40ss@')}/a`);
  expect(data).toEqual({
    method: 'GET',
    url: '/a',
    authorization: `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
    body: '',
  });
});

test('without an answer the status is 0 and the message says why', async () => {
  const none = { status: 0, code: 0, data: null, headers: {} };
  const closed = await closedAddress();
  expect(http.Get(`http://${closed}`)).toEqual({ ...none, message: `connect ECONNREFUSED ${closed}` });
  expect(http.Get(`${base}/broken`)).toEqual({ ...none, message: 'other side closed' });
  expect(http.Get('nonsense')).toEqual({ ...none, message: 'Invalid URL' });
  expect(createHttp({ root, limitMs: 50 }).Get(`${base}/hang`)).toEqual({ ...none, message: 'timeout' });
  expect(http.Get(`${base}/a`).status).toBe(200);
});
