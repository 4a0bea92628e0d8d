// Answers of an A2A server, for tests.

import type { ServerResponse } from 'node:http';

export type Answer = (response: ServerResponse, rpc: { method: string; id: number }) => void;

export const text = (body: string, status = 200, headers = {}): Answer => {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};
export const json = (value: unknown, status = 200, headers = {}): Answer =>
  text(JSON.stringify(value), status, headers);
export const result =
  (value: unknown): Answer =>
  (response, { id }) =>
    json({ jsonrpc: '2.0', id, result: value })(response, { method: '', id });
export const rpcError =
  (code: number, message: string, status = 200): Answer =>
  (response, { id }) =>
    json({ jsonrpc: '2.0', id, error: { code, message } }, status)(response, { method: '', id });
export const events =
  (...results: unknown[]): Answer =>
  (response, { id }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const value of results)
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: value })}\n\n`);
  };
export const silent: Answer = () => undefined;
