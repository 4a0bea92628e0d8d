// Drives `assay view` the way its page does: a real server, real requests.

import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { RunEvent } from '../../../src/model/event.ts';
import type { Finished, Running } from './assay.ts';
import { start } from './assay.ts';

export const SUITE = `# Every night.
id: nightly
name: Nightly
tests: [greeting]
variables:
  variables:
    # What most customers speak.
    Language: de # not en
`;

const SLOW = 'export default () => new Promise((done) => setTimeout(() => done("ok"), 300));\n';

/** An application with a suite, and a test whose three cases take a second. */
export const files = {
  'tests/nightly.suite.yml': SUITE,
  'tests/slow.mjs': SLOW,
  'tests/slow.test.json': {
    id: 'slow',
    name: 'Slow',
    type: 'agent-eval',
    agent: './slow.mjs',
    cases: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, input: id })),
  },
};

export type View = Running & {
  cwd: string;
  port: number;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<Got>;
  /** With the token. */
  send(method: string, path: string, body: unknown): Promise<Got>;
  stop(): Promise<Finished>;
};

/** Status and what came, parsed if it is JSON. */
type Got = { status: number; body: unknown };

/** Starts a viewer on any free port. */
export async function view(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<View> {
  const running = start(['view', '--port', '0', '--json', ...args], { cwd, env });
  const line = await new Promise<string>((done, fail) => {
    running.child.stdout?.once('data', (chunk: string) => done(chunk));
    void running.finished.then(({ stderr }) => fail(new Error(stderr)));
  });
  const { port, token } = JSON.parse(line) as { port: number; token: string };
  const ask = async (path: string, init?: RequestInit): Promise<Got> => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
  return {
    ...running,
    cwd,
    port,
    token,
    get: (path, headers = {}) => ask(path, { headers }),
    send: (method, path, body) =>
      ask(path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async stop() {
      running.child.kill('SIGINT');
      return running.finished;
    },
  };
}

type Raw = { status: number; headers: IncomingHttpHeaders; text: string };

/** A request as no browser would send it. */
export function raw(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Raw> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((done, fail) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** The events that packets hold. */
export function eventsIn(packets: string): RunEvent[] {
  return packets
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { events: string })
    .flatMap(({ events }) => gunzipSync(Buffer.from(events, 'base64')).toString().split('\n'))
    .map((line) => JSON.parse(line) as RunEvent);
}
