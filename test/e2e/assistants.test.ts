// Assistants as they are in production: prompts, models over the wire, tools, hooks, delegation.

import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelAnswer, ModelRequest, ModelServer } from '../servers/model-server.ts';
import { startModelServer } from '../servers/model-server.ts';
import { assay, endsIn, folder, outputsIn, readLog } from './assay.ts';

async function modelServer(
  answer: (request: ModelRequest, count: number) => ModelAnswer | string,
): Promise<ModelServer> {
  const server = await startModelServer({ answer });
  onTestFinished(() => server.close());
  return server;
}

const openai = (url: string, options = {}): unknown => ({
  type: 'openai',
  options: { model: 'gpt-4o', key: '$ENV.SHOP_KEY', host: url, ...options },
});

/** An assistant `chat` with one prompt, on a connector `small`. */
const chat = (connector: unknown, cases: unknown[]): Record<string, unknown> => ({
  'assistants/chat/package.yao': { connector: 'small', options: { temperature: 0 } },
  'assistants/chat/prompts.yml': '- role: system\n  content: Be brief with $CTX.USER_ID.\n',
  'assistants/chat/tests/inputs.jsonl': cases,
  'connectors/small.conn.yao': connector,
});

const INPUT = 'assistants/chat/tests/inputs.jsonl';
const env = { SHOP_KEY: 'sk-very-secret-1' };
const run = (cwd: string, ...args: string[]) =>
  assay(['test', '-i', INPUT, '-o', 'log.jsonl', ...args], { cwd, env });

const lastOf = ({ body }: ModelRequest): string => {
  const messages = body['messages'] as { content: string }[];
  return messages.at(-1)?.content ?? '';
};

describe('a model over chat completions', () => {
  test('gets prompts and messages, and its usage, price and first token are known', async () => {
    const server = await modelServer(() => ({ text: 'Hi Ann', usage: { input: 1000, output: 100 } }));
    const cwd = folder(
      chat(openai(server.url), [{ id: 'a', input: 'Hello', user: 'ann', expected: 'Hi Ann' }]),
    );
    const { exitCode, stdout } = await run(cwd);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect(result).toMatchObject({
      status: 'passed',
      output: 'Hi Ann',
      usage: { input_tokens: 1000, output_tokens: 100 },
      cost_usd: 0.0035,
      tool_calls: [],
    });
    expect(result?.first_token_ms).toBeGreaterThanOrEqual(0);
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers.authorization).toBe('Bearer sk-very-secret-1');
    expect(request?.body).toMatchObject({
      model: 'gpt-4o',
      temperature: 0,
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief with ann.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  test('a host that ends in a slash takes the path as it is; an unknown price is null', async () => {
    const server = await modelServer(() => 'ok');
    const cwd = folder(
      chat({ type: 'openai', options: { model: 'my-model', host: `${server.url}/api/` } }, [
        { id: 'a', input: 'x' },
      ]),
    );
    expect((await run(cwd)).exitCode).toBe(0);
    expect(server.requests[0]?.path).toBe('/api/chat/completions');
    expect(readLog(join(cwd, 'log.jsonl')).results[0]?.cost_usd).toBe(null);
  });

  test('what fails for a while is waited out and tried again', async () => {
    const failures: ModelAnswer[] = [
      { status: 429, headers: { 'retry-after': '0.1' }, text: 'slow down' },
      { status: 500, text: 'oops' },
      { text: 'cut in the middle', cut_after: 60 },
    ];
    const server = await modelServer(
      (_request, count) => failures[count - 1] ?? { text: 'Grüße', drip_ms: 1 },
    );
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x', expected: 'Grüße' }]));
    expect((await run(cwd)).exitCode).toBe(0);
    expect(server.requests).toHaveLength(4);
    const [result] = readLog(join(cwd, 'log.jsonl')).results;
    expect(result?.logs).toHaveLength(3);
  });

  test.each([
    ['a server that only fails', { status: 500, text: 'oops' }, /^error \| connection \| .*500.*oops/, 3],
    [
      'a connection that is always cut',
      { text: 'long answer', cut_after: 30 },
      /^error \| connection \| .*cut/,
      3,
    ],
    [
      'too many requests for ever',
      { status: 429, headers: { 'retry-after': '0' } },
      /^error \| rate_limit \| /,
      3,
    ],
    [
      'a wrong key',
      { status: 401, text: 'bad key sk-very-secret-1' },
      /^error \| auth \| .*bad key \*\*\*/,
      3,
    ],
    [
      'a model that is not there',
      { status: 404, text: 'no such model' },
      /^error \| protocol \| .*no such model/,
      3,
    ],
    [
      'a page instead of an answer',
      { body: '<html>', headers: { 'content-type': 'text/html' } },
      /^error \| protocol/,
      3,
    ],
  ] satisfies [string, ModelAnswer, RegExp, number][])(
    '%s could not be measured: exit 3',
    async (_, answer, end, code) => {
      const server = await modelServer(() => answer);
      const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
      const { exitCode } = await run(cwd, '--retries', '1', '--timeout', '3s');
      expect([exitCode, endsIn(join(cwd, 'log.jsonl'))['a']]).toEqual([code, expect.stringMatching(end)]);
    },
  );

  test('a model that hangs is a timeout', async () => {
    const server = await modelServer(() => ({ hang: true }));
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
    expect((await run(cwd, '--timeout', '300ms')).exitCode).toBe(1);
    expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ a: 'timeout | timeout after 300ms' });
  });

  test('the key is nowhere in what is written', async () => {
    const server = await modelServer((request) => `your key is ${request.headers.authorization ?? ''}`);
    const cwd = folder(chat(openai(server.url), [{ id: 'a', input: 'x' }]));
    const { stdout, stderr } = await run(cwd, '-v', '-o', 'report.json');
    const { readFileSync } = await import('node:fs');
    const all =
      stdout +
      stderr +
      readFileSync(join(cwd, 'log.jsonl'), 'utf8') +
      readFileSync(join(cwd, 'report.json'), 'utf8');
    expect(all).toContain('your key is Bearer ***');
    expect(all).not.toContain('sk-very-secret-1');
  });

  test('-c wins over the case, the case over package.yao', async () => {
    const server = await modelServer(({ body }) => String(body['model']));
    const cwd = folder({
      ...chat(openai(server.url), [
        { id: 'own', input: 'x' },
        { id: 'case', input: 'x', options: { connector: 'team.large' } },
      ]),
      'connectors/team/large.conn.yao': openai(server.url, { model: 'large' }),
      'connectors/team/huge-1.5.conn.yao': openai(server.url, { model: 'huge' }),
    });
    await run(cwd);
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ own: 'gpt-4o', case: 'large' });
    await run(cwd, '-c', 'team.huge-1.5');
    expect(outputsIn(join(cwd, 'log.jsonl'))).toEqual({ own: 'huge', case: 'huge' });
  });
});

test('a model over Anthropic’s messages, with tools', async () => {
  const server = await modelServer((request, count) =>
    count === 1
      ? {
          tool_calls: [{ name: 'agents_chat_math__add', arguments: { a: 1, b: 2 } }],
          usage: { input: 10, output: 5 },
        }
      : {
          text: `tools said ${JSON.stringify(request.body['messages']).includes('"sum') ? 'sum' : 'nothing'}`,
          usage: { input: 20, output: 5 },
        },
  );
  const connector = {
    type: 'anthropic',
    options: { model: 'claude-sonnet-4-5', key: '$ENV.SHOP_KEY', host: server.url },
  };
  const cwd = folder({
    ...chat(connector, [
      {
        id: 'a',
        input: '1 + 2?',
        assert: { type: 'trajectory', value: [{ name: 'add', arguments: { a: 1, b: 2 } }] },
      },
    ]),
    'assistants/chat/package.yao': { connector: 'small', mcp: { servers: ['agents.chat.math'] } },
    'assistants/chat/mcps/math.mcp.yao': { transport: 'process', tools: { add: 'agents.chat.tools.Add' } },
    'assistants/chat/src/tools.ts': 'function Add({ a, b }) { return { sum: a + b }; }',
  });
  expect((await run(cwd)).exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).results[0]).toMatchObject({
    output: 'tools said sum',
    usage: { input_tokens: 30, output_tokens: 10 },
    cost_usd: 0.00024,
    tool_calls: [{ name: 'agents_chat_math__add', arguments: { a: 1, b: 2 }, result: { sum: 3 } }],
  });
});

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

describe('assistants from the wild', () => {
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
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8')).not.toContain('sk-very-secret-1');
  });
});

describe('what is wrong is told before anything runs', () => {
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

describe('judged by an agent', () => {
  const judged = (assert: Record<string, unknown>): unknown[] => [
    { id: 'a', input: 'x', assert: { type: 'agent', value: 'is kind', ...assert } },
  ];

  test('the built-in judge on a connector says yes, no, or nonsense', async () => {
    const opinions = [
      '{"passed": true, "score": 0.9, "reason": "warm"}',
      '{"passed": false, "reason": "cold"}',
      'I would say so',
    ];
    let asked = 0;
    const server = await modelServer((request) => {
      if (!JSON.stringify(request.body).includes('You judge the answer')) return 'hello';
      asked += 1;
      return opinions[asked - 1] ?? '';
    });
    const cwd = folder(chat(openai(server.url), judged({ connector: 'small' })));
    expect((await run(cwd)).exitCode).toBe(0);
    expect(readLog(join(cwd, 'log.jsonl')).results[0]?.verdicts).toEqual(
      [
        {
          type: 'agent',
          status: 'passed',
          score: 0.9,
          reason: 'warm',
          cost_usd: null,
          usage: expect.anything() as unknown,
        },
      ].map(({ usage: _usage, cost_usd: _cost, ...verdict }) => expect.objectContaining(verdict) as unknown),
    );
    expect((await run(cwd)).exitCode).toBe(1);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^failed \| .*cold/);
    expect((await run(cwd)).exitCode).toBe(3);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| .*I would say so/);
  });

  test('a judge that cannot be reached is an error, not a failure', async () => {
    const server = await modelServer(() => 'hello');
    const cwd = folder({
      ...chat(openai(server.url), judged({ use: 'agents:judge' })),
      'assistants/judge/package.yao': { connector: 'dead' },
      'assistants/judge/prompts.yml': '- {role: system, content: Judge.}',
      'connectors/dead.conn.yao': { type: 'openai', options: { model: 'm', host: 'http://127.0.0.1:1' } },
    });
    expect((await run(cwd, '--retries', '0')).exitCode).toBe(3);
    expect(endsIn(join(cwd, 'log.jsonl'))['a']).toMatch(/^error \| judge \| /);
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
