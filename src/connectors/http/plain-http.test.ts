import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import type { PostTarget, Sending } from './http-exchange.ts';
import { sendPlain } from './plain-http.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

type Asked = { socket: Socket; body: string; ofConnection: number };

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await once(server.close(), 'close');
});

async function listen(server: Server, host = '127.0.0.1'): Promise<PostTarget> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { isSecure: false, hostname: host, port, path: '/', headers: {} };
}

/** A server that is told of whole requests and writes what it likes; counts what it sees. */
async function serve(answer: (asked: Asked) => void, host?: string) {
  const seen = { connections: 0, requests: 0 };
  const server = createServer((socket) => {
    seen.connections += 1;
    let text = '';
    let ofConnection = 0;
    socket.on('data', (piece) => {
      text += String(piece);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      if (body.length < Number(/content-length: (\d+)/.exec(head)?.[1] ?? Infinity)) return;
      text = '';
      seen.requests += 1;
      ofConnection += 1;
      answer({ socket, body, ofConnection });
    });
  });
  return { seen, target: await listen(server, host) };
}

/** Sends a request and returns what is heard of it. */
function send(target: PostTarget, body = '{}', started?: (sending: Sending) => void): Promise<unknown[]> {
  return new Promise((resolve) => {
    let text = '';
    let status = 0;
    const sending = sendPlain(target, body, {
      head: (given) => (status = given),
      data: (piece) => (text += piece),
      wait: () => undefined,
      end: (isComplete) => resolve([status, text, isComplete ? 'whole' : 'cut off']),
      fail: (error) => resolve(['code' in error ? error.code : error.message]),
    });
    started?.(sending);
  });
}

const ok = [200, 'ok', 'whole'];

test('speaks with a real server, both ways of any length', async () => {
  const server = createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      if (request.url === '/length') response.setHeader('content-length', body.length);
      response.write(body.subarray(0, 10));
      response.end(body.subarray(10));
    });
  });
  const target = await listen(server);
  for (const path of ['/length', '/chunks']) {
    for (const body of ['', 'ä', 'häß€😀'.repeat(300_000)])
      expect(await send({ ...target, path }, body)).toEqual([200, body, 'whole']);
  }
  expect(sockets.size).toBe(1);
});

test('reads a response wherever the wire splits it', async () => {
  const text = 'häß€😀';
  const body = Buffer.from(text);
  const size = body.length.toString(16);
  const wire = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${size};x\r\n`),
    body,
    Buffer.from('\r\n0\r\nx: y\r\n\r\n'),
  ]);
  const { seen, target } = await serve(({ socket, body: place }) => {
    socket.setNoDelay(true);
    socket.write(wire.subarray(0, Number(place)), () =>
      setImmediate(() => socket.write(wire.subarray(Number(place)))),
    );
  });
  for (let place = 1; place < wire.length; place += 1)
    expect(await send(target, String(place))).toEqual([200, text, 'whole']);
  expect(seen).toEqual({ connections: 1, requests: wire.length - 1 });
});

test('there are as many connections as requests at a time, and they are used again', async () => {
  const { seen, target } = await serve(({ socket }) => setTimeout(() => socket.write(OK), 20));
  const other = { ...target, path: '/other' };
  for (let round = 0; round < 3; round += 1)
    expect(await Promise.all([send(target), send(other), send(target)])).toEqual([ok, ok, ok]);
  expect(seen).toEqual({ connections: 3, requests: 9 });
});

test.each<[what: string, response: string, ends: boolean]>([
  ['is to be closed', OK.replace('\r\n', '\r\nconnection: close\r\n'), false],
  ['is of an old server', OK.replace('1.1', '1.0'), false],
  ['ends the response', 'HTTP/1.1 200 OK\r\n\r\nok', true],
  ['carries more than the response', `${OK}HTTP/1.1 200 OK`, false],
])('a connection that %s is not used again', async (_what, response, ends) => {
  const { seen, target } = await serve(({ socket }) =>
    ends ? socket.end(response) : socket.write(response),
  );
  expect([await send(target), await send(target)]).toEqual([ok, ok]);
  expect(seen).toEqual({ connections: 2, requests: 2 });
  await expect.poll(() => sockets.size).toBe(0);
});

test.each<[what: string, act: (socket: Socket) => void]>([
  ['is closed', (socket) => void socket.end()],
  ['is reset', (socket) => void socket.resetAndDestroy()],
  ['says something', (socket) => void socket.write('HTTP/1.1 408 Too late\r\n\r\n')],
])('a connection that %s while nobody uses it is forgotten', async (_what, act) => {
  const { seen, target } = await serve(({ socket }) => socket.write(OK));
  expect(await send(target)).toEqual(ok);
  for (const socket of sockets) act(socket);
  await expect.poll(() => sockets.size).toBe(0);
  expect(await send(target)).toEqual(ok);
  expect(seen).toEqual({ connections: 2, requests: 2 });
});

test('a request on a kept connection that is closed then is sent once more, on a new one', async () => {
  let isOver = false;
  const { seen, target } = await serve(({ socket, ofConnection }) => {
    if (isOver || ofConnection > 1) socket.destroy();
    else setTimeout(() => socket.write(OK), 20);
  });
  await Promise.all([send(target), send(target), send(target)]);
  expect(await send(target)).toEqual(ok);
  expect(seen).toEqual({ connections: 4, requests: 5 });
  isOver = true;
  expect(await send(target)).toEqual(['ECONNRESET']);
  expect(seen).toEqual({ connections: 5, requests: 7 });
});

test.each<[what: string, begin: string, heard: unknown[]]>([
  ['in the head', 'HTTP/1.1 200 OK\r\n', ['ECONNRESET']],
  ['in the body', OK.slice(0, -1), [200, 'o', 'cut off']],
])('a request is not sent again after an answer has begun, and ended %s', async (_what, begin, heard) => {
  const { seen, target } = await serve(({ socket, ofConnection }) =>
    ofConnection > 1 ? socket.end(begin) : socket.write(OK),
  );
  expect([await send(target), await send(target)]).toEqual([ok, heard]);
  expect(seen).toEqual({ connections: 1, requests: 2 });
});

test('a reset does not end a body that has no other end', async () => {
  const { target } = await serve(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\nok', () => setTimeout(() => socket.resetAndDestroy(), 50));
  });
  expect(await send(target)).toEqual([200, 'ok', 'cut off']);
});

test('what is no HTTP ends the connection', async () => {
  const { target } = await serve(({ socket }) => socket.write('hello'));
  expect(await send(target)).toEqual(['sent something that is not HTTP: "hello"']);
  await expect.poll(() => sockets.size).toBe(0);
});

test.each<[what: string, begin: string]>([
  ['before the answer', ''],
  ['in the middle of it', OK.slice(0, -1)],
])(
  'a request that is cancelled %s is not heard of again, and its connection is closed',
  async (_what, begin) => {
    const { seen, target } = await serve(({ socket, ofConnection }) => {
      socket.write(ofConnection === 1 ? OK : begin, () => {
        if (ofConnection === 2) setTimeout(() => sending?.cancel(), 20);
      });
    });
    let sending: Sending | undefined;
    let isHeardOf = false;
    expect(await send(target)).toEqual(ok);
    void send(target, '{}', (started) => (sending = started)).then(() => (isHeardOf = true));
    await expect.poll(() => seen.requests).toBe(2);
    await expect.poll(() => sockets.size).toBe(0);
    sending?.cancel();
    expect([isHeardOf, seen]).toEqual([false, { connections: 1, requests: 2 }]);
  },
);

test('cancelling what is over does not end the connection', async () => {
  const { seen, target } = await serve(({ socket }) => socket.write(OK));
  let sending: Sending | undefined;
  await send(target, '{}', (started) => (sending = started));
  sending?.cancel();
  const next = send(target);
  sending?.cancel();
  expect(await next).toEqual(ok);
  expect(seen).toEqual({ connections: 1, requests: 2 });
});

test('an answer to half a request is heard, and its connection is not used again', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write(OK.replace('200 OK', '413 Too long'));
    });
  });
  const target = await listen(server);
  expect(await send(target, 'x'.repeat(50_000_000))).toEqual([413, 'ok', 'whole']);
  for (const socket of sockets) socket.resume();
  await expect.poll(() => sockets.size).toBe(0);
});

test('finds a server by its name', async () => {
  const { target } = await serve(({ socket }) => socket.write(OK));
  expect(await send({ ...target, hostname: 'localhost' })).toEqual(ok);
});

const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
  list.map(({ address }) => address),
);

test.skipIf(!addresses.includes('::1'))('finds a server at an address of IPv6', async () => {
  const { target } = await serve(({ socket }) => socket.write(OK), '::1');
  expect(await send(target)).toEqual(ok);
});

test('nobody there', async () => {
  const target = await listen(createServer());
  servers.pop()?.close();
  expect(await send(target)).toEqual(['ECONNREFUSED']);
});

test('only connections that are used keep the process alive', async () => {
  const active = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  // What earlier tests leave behind is closing.
  await expect.poll(active).toBe(0);
  let during = 0;
  const { target } = await serve(({ socket }) => {
    socket.unref();
    during = active();
    socket.write(OK);
  });
  const counts: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await send(target);
    counts.push(during, active());
  }
  expect(counts).toEqual([1, 0, 1, 0, 1, 0]);
});
