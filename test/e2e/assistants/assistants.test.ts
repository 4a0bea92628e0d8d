// Assistants as they are in production: tools, hooks, delegation, judges, conversations.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import { chat, env, INPUT, lastOf, modelServer, openai, run } from '../support/assistant-files.ts';

describe('tools of MCP servers', () => {
  const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

  test('the server "everything" over stdio', async () => {
    const server = await modelServer((request) => {
      const tools = (request.body['tools'] ?? []) as { function: { name: string } }[];
      const echo = tools.find(({ function: { name } }) => name === 'agents_chat_all__echo');
      if (lastOf(request) === 'say hi' && echo !== undefined) {
        return { tool_calls: [{ name: echo.function.name, arguments: { message: 'hi' } }] };
      }
      return `the tool said: ${lastOf(request)}`;
    });
    const cwd = folder({
      ...chat(openai(server.url), [
        {
          id: 'a',
          input: 'say hi',
          assert: { type: 'tool_result', value: { name: 'echo', result: 'Echo: hi' } },
        },
      ]),
      'assistants/chat/package.yao': {
        connector: 'small',
        mcp: { servers: [{ server_id: 'agents.chat.all', tools: ['echo'] }] },
      },
      'assistants/chat/mcps/all.mcp.yao': {
        transport: 'stdio',
        command: process.execPath,
        arguments: [EVERYTHING, 'stdio'],
      },
    });
    const { exitCode, stdout } = await run(cwd);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ a: 'the tool said: Echo: hi' });
  });

  test('a server gets no keys of the user, but what its file names', async () => {
    const server = await modelServer((request, count) => {
      const tools = (request.body['tools'] ?? []) as { function: { name: string } }[];
      const name = tools[0]?.function.name ?? '';
      return count === 1 ? { tool_calls: [{ name, arguments: {} }] } : lastOf(request);
    });
    const cwd = folder({
      ...chat(openai(server.url), [{ id: 'a', input: 'x' }]),
      '.env': 'DOTENV_SECRET=hidden\n',
      'assistants/chat/package.yao': {
        connector: 'small',
        mcp: { servers: [{ server_id: 'agents.chat.all', tools: ['get-env'] }] },
      },
      'assistants/chat/mcps/all.mcp.yao': {
        transport: 'stdio',
        command: process.execPath,
        arguments: [EVERYTHING, 'stdio'],
        env: { NAMED: '$ENV.DOTENV_SECRET', DEPTH: 3 },
      },
    });
    const { exitCode } = await run(cwd);
    const seen = outputsIn(join(cwd, 'log.jsonl'))['a'];
    const names = Object.keys(JSON.parse(String(seen)) as object).toSorted();
    expect([exitCode, names]).toEqual([0, ['ASSAY_RUN_MARK', 'DEPTH', 'HOME', 'NAMED', 'PATH']]);
  });

  test('a server that lacks a variable says which one its file has to name', async () => {
    const server = await modelServer(() => 'never');
    const cwd = folder({
      ...chat(openai(server.url), [{ id: 'a', input: 'x' }]),
      'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.bad'] } },
      'assistants/chat/mcps/bad.mcp.yao': {
        transport: 'stdio',
        command: 'sh',
        arguments: ['-c', 'echo SHOP_KEY "${SHOP_KEY-is not set}" >&2; exit 1'],
      },
    });
    expect((await run(cwd, '--retries', '0')).exitCode).toBe(3);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toBe(
      'error | connection | tool server agents.chat.bad: exited with code 1: SHOP_KEY is not set; ' +
        'it was not given SHOP_KEY: name it in its file, "env": {"SHOP_KEY": "$ENV.SHOP_KEY"}',
    );
  });

  test('a server that dies is an error of the attempt, with its last words', async () => {
    const server = await modelServer(() => 'never');
    const cwd = folder({
      ...chat(openai(server.url), [{ id: 'a', input: 'x' }]),
      'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.bad'] } },
      'assistants/chat/mcps/bad.mcp.yao': {
        transport: 'stdio',
        command: 'sh',
        arguments: ['-c', 'echo no database >&2; exit 3'],
      },
    });
    expect((await run(cwd, '--retries', '0')).exitCode).toBe(3);
    const end = endsIn(join(cwd, 'log.jsonl'))['a'];
    expect(end).toMatch(/^error \| connection \| tool server agents\.chat\.bad: .*code 3.*no database/);
    expect(server.requests).toEqual([]);
  });
});

describe('assistants written for the original runtime', () => {
  test('hooks with the globals of their runtime', async () => {
    const server = await modelServer(() => ({
      body: '{"name": "loopback"}',
      headers: { 'content-type': 'application/json' },
    }));
    const cwd = folder({
      'assistants/wild/package.yao':
        '// comments are fine\n{ "name": "Wild", "type": "assistant", "tags": ["x"], "automated": true }',
      'assistants/wild/src/index.ts': `// @ts-nocheck
import { agent } from "@yao/runtime";
function Create(ctx: agent.Context, messages: agent.Message[]): agent.Create {
  log.Info("asked by %v", ctx.User.ID);
  ctx.memory.context.Set("sum", Process("scripts.math.Add", 1, 2));
  return { metadata: { from: "create" } };
}
function Next(ctx, payload) {
  const answer = http.Get(${JSON.stringify(server.url)} + "/hello");
  return { data: {
    json: Process("text.ExtractJSON", "Sure: {\\"a\\": 1}"),
    sum: ctx.memory.context.Get("sum"),
    own: Process("agents.wild.helpers.Twice", 4),
    status: answer.status, name: answer.data.name, from: ctx.metadata.from,
  } };
}`,
      'assistants/wild/src/helpers.ts': 'function Twice(n: number) { return 2 * n; }',
      'scripts/math.ts': 'function Add(a: number, b: number) { return a + b; }',
      'cases.jsonl': [
        { id: 'a', input: 'x' },
        { id: 'b', input: 'x' },
      ],
    });
    const { exitCode, stdout, stderr } = await assay(
      ['test', '-i', 'cases.jsonl', '-n', 'wild', '-o', 'log.jsonl', '--parallel', '4'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain('2 passed');
    const { results } = readLog(join(cwd, 'log.jsonl'));
    expect(results[0]?.output).toEqual({
      json: { a: 1 },
      sum: 3,
      own: 8,
      status: 200,
      name: 'loopback',
      from: 'create',
    });
    expect(results[0]?.logs).toEqual(['[info] asked by test-user']);
  });

  test('one delegates to another, whose model answers', async () => {
    const server = await modelServer((request) => `expert: ${lastOf(request)}`);
    const cwd = folder({
      ...chat(openai(server.url), [{ id: 'a', input: 'help', expected: 'expert: help' }]),
      'assistants/router/package.yao': {},
      'assistants/router/src/index.ts': 'function Next() { return { delegate: { agent_id: "chat" } }; }',
    });
    const { exitCode } = await run(cwd, '-n', 'router');
    expect(exitCode).toBe(0);
    // The secret of the agent that was found on the way is kept as well.
    expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8')).not.toContain('sk-very-secret-1');
  });
});

describe('problems are reported before anything runs', () => {
  async function problems(files: Record<string, unknown>, ...args: string[]): Promise<string> {
    const cwd = folder({ ...chat(openai('http://127.0.0.1:9'), [{ id: 'a', input: 'x' }]), ...files });
    const { exitCode, stderr } = await assay(['test', '-i', INPUT, '-o', 'log.jsonl', ...args], { cwd, env });
    expect(exitCode).toBe(2);
    return stderr;
  }

  test.each([
    [
      'broken YAML',
      { 'assistants/chat/prompts.yml': '- role: system\n  content: a: b\n' },
      [],
      'assistants/chat/prompts.yml:2: invalid YAML',
    ],
    [
      'an unknown connector',
      { 'assistants/chat/package.yao': { connector: 'smal' } },
      [],
      'no connector "smal"',
    ],
    ['an unknown connector of -c', {}, ['-c', 'smalll'], 'did you mean small?'],
    [
      'an unknown connector of a case',
      { [INPUT]: [{ id: 'a', input: 'x', options: { connector: 'smale' } }] },
      [],
      `${INPUT}:1: no connector "smale"`,
    ],
    [
      'no connector',
      { 'assistants/chat/package.yao': {} },
      [],
      'assistant chat has prompts or tools but no connector to a model',
    ],
    [
      'a missing key',
      { 'connectors/small.conn.yao': { type: 'openai', options: { model: 'm', key: '$ENV.NO_SUCH_KEY' } } },
      [],
      'environment variable NO_SUCH_KEY is not set',
    ],
    [
      'a tool schema that is none',
      {
        'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.t'] } },
        'assistants/chat/mcps/t.mcp.yao': { transport: 'process', tools: { add: 'agents.chat.tools.Add' } },
        'assistants/chat/mcps/mapping/t/schemes/add.in.yao':
          '{\n  "type": "object",\n  "properties": {"a": {"type": "nummer"}}\n}',
        'assistants/chat/src/tools.ts': 'function Add() {}',
      },
      [],
      'assistants/chat/mcps/mapping/t/schemes/add.in.yao:1: is not JSON Schema',
    ],
    [
      'a connector without embeddings',
      {
        'connectors/own.conn.yao': { type: 'module', options: { file: 'model.mjs' } },
        'connectors/model.mjs': 'export default () => "x";',
        [INPUT]: [{ id: 'a', input: 'x', assert: { type: 'similar', value: 'v', connector: 'own' } }],
      },
      [],
      `${INPUT}:1: connector "own" is of type module, which has no embeddings`,
    ],
    [
      'an unknown judge',
      { [INPUT]: [{ id: 'a', input: 'x', assert: { type: 'agent', use: 'agents:chet', value: 'v' } }] },
      [],
      `${INPUT}:1: no agent "agents:chet"`,
    ],
    [
      'an unknown hook',
      { [INPUT]: [{ id: 'a', input: 'x', before: 'env_test.Before' }] },
      [],
      'env_test.Before',
    ],
  ])('%s', async (_, files, args, message) => {
    expect(await problems(files, ...args)).toContain(message);
  });
});

test('a conversation that times out keeps what was said', async () => {
  const server = await modelServer((_request, count) => (count === 1 ? 'first answer' : { hang: true }));
  const cwd = folder(chat(openai(server.url), [{ id: 'a', turns: [{ input: 'one' }, { input: 'two' }] }]));
  expect((await run(cwd, '--timeout', '700ms')).exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).results[0]).toMatchObject({
    status: 'timeout',
    turns: 2,
    messages: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first answer' },
      { role: 'user', content: 'two' },
    ],
  });
});

test.each([
  [
    'a YAML bomb',
    '- role: system\n  content: x\n' + bomb(),
    /^assistants\/chat\/prompts\.yml: invalid YAML: .*alias/m,
  ],
])('%s is told with its file', async (_, prompts, message) => {
  const cwd = folder({
    ...chat(openai('http://127.0.0.1:9'), [{ id: 'a', input: 'x' }]),
    'assistants/chat/prompts.yml': prompts,
  });
  const { exitCode, stderr } = await assay(['test', '-i', INPUT], { cwd, env });
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
});

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, index) =>
    index === 0 ? '- &a0 [x, x, x, x, x, x, x, x, x]' : `- &a${index} [${`*a${index - 1}, `.repeat(9)}]`,
  );
  return `${levels.join('\n')}\n`;
}
