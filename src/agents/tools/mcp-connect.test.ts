import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createMcpHandler, McpServer as NewestServer } from '@modelcontextprotocol/server';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { contextWith } from '../../model/context.fixture.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import type { Toolbox } from './toolbox.ts';
import { openToolbox } from './toolbox.ts';
import { until } from '../../../test/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-mcp-connect-'));
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true });
});

const load = createRequire(import.meta.url);
const everything = join(
  dirname(load.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const context = contextWith({ assistant_id: 'calc' });
const never = new AbortController().signal;
const toolOf = (server: string, tool: string) => ({ name: '', server, tool, parameters: {} });

const call = (toolbox: Toolbox, server: string, tool: string, args: unknown) =>
  toolbox.call(toolOf(server, tool), args, { root: folder, context, signal: never });

const programOf = (id: string, args: string[]): ToolServer => ({
  id,
  transport: 'stdio',
  command: process.execPath,
  arguments: args,
  env: {},
  cwd: folder,
});

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

/** A server of this process; returns its address. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts the reference server and waits until it listens. */
async function startEverything(mode: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, mode], { env, stdio: 'ignore' });
  ends.push(() => child.kill('SIGKILL'));
  const base = `http://127.0.0.1:${String(port)}`;
  await until(() =>
    fetch(`${base}/nothing`).then(
      () => true,
      () => false,
    ),
  );
  return { url: mode === 'sse' ? `${base}/sse` : `${base}/mcp`, child };
}

/** A conversation with the reference server, which is the same in every transport. */
async function talkTo(toolbox: Toolbox, server: string) {
  const ask = (tool: string, args: unknown) => call(toolbox, server, tool, args);
  const tools = await toolbox.tools(never);
  const image = await ask('get-tiny-image', {});
  return {
    tool: tools.find(({ tool }) => tool === 'echo'),
    text: await ask('echo', { message: 'hello' }),
    structured: await ask('get-structured-content', { location: 'Chicago' }),
    parts: (image.result as { type: string }[]).map(({ type }) => type),
    badArguments: await ask('get-sum', { a: 'x' }),
    unknown: await ask('nothing', {}),
    notAnObjectMessage: await ask('echo', 'text'),
  };
}

const conversation = (server: string) => ({
  tool: {
    name: `${server.replaceAll('.', '_')}__echo`,
    server,
    tool: 'echo',
    description: 'Echoes back the input string',
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    },
  },
  text: { result: 'Echo: hello' },
  structured: { result: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 } },
  parts: ['text', 'image', 'text'],
  badArguments: { error: expect.stringContaining('Invalid arguments for tool get-sum') as string },
  unknown: { error: expect.stringContaining('Tool nothing not found') as string },
  notAnObjectMessage: { error: 'invalid arguments: must be an object, as JSON, not "text"' },
});

test('talks to a program', async () => {
  const id = 'agents.calc.everything';
  const server = programOf(id, [everything, 'stdio']);
  expect(await talkTo(openToolbox([server]), id)).toEqual(conversation(id));
});

test('talks to a server over HTTP, and again after it was gone', async () => {
  const { url, child } = await startEverything('streamableHttp');
  const toolbox = openToolbox([{ id: 'everything', transport: 'http', url, headers: {} }]);
  expect(await talkTo(toolbox, 'everything')).toEqual(conversation('everything'));

  const slow = call(toolbox, 'everything', 'trigger-long-running-operation', { duration: 60 });
  // The call is probably under way by then; if it is not, it fails in the same way.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGKILL');
  // Whether the connection was already noticed to be broken is a matter of chance.
  const gone = /^tool server everything: (?:connect ECONNREFUSED|other side closed|read ECONNRESET)/;
  for (const work of [() => slow, () => toolbox.tools(never)]) {
    expect(await failureOf(work())).toEqual({
      code: 'connection',
      message: expect.stringMatching(gone) as string,
    });
  }

  const again = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: new URL(url).port },
    stdio: 'ignore',
  });
  ends.push(() => again.kill('SIGKILL'));
  await expect.poll(() => failureOf(toolbox.tools(never)), { timeout: 20_000 }).toBeInstanceOf(Array);
});

test('talks to a server that knows only the older way over HTTP', async () => {
  const { url, child } = await startEverything('sse');
  const toolbox = openToolbox([{ id: 'old', transport: 'http', url, headers: {} }]);
  expect(await talkTo(toolbox, 'old')).toEqual(conversation('old'));
  const slow = call(toolbox, 'old', 'trigger-long-running-operation', { duration: 60 });
  // The call is probably under way by then; if it is not, it fails in the same way.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGKILL');
  expect(await failureOf(slow)).toMatchObject({ code: 'connection' });
});

test('talks to a program that knows only the newest protocol', async () => {
  const file = join(folder, 'newest.cjs');
  const source = `
    const { McpServer } = require(${JSON.stringify(load.resolve('@modelcontextprotocol/server'))});
    const { serveStdio } = require(${JSON.stringify(load.resolve('@modelcontextprotocol/server/stdio'))});
    serveStdio(() => {
      const server = new McpServer({ name: 'new', version: '1.0.0' }, { capabilities: { tools: {} } });
      server.registerTool('one', {}, () => ({ content: [{ type: 'text', text: 'newest' }] }));
      return server;
    }, { legacy: 'reject' });`;
  writeFileSync(file, source);
  const toolbox = openToolbox([programOf('agents.calc.newest', [file])]);
  expect((await toolbox.tools(never)).map(({ tool }) => tool)).toEqual(['one']);
  expect(await call(toolbox, 'agents.calc.newest', 'one', {})).toEqual({ result: 'newest' });
});

test('talks to a server over HTTP that knows only the newest protocol', async () => {
  const handler = createMcpHandler(
    () => {
      const server = new NewestServer({ name: 'new', version: '1.0.0' }, { capabilities: { tools: {} } });
      server.registerTool('one', {}, () => ({ content: [{ type: 'text', text: '[1, 2]' }] }));
      return server;
    },
    { legacy: 'reject' },
  );
  const host = await listen((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request;
      const init = { method, headers: headers as Record<string, string> };
      const body = method === 'POST' ? { body: await text(request) } : {};
      const answer = await handler.fetch(new Request(`http://127.0.0.1${url}`, { ...init, ...body }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  const url = `http://${host}/mcp`;
  const toolbox = openToolbox([{ id: 'newest', transport: 'http', url, headers: {} }]);
  expect((await toolbox.tools(never)).map(({ name }) => name)).toEqual(['newest__one']);
  expect(await call(toolbox, 'newest', 'one', {})).toEqual({ result: [1, 2] });
});

test('says what a server over HTTP refuses with', async () => {
  const statuses = [401, 429, 404, 503];
  const host = await listen((request, response) => {
    const status = Number((request.url ?? '').slice(1));
    const who = request.headers.authorization ?? 'nobody';
    response.writeHead(status).end(`because of ${String(status)}, ${who}`);
  });
  const failures = await Promise.all(
    statuses.map((status) => {
      const url = `http://me:secret@${host}/${String(status)}`;
      return failureOf(openToolbox([{ id: 'no', transport: 'http', url, headers: {} }]).tools(never));
    }),
  );
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  expect(failures).toEqual(
    ['auth', 'rate_limit', 'connection', 'connection'].map((code, index) => {
      const status = String(statuses[index]);
      return { code, message: `tool server no: answered ${status}: because of ${status}, ${basic}` };
    }),
  );
});

test('begins a new session if the server has forgotten the old one', async () => {
  let session = 1;
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
    },
    'tools/call': { content: [{ type: 'text', text: 'here' }] },
  };
  const host = await listen((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(await text(request)) as { id?: number; method: string };
      const isKnown = request.headers['mcp-session-id'] === String(session);
      if (method !== 'initialize' && !isKnown) return response.writeHead(404).end('no such session');
      if (id === undefined) return response.writeHead(202).end();
      const headers = { 'content-type': 'application/json', 'mcp-session-id': String(session) };
      return response
        .writeHead(200, headers)
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
    })();
  });
  const toolbox = openToolbox([{ id: 'short', transport: 'http', url: `http://${host}/mcp`, headers: {} }]);
  expect(await call(toolbox, 'short', 'one', {})).toEqual({ result: 'here' });
  session = 2;
  expect(await failureOf(call(toolbox, 'short', 'one', {}))).toEqual({
    code: 'connection',
    message: 'tool server short: answered 404: no such session',
  });
  expect(await call(toolbox, 'short', 'one', {})).toEqual({ result: 'here' });
});
