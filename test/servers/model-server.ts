// A model on loopback that says what a test wants: chat completions, embeddings, Anthropic's and Google's messages.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf, typeOf } from './model-wire.ts';

/** A request as it arrived; the body is parsed. */
export type ModelRequest = {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
};

/** What the model says, or how it fails. */
export type ModelAnswer = {
  text?: string;
  tool_calls?: { name: string; arguments: unknown; id?: string }[];
  usage?: { input: number; output: number };
  finish_reason?: string;
  /** Anything but 200 is an error, with `body` as it is or else `{"error": {"message": text}}`. */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is, instead of an answer. */
  body?: string;
  /** The connection is cut after so many bytes. */
  cut_after?: number;
  /** The answer is sent in pieces of `drip_bytes` (1), one every so many milliseconds. */
  drip_ms?: number;
  drip_bytes?: number;
  /** Nothing is ever answered. */
  hang?: true;
};

export type ModelServerOptions = {
  /** What to say to a request, the how-manieth it is (from 1). Echoes the last message by default. */
  answer?: (request: ModelRequest, count: number) => ModelAnswer | string;
  /** How long every answer takes. */
  latency_ms?: number;
};

export type ModelServer = {
  /** The host of a connector: `http://127.0.0.1:1234`. */
  url: string;
  requests: ModelRequest[];
  /** How many requests are under way. */
  active(): number;
  /** How many were under way at the same time, at most. */
  busiest(): number;
  /** How many connections were made. */
  connections(): number;
  close(): Promise<void>;
};

/** Starts a model on a free port of loopback. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { answer = echo, latency_ms: latency = 0 } = options;
  const requests: ModelRequest[] = [];
  let active = 0;
  let busiest = 0;
  let connections = 0;
  const server = createServer((incoming, response) => {
    active += 1;
    busiest = Math.max(busiest, active);
    response.on('close', () => (active -= 1));
    readBody(incoming, (body) => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      requests.push(request);
      const given = answer(request, requests.length);
      const said = typeof given === 'string' ? { text: given } : given;
      if (latency === 0) reply(request, said, response);
      else setTimeout(() => reply(request, said, response), latency);
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    active: () => active,
    busiest: () => busiest,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readBody(incoming: IncomingMessage, done: (body: Record<string, unknown>) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    done(text === '' ? {} : (JSON.parse(text) as Record<string, unknown>));
  });
}

function echo({ body }: ModelRequest): string {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as { content: unknown }[]) : [];
  const last = messages.at(-1)?.content;
  return typeof last === 'string' ? last : JSON.stringify(last ?? '');
}

function reply(request: ModelRequest, said: ModelAnswer, response: ServerResponse): void {
  if (said.hang === true) return;
  const status = said.status ?? 200;
  const error = JSON.stringify({ error: { message: said.text ?? 'no reason given' } });
  if (status !== 200) return send(response, status, 'application/json', said.body ?? error, said);
  send(response, status, typeOf(request), said.body ?? bodyOf(request, said), said);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  { headers, cut_after: cut, drip_ms: drip, drip_bytes: size = 1 }: ModelAnswer,
): void {
  response.writeHead(status, { 'content-type': type, ...headers });
  const bytes = Buffer.from(body);
  if (drip !== undefined) return dripOut(response, bytes.subarray(0, cut), size, drip, cut !== undefined);
  if (cut === undefined) return void response.end(bytes);
  response.write(bytes.subarray(0, cut), () => response.destroy());
}

function dripOut(response: ServerResponse, bytes: Buffer, size: number, ms: number, isCut: boolean): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) return void response.write(bytes.subarray(sent, (sent += size)));
    clearInterval(timer);
    if (isCut) response.destroy();
    else response.end();
  }, ms);
  response.on('close', () => clearInterval(timer));
}
