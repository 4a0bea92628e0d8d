// HTTPS requests, sent by node:https.

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import type { PostTarget, ResponseListener, Sending } from './http-exchange.ts';
import { isReset } from './http-exchange.ts';

/** Pools connections by address, without a limit. */
let agent: Agent | undefined;

/** Sends a request. Throws if a header is invalid. */
export function sendSecure(target: PostTarget, body: string, listener: ResponseListener): Sending {
  // Loaded on demand, because it is slow to load.
  const https = process.getBuiltinModule('node:https');
  agent ??= new https.Agent({ keepAlive: true, maxFreeSockets: Number.MAX_SAFE_INTEGER });
  const { hostname, port, path } = target;
  const headers = { ...target.headers, 'content-length': Buffer.byteLength(body) };
  const options = { method: 'POST', hostname, port, path, headers, agent };
  let isCancelled = false;
  let response: IncomingMessage | undefined;
  const send = (): ClientRequest => {
    const sent = https.request(options, (incoming) => {
      response = incoming;
      forward(incoming, listener);
    });
    sent.on('error', (error) => {
      if (isCancelled || response !== undefined) return;
      // The server closed an idle connection just as it was reused: send again on a new one.
      if (sent.reusedSocket && isReset(error)) request = send();
      else listener.fail(error);
    });
    return sent.end(body);
  };
  let request = send();
  return {
    cancel() {
      isCancelled = true;
      // After a complete response the connection can be reused.
      if (response?.complete !== true) request.destroy();
    },
  };
}

function forward(response: IncomingMessage, listener: ResponseListener): void {
  listener.head(response.statusCode ?? 0, response.headers);
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    listener.data(piece);
    listener.wait();
  });
  response.on('end', () => listener.end(response.complete));
  response.on('error', () => listener.end(false));
  response.on('close', () => listener.end(response.complete));
}
