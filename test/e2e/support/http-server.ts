// A real server on loopback that answers as a test asks for, and keeps what it was asked.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Received = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  connection: number;
};

type TestServer = { url: string; received: Received[] };

type Answer = (request: Received, response: ServerResponse, count: number) => void;

/** Serves until the test is over; `count` says how many requests came, this one included. */
export async function serve(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const connection = numbers.get(request.socket) ?? 0;
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString(), connection });
      answer(received[received.length - 1] as Received, response, received.length);
    });
  });
  const numbers = new WeakMap<object, number>();
  server.on('connection', (socket) => numbers.set(socket, (connections += 1)));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, received };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** An address that refuses connections. */
export async function refusingUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${String(port)}`;
}
