// Requests to a server with encryption, which Node sends.

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import type { PostTarget, ResponseListener, Sending } from './http-exchange.ts';
import { isReset } from './http-exchange.ts';

/** Pools connections by address, as many as there are requests at a time. */
let agent: Agent | undefined;

/** Sends a request. Throws if it has a header that must not be sent. */
export function sendSecure(target: PostTarget, body: string, listener: ResponseListener): Sending {
  // Loaded when it is needed, because it takes longer than everything else here.
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
      tell(incoming, listener);
    });
    sent.on('error', (error) => {
      if (isCancelled || response !== undefined) return;
      // The server closed a kept connection at the moment it was used; that says nothing about the server.
      if (sent.reusedSocket && isReset(error)) request = send();
      else listener.fail(error);
    });
    return sent.end(body);
  };
  let request = send();
  return {
    cancel() {
      isCancelled = true;
      // A response that was read to its end leaves a connection that can be used again.
      if (response?.complete !== true) request.destroy();
    },
  };
}

function tell(response: IncomingMessage, listener: ResponseListener): void {
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
