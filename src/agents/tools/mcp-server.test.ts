import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { contextWith } from '../../model/context.fixture.ts';
import type { ToolServer } from '../../model/tool-server.ts';
import { McpServer } from './mcp-server.ts';
import type { Toolbox } from './toolbox.ts';
import { openToolbox } from './toolbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-mcp-server-'));
afterAll(() => rmSync(folder, { recursive: true }));

const context = contextWith({ assistant_id: 'calc' });
const never = new AbortController().signal;

/** A server in a few lines: tools/list in pages of one, tools/call by `answers`. It ends with its stdin. */
const SERVER = `
const tools = ['one', 'two', 'three'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  ping: () => ({}),
  'tools/list': ({ cursor = '0' } = {}) => {
    const next = Number(cursor) + 1;
    return { tools: [tools[Number(cursor)]], ...(next < tools.length && { nextCursor: String(next) }) };
  },
  'tools/call': ({ name, arguments: args }) => {
    if (args.die) { console.error('first line\\nout of memory\\n'); process.exit(3); }
    if (args.kill) process.kill(process.pid, 'SIGKILL');
    if (args.hang) return undefined;
    if (args.block) for (;;);
    if (args.refuse) throw { code: args.refuse, message: 'not today' };
    if (args.garbage) { console.log('debug: thinking'); return { content: 'nonsense' }; }
    return { content: [{ type: 'text', text: JSON.stringify({ name, pid: process.pid, word: process.env.WORD }) }] };
  },
};
console.log('Welcome to this server!');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  try {
    const result = answers[method](params);
    if (result !== undefined) say({ id, result });
  } catch (error) {
    say({ id, error });
  }
}).on('close', () => process.exit(0));
`;

function program(name: string, text: string, id = `agents.calc.${name}`): ToolServer {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, text);
  return {
    id,
    transport: 'stdio',
    command: process.execPath,
    arguments: [file],
    env: { WORD: 'word' },
    cwd: folder,
  };
}

const toolOf = (server: string, tool: string) => ({ name: '', server, tool, parameters: {} });
const call = (toolbox: Toolbox, server: string, args: unknown, signal = never) =>
  toolbox.call(toolOf(server, 'one'), args, { root: folder, context, signal });

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

test('reads all pages, decodes JSON text, and uses one program for everyone', async () => {
  const server = program('pages', SERVER);
  const boxes = [openToolbox([server]), openToolbox([{ ...server, only: ['two'] }])];
  const lists = await Promise.all(boxes.map((box) => box.tools(never)));
  expect(lists.map((tools) => tools.map(({ tool }) => tool))).toEqual([['one', 'two', 'three'], ['two']]);
  const answers = await Promise.all(boxes.map((box) => call(box, server.id, {})));
  expect(answers[0]).toEqual({ result: { name: 'one', pid: expect.any(Number) as number, word: 'word' } });
  expect(answers[1]).toEqual(answers[0]);
});

test('says how a program ended during a call, and starts a new one', async () => {
  const { id } = program('dies', SERVER);
  const toolbox = openToolbox([program('dies', SERVER)]);
  const before = await call(toolbox, id, {});
  const waiting = failureOf(call(toolbox, id, { hang: true }));
  const gone = { code: 'connection', message: `tool server ${id}: exited with code 3: out of memory` };
  expect(await failureOf(call(toolbox, id, { die: true }))).toEqual(gone);
  expect(await waiting).toEqual(gone);
  const after = await call(toolbox, id, {});
  expect(after).toEqual({ result: { name: 'one', pid: expect.any(Number) as number, word: 'word' } });
  expect(after).not.toEqual(before);
  expect(await failureOf(call(toolbox, id, { kill: true }))).toEqual({
    code: 'connection',
    message: `tool server ${id}: was ended by SIGKILL`,
  });
});

test('says why a program cannot be started, and tries again', async () => {
  const server = program('broken', "console.error('cannot find the database'); process.exit(1)");
  const toolbox = openToolbox([server]);
  const gone = {
    code: 'connection',
    message:
      'tool server agents.calc.broken: exited with code 1: cannot find the database; ' +
      'if it needs an environment variable, name it in its file: "env": {"TOKEN": "$ENV.TOKEN"}',
  };
  expect(await failureOf(toolbox.tools(never))).toEqual(gone);
  expect(await failureOf(call(toolbox, server.id, {}))).toEqual(gone);
  program('broken', SERVER);
  expect((await toolbox.tools(never)).length).toBe(3);

  const missing: ToolServer = {
    ...program('missing', ''),
    transport: 'stdio',
    command: '/nowhere/program',
  } as never;
  expect(await failureOf(openToolbox([missing]).tools(never))).toEqual({
    code: 'connection',
    message: 'tool server agents.calc.missing: cannot start /nowhere/program: spawn /nowhere/program ENOENT',
  });
});

test('an error of the server is an answer, whatever its code', async () => {
  const server = program('refuses', SERVER);
  const toolbox = openToolbox([server]);
  const first = await call(toolbox, server.id, {});
  expect(await call(toolbox, server.id, { refuse: -32602 })).toEqual({ error: 'not today' });
  expect(await call(toolbox, server.id, { refuse: 404 })).toEqual({ error: 'not today' });
  expect(await call(toolbox, server.id, {})).toEqual(first);
});

test('an answer that is none cannot be measured', async () => {
  const server = program('nonsense', SERVER);
  const failure = await failureOf(call(openToolbox([server]), server.id, { garbage: true }));
  expect(failure).toMatchObject({ code: 'connection' });
  expect((failure as Error).message).toMatch(
    /^tool server agents.calc.nonsense: Invalid result for tools\/call/,
  );
});

test('a program that prints anything but messages is no tool server', async () => {
  const loud = openToolbox([program('loud', "setInterval(() => console.log('hello\\n'.repeat(50)), 1)")]);
  expect(await failureOf(loud.tools(never))).toEqual({
    code: 'connection',
    message: 'tool server agents.calc.loud: does not speak MCP, it printed: hello',
  });
  const quiet = program(
    'quiet',
    "console.log('hello'); process.stdin.on('end', () => process.exit()).resume()",
  );
  if (quiet.transport === 'process') throw new Error('it is a program');
  expect(await failureOf(new McpServer(quiet, { connectMs: 2000 }).tools(never))).toEqual({
    code: 'connection',
    message: 'tool server agents.calc.quiet: did not answer within 2 s; it printed: hello',
  });
});

test('a call that is aborted ends at once and leaves the server to the others', async () => {
  const server = program('hangs', SERVER);
  const toolbox = openToolbox([server]);
  const first = await call(toolbox, server.id, {});
  const controller = new AbortController();
  const reason = new Error('deadline');
  const hanging = call(toolbox, server.id, { hang: true }, controller.signal);
  const other = call(toolbox, server.id, {});
  controller.abort(reason);
  await expect(hanging).rejects.toBe(reason);
  expect(await other).toEqual(first);
  expect(await call(toolbox, server.id, {})).toEqual(first);
});

test('a server that does not answer any more after a call was aborted is started again', async () => {
  const server = program('blocks', SERVER);
  const toolbox = openToolbox([server]);
  const first = await call(toolbox, server.id, {});
  const controller = new AbortController();
  const reason = new Error('deadline');
  const blocked = call(toolbox, server.id, { block: true }, controller.signal);
  setTimeout(() => controller.abort(reason), 50);
  await expect(blocked).rejects.toBe(reason);
  const [one, two] = await Promise.all([call(toolbox, server.id, {}), call(toolbox, server.id, {})]);
  expect(one).toEqual({ result: { name: 'one', pid: expect.any(Number) as number, word: 'word' } });
  expect([one, two]).toEqual([two, one]);
  expect(one).not.toEqual(first);
});

test('whoever waits for a connection may give up without breaking it', async () => {
  const server = program('slow', `setTimeout(() => {${SERVER}}, 300)`);
  const toolbox = openToolbox([server]);
  const controller = new AbortController();
  const reason = new Error('deadline');
  const hasty = toolbox.tools(controller.signal);
  const hastyCall = call(toolbox, server.id, {}, controller.signal);
  const patient = toolbox.tools(never);
  controller.abort(reason);
  await Promise.all([expect(hasty).rejects.toBe(reason), expect(hastyCall).rejects.toBe(reason)]);
  expect((await patient).length).toBe(3);
});
