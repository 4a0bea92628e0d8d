import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { selfSigned } from './certificate.fixture.ts';
import { connectorAt, failureOf } from '../chat.fixture.ts';
import { post, postTarget, readBody } from './http-post.ts';

let server: Server | undefined;
const sockets = new Set<Socket>();
beforeEach(() => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  if (server?.listening === true) await once(server.close(), 'close');
});

describe.each(['http', 'https'])('%s', (scheme) => {
  async function serve(answer: RequestListener, given: { headers?: Record<string, string> } = {}) {
    const own = scheme === 'http' ? createServer(answer) : createSecureServer(selfSigned(), answer);
    server = own;
    own.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const { port } = own.address() as AddressInfo;
    const connector = connectorAt(`${scheme}://127.0.0.1:${String(port)}`, given);
    const target = postTarget(connector, 'ask');
    const read = (signal = new AbortController().signal) =>
      post<unknown[]>(connector, target, '{"a":"ä"}', signal, (status, { 'x-a': header }, reply) =>
        readBody(1000, (text, isWhole) => reply.resolve([status, header, text, isWhole])),
      );
    return { connector, target, read, port };
  }

  test('sends JSON and reads the answer, over one connection', async () => {
    const requests: unknown[] = [];
    const { read, port } = await serve(
      (request, response) => {
        const { method, url, headers } = request;
        void request.setEncoding('utf8').once('data', (body) => {
          requests.push([method, url, body, headers['content-length'], headers['x-team'], headers.host]);
          response.setHeader('x-a', ['b', 'c']).writeHead(201).end('häß€😀');
        });
      },
      { headers: { 'X-Team': 'Ann' } },
    );
    const answer = [201, 'b, c', 'häß€😀', true];
    expect([await read(), await read()]).toEqual([answer, answer]);
    const sent = ['POST', '/v1/ask', '{"a":"ä"}', '10', 'Ann', `127.0.0.1:${String(port)}`];
    expect(requests).toEqual([sent, sent]);
    expect(sockets.size).toBe(1);
  });

  test('an answer that is cut off is told apart from a whole one', async () => {
    const { read } = await serve((_request, response) => {
      response.write('part', () => setTimeout(() => response.destroy(), 30));
    });
    expect(await read()).toEqual([200, undefined, 'part', false]);
  });

  test('what is beyond the limit is not read', async () => {
    const { connector, target } = await serve((_request, response) => response.end('x'.repeat(5000)));
    const reading = post(connector, target, '{}', new AbortController().signal, (_status, _headers, reply) =>
      readBody(1000, (text, isWhole) =>
        reply.reject(new Error(`${String(text.length > 1000)} ${String(isWhole)}`)),
      ),
    );
    await expect(reading).rejects.toThrow(new Error('true false'));
  });

  test('a header that would end before its time is not sent', async () => {
    let count = 0;
    const { connector, read } = await serve(() => (count += 1), { headers: { 'x-team': 'a\r\nx-other: b' } });
    expect(await failureOf(read(), connector)).toEqual({
      code: 'harness',
      message: 'Invalid character in header content ["x-team"]',
      isFinal: true,
    });
    expect([count, sockets.size]).toEqual([0, 0]);
  });

  test.each(['before', 'after'])(
    'an abort %s the head ends a kept connection, and is the reason',
    async (when) => {
      const controller = new AbortController();
      const reason = new Error('too late');
      let count = 0;
      const { read } = await serve((_request, response) => {
        count += 1;
        if (count !== 2) return void response.end(String(count));
        if (when === 'after') response.write('part');
        setTimeout(() => controller.abort(reason), 30);
      });
      expect(await read()).toEqual([200, undefined, '1', true]);
      expect(await failureOf(read(controller.signal))).toBe(reason);
      await expect.poll(() => sockets.size).toBe(0);
      expect(await failureOf(read(controller.signal))).toBe(reason);
      expect(await read()).toEqual([200, undefined, '3', true]);
    },
  );

  test('a failure that the whole answer says leaves the connection', async () => {
    const { connector, target } = await serve((_request, response) => response.end('no'));
    const ask = () =>
      post(connector, target, '{}', new AbortController().signal, (_status, _headers, reply) =>
        readBody(1000, (text) => reply.reject(new Error(text))),
      );
    const ports: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      await expect(ask()).rejects.toThrow(new Error('no'));
      ports.push(...[...sockets].map(({ remotePort }) => remotePort));
    }
    expect(ports).toEqual([ports[0], ports[0], ports[0]]);
  });

  test('a request on a kept connection that is closed then is sent again', async () => {
    const used = new WeakSet<object>();
    const { read } = await serve((request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.end('ok');
    });
    const answer = [200, undefined, 'ok', true];
    expect([await read(), await read(), await read()]).toEqual([answer, answer, answer]);
  });

  test('a connection is closed on a server that goes on after the answer', async () => {
    const { connector, target } = await serve((_request, response) => void response.write('enough'));
    const answer = post<string>(
      connector,
      target,
      '{}',
      new AbortController().signal,
      (_status, _headers, reply) => ({
        data: (text) => reply.resolve(text),
        end: () => reply.reject(new Error('read to the end')),
      }),
    );
    expect(await answer).toBe('enough');
    expect(sockets.size).toBe(1);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test('a connection is kept when the answer ends soon after its reader has what it wants', async () => {
    const { connector, target } = await serve((_request, response) => {
      response.write('enough');
      setImmediate(() => response.end());
    });
    const ask = () =>
      post<string>(connector, target, '{}', new AbortController().signal, (_status, _headers, reply) => ({
        data: (text) => reply.resolve(text),
        end: () => reply.reject(new Error('read to the end')),
      }));
    const ports: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      expect(await ask()).toBe('enough');
      ports.push([...sockets].map(({ remotePort }) => remotePort));
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(ports[1]).toEqual(ports[0]);
  });
});

test.each<[url: string, hostname: string, port: number, path: string, authorization: string | undefined]>([
  ['http://models.test/v1', 'models.test', 80, '/v1/chat', 'Bearer sk-12345678'],
  ['https://models.test/v1/', 'models.test', 443, '/v1/chat', 'Bearer sk-12345678'],
  ['http://[::1]:8080?a=b', '::1', 8080, '/chat?a=b', 'Bearer sk-12345678'],
])('the target of %s', (url, hostname, port, path, authorization) => {
  const { headers, ...target } = postTarget(connectorAt('', { url }), 'chat');
  const isSecure = url.startsWith('https');
  expect({ ...target, authorization: headers['authorization'] }).toEqual({
    isSecure,
    hostname,
    port,
    path,
    authorization,
  });
});

test('credentials of an address are sent, unless there is a key', () => {
  const { key: _key, ...connector } = connectorAt('', { url: 'http://ann:p%40ss@models.test/v1' });
  const authorization = (key?: string) =>
    postTarget({ ...connector, ...(key !== undefined && { key }) }, 'chat').headers['authorization'];
  const basic = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect([authorization(), authorization('k')]).toEqual([basic, 'Bearer k']);
});
