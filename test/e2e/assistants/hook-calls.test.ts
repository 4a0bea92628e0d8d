// What hooks call synchronously through their context: tools, models and other agents.

import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';
import type { Finished } from '../support/assay.ts';
import { env, lastOf, modelServer, openai } from '../support/assistant-files.ts';

const EVERYTHING = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const INPUT = 'assistants/wild/tests/inputs.jsonl';

/** An assistant with only a hook Next, which returns the value of `code`. */
const next = (code: string, cases: unknown[], files: Record<string, unknown> = {}): string =>
  folder({
    'assistants/wild/package.yao': { name: 'Wild' },
    'assistants/wild/src/index.ts': `// @ts-nocheck\nfunction Next(ctx, { messages }) { const input = messages[0].content; return { data: ${code} } }`,
    [INPUT]: cases,
    ...files,
  });
const run = (cwd: string, ...args: string[]): Promise<Finished> =>
  assay(['test', '-i', INPUT, '-o', 'log.jsonl', '--retries', '0', ...args], { cwd, env });
const resultsIn = (cwd: string): ResultEvent[] => readLog(join(cwd, 'log.jsonl')).results;

describe('ctx.mcp', () => {
  const files = {
    'assistants/wild/mcps/all.mcp.yao': {
      transport: 'stdio',
      command: process.execPath,
      arguments: [EVERYTHING, 'stdio'],
    },
    'assistants/wild/mcps/math.mcp.yao': {
      transport: 'process',
      tools: { add: 'agents.wild.tools.Add', fail: 'agents.wild.tools.Fail' },
    },
    'assistants/wild/mcps/mapping/math/schemes/add.in.yao': {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      'x-process-args': ['$args.a', '$args.b'],
    },
    'assistants/wild/src/tools.ts': `// @ts-nocheck
function Add(a, b, ctx) { ctx.memory.chat.Incr("calls"); ctx.Send("adding"); return { sum: a + b } }
function Fail() { throw new Error("no luck") }`,
  };

  test('calls tools of a program and of the assistant, and they are in the transcript', async () => {
    const cwd = next(
      `[
        ctx.mcp.CallTool("agents.wild.all", "echo", { message: input }),
        ctx.mcp.CallTool("agents.wild.math", "add", { a: 1, b: 2 }),
        ctx.mcp.CallTools("math", [{ name: "add", arguments: { a: 1, b: 1 } }, { name: "add", arguments: { a: 2, b: 2 } }]),
        ctx.mcp.CallToolsParallel("math", [{ name: "add", arguments: { a: 3, b: 3 } }]),
        ctx.mcp.All([{ mcp: "math", tool: "add", arguments: { a: 1, b: 0 } }, { mcp: "math", tool: "fail" }]),
        ctx.mcp.Any([{ mcp: "math", tool: "fail" }, { mcp: "math", tool: "add", arguments: { a: 5, b: 0 } }]),
        ctx.memory.chat.Get("calls"),
      ]`,
      [
        {
          id: 'a',
          input: 'hi',
          assert: [
            { type: 'tool_called', value: 'echo' },
            { type: 'tool_result', value: { name: 'add', result: { sum: 3 } } },
          ],
        },
      ],
      files,
    );
    const { exitCode } = await run(cwd);
    const [result] = resultsIn(cwd);
    expect([exitCode, result?.output]).toEqual([
      0,
      [
        'Echo: hi',
        { sum: 3 },
        [{ sum: 2 }, { sum: 4 }],
        [{ sum: 6 }],
        [
          { mcp: 'math', tool: 'add', result: { sum: 1 } },
          { mcp: 'math', tool: 'fail', error: 'agents.wild.math, fail: no luck' },
        ],
        [{ mcp: 'math', tool: 'add', result: { sum: 5 } }],
        6,
      ],
    ]);
    const calls = (result?.tool_calls ?? []).map(({ name, arguments: args, error }) => [name, args, error]);
    expect(calls.slice(0, 2)).toEqual([
      ['agents_wild_all__echo', { message: 'hi' }, undefined],
      ['agents_wild_math__add', { a: 1, b: 2 }, undefined],
    ]);
    expect([
      calls.length,
      (result?.sent_messages ?? []).map(({ id, props }) => [id, props['content']]),
    ]).toEqual([9, [1, 2, 3, 4, 5, 6].map((count) => [`M${String(count)}`, 'adding'])]);
  });

  test('lists and reads what a server has', async () => {
    const cwd = next(
      `[
        ctx.mcp.ListTools("math").tools.map((one) => one.name),
        ctx.mcp.ListTools("agents.wild.all").tools.some((one) => one.name === "echo" && one.inputSchema.type === "object"),
        ctx.mcp.ListPrompts("all").prompts.length > 0,
        ctx.mcp.GetPrompt("all", ctx.mcp.ListPrompts("all").prompts[0].name).messages.length > 0,
        ctx.mcp.ReadResource("all", ctx.mcp.ListResources("all").resources[0].uri).contents.length,
        ctx.mcp.ListResources("math"),
      ]`,
      [{ id: 'a', input: 'x' }],
      files,
    );
    const { exitCode } = await run(cwd);
    expect([exitCode, resultsIn(cwd)[0]?.output]).toEqual([
      0,
      [['add', 'fail'], true, true, true, 1, { resources: [] }],
    ]);
  });

  test('what goes wrong names the member', async () => {
    const calls = [
      'ctx.mcp.CallTool("math", "fail")',
      'ctx.mcp.CallTool("math", "ad")',
      'ctx.mcp.CallTool("maths", "add")',
      'ctx.mcp.CallTol("math", "add")',
      'ctx.mcp.CallTool("gone", "x")',
    ];
    const cwd = next(
      'eval(input)',
      calls.map((input) => ({ id: input, input })),
      {
        ...files,
        'mcps/gone.mcp.yao': { transport: 'stdio', command: 'sh', arguments: ['-c', 'exit 3'] },
      },
    );
    await run(cwd);
    const ends = endsIn(join(cwd, 'log.jsonl'));
    expect(calls.map((call) => ends[call])).toEqual([
      expect.stringMatching(/^error \| agent \| ctx\.mcp\.CallTool: agents\.wild\.math, fail: no luck/),
      expect.stringMatching(/^error \| agent \| ctx\.mcp\.CallTool: .*no tool "ad"; did you mean "add"\?/),
      expect.stringMatching(
        /^error \| agent \| ctx\.mcp\.CallTool: no tool server "maths".*known tool servers: /,
      ),
      expect.stringMatching(/^error \| agent \| ctx\.mcp\.CallTol does not exist; did you mean "CallTool"\?/),
      expect.stringMatching(/^error \| connection \| ctx\.mcp\.CallTool: tool server gone/),
    ]);
  });
});

describe('ctx.llm', () => {
  test('asks models, hears their pieces, and is counted', async () => {
    const server = await modelServer((request) => `you said ${lastOf(request)}`);
    const cwd = next(
      `(() => {
        const pieces = [];
        const one = ctx.llm.Stream("small", [{ role: "user", content: input }], { temperature: 0.5, onChunk: (chunk) => pieces.push(chunk) });
        const all = ctx.llm.All([{ connector: "small", messages: [{ role: "user", content: "a" }] }, { connector: "down", messages: "b" }]);
        return [one.connector, one.content, one.response.content, pieces.map((piece) => piece.props.content).join(""), pieces[0].type,
          all.map(({ content, error }) => [content, typeof error])];
      })()`,
      [{ id: 'a', input: 'hi' }],
      {
        'connectors/small.conn.yao': openai(server.url),
        'connectors/down.conn.yao': openai('http://127.0.0.1:9'),
      },
    );
    const { exitCode } = await run(cwd);
    const [result] = resultsIn(cwd);
    expect([exitCode, result?.output]).toEqual([
      0,
      [
        'small',
        'you said hi',
        'you said hi',
        'you said hi',
        'text',
        [
          ['you said a', 'undefined'],
          [null, 'string'],
        ],
      ],
    ]);
    expect([server.requests[0]?.body['temperature'], (result?.usage?.input_tokens ?? 0) > 0]).toEqual([
      0.5,
      true,
    ]);
    expect(result?.cost_usd).toBeGreaterThan(0);
    expect(result?.logs?.join('\n')).toContain('ctx.llm.All: ');
    expect(JSON.stringify(result)).not.toContain(env.SHOP_KEY);
  });

  test('a listener that throws ends the call, and the next one is not disturbed', async () => {
    const server = await modelServer((request) => `you said ${lastOf(request)}`);
    const cwd = next(
      `(() => {
        try { ctx.llm.Stream("small", "first", { onChunk: () => { throw new Error("enough") } }) } catch (error) { ctx.Send(error.message) }
        const pieces = [];
        ctx.llm.Stream("small", "second", { onChunk: (chunk) => pieces.push(chunk.props.content) });
        return pieces.join("");
      })()`,
      [{ id: 'a', input: 'x', assert: { type: 'equals', of: 'messages', value: 'enough' } }],
      { 'connectors/small.conn.yao': openai(server.url) },
    );
    const { exitCode } = await run(cwd);
    expect([exitCode, resultsIn(cwd)[0]?.output]).toEqual([0, 'you said second']);
  });

  test('a failure that the hook passes on is no failure of the agent', async () => {
    const cwd = next(
      `(() => { const { error, content } = ctx.llm.Stream("down", "x"); if (error) throw new Error(error); return content })()`,
      [{ id: 'a', input: 'x' }],
      { 'connectors/down.conn.yao': openai('http://127.0.0.1:9') },
    );
    const { exitCode } = await run(cwd);
    expect([exitCode, endsIn(join(cwd, 'log.jsonl'))['a']]).toEqual([
      3,
      expect.stringMatching(/^error \| connection \| ctx\.llm\.Stream: /),
    ]);
  });

  test('an unknown connector or option is an error that names it', async () => {
    const server = await modelServer(() => 'ok');
    const calls = ['ctx.llm.Stream("smal", "x")', 'ctx.llm.Stream("small", "x", { temprature: 1 })'];
    const cwd = next(
      'eval(input)',
      calls.map((input) => ({ id: input, input })),
      { 'connectors/small.conn.yao': openai(server.url) },
    );
    await run(cwd);
    const ends = endsIn(join(cwd, 'log.jsonl'));
    expect(calls.map((call) => ends[call])).toEqual([
      expect.stringMatching(/^error \| harness \| ctx\.llm\.Stream: .*smal/),
      expect.stringMatching(/^error \| agent \| ctx\.llm\.Stream: a model has no option "temprature"/),
    ]);
  });
});

describe('ctx.agent', () => {
  test('calls other agents with the memory of the case', async () => {
    const server = await modelServer((request) => `model: ${lastOf(request)}`);
    const cwd = next(
      `(() => {
        ctx.memory.user.Set("name", "Eve");
        ctx.Send("first");
        const chunks = [];
        const helper = ctx.agent.Call("helper", [{ role: "user", content: input }], { metadata: { k: 1 }, onChunk: (chunk) => chunks.push(chunk.props.content) });
        const quiet = ctx.agent.Call("helper", [{ role: "user", content: "q" }], { skip: { output: true, trace: true } });
        const chat = ctx.agent.Call("chat", [{ role: "user", content: "x" }]);
        const heard = [];
        const all = ctx.agent.All([{ agent: "helper", messages: [{ role: "user", content: "a" }] }, { agent: "broken", messages: "b" }],
          { onChunk: (id, index, message) => heard.push([id, index, message.props.content]) });
        return { helper, chunks, quiet: quiet.response.next, chat: chat.content, all: all.map(({ agent_id, error }) => [agent_id, error]), heard,
          seen: ctx.memory.user.Get("seen") };
      })()`,
      [{ id: 'a', input: 'hi' }],
      {
        'assistants/helper/package.yao': { name: 'Helper' },
        'assistants/helper/src/index.ts': `// @ts-nocheck
function Next(ctx, { messages }) {
  ctx.memory.user.Incr("seen");
  ctx.Send("about " + messages[0].content);
  ctx.trace.Info("helping");
  return { data: { name: ctx.memory.user.Get("name"), k: ctx.metadata.k, id: ctx.assistant_id } };
}`,
        'assistants/broken/package.yao': { name: 'Broken' },
        'assistants/broken/src/index.ts':
          '// @ts-nocheck\nfunction Next() { throw new Error("out of order") }',
        'assistants/chat/package.yao': { connector: 'small' },
        'assistants/chat/prompts.yml': '- role: system\n  content: Be brief.\n',
        'connectors/small.conn.yao': openai(server.url),
      },
    );
    const { exitCode } = await run(cwd);
    const [result] = resultsIn(cwd);
    const answer = { name: 'Eve', k: 1, id: 'helper' };
    expect([exitCode, result?.output]).toEqual([
      0,
      {
        helper: {
          agent_id: 'helper',
          content: JSON.stringify(answer),
          response: {
            assistant_id: 'helper',
            chat_id: expect.any(String) as string,
            completion: { role: 'assistant', content: JSON.stringify(answer) },
            next: answer,
          },
        },
        chunks: ['about hi'],
        quiet: { name: 'Eve', id: 'helper' },
        chat: 'model: x',
        all: [
          ['helper', null],
          ['broken', 'out of order'],
        ],
        heard: [['helper', 0, 'about a']],
        seen: 3,
      },
    ]);
    expect(result?.sent_messages?.map(({ id, props }) => [id, props['content']])).toEqual([
      ['M1', 'first'],
      ['M2', 'about hi'],
      ['M4', 'about a'],
    ]);
    expect(result?.trace).toEqual([
      {
        label: 'helper',
        type: 'agent',
        status: 'completed',
        children: [{ level: 'info', message: 'helping' }],
      },
      {
        label: 'helper',
        type: 'agent',
        status: 'completed',
        children: [{ level: 'info', message: 'helping' }],
      },
    ]);
    expect((result?.usage?.input_tokens ?? 0) > 0).toBe(true);
  });

  test('agents that call each other in a circle, and unknown ones, are errors', async () => {
    const cwd = next(
      'input === "self" ? ctx.agent.Call("wild", "self") : ctx.agent.Call("helpr", "x")',
      [
        { id: 'self', input: 'self' },
        { id: 'unknown', input: 'x' },
      ],
      {
        'assistants/helper/package.yao': { name: 'Helper' },
        'assistants/helper/src/index.ts': 'function Next() { return { data: 1 } }',
      },
    );
    await run(cwd);
    expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
      self: expect.stringMatching(
        /^error \| agent \| ctx\.agent\.Call: delegation in a circle: wild → wild/,
      ) as string,
      unknown: expect.stringMatching(
        /^error \| harness \| ctx\.agent\.Call: no agent "helpr".*did you mean helper/,
      ) as string,
    });
  });
});

test('a call that hangs is a timeout of its case, and of no other', async () => {
  const cwd = next(
    'input === "hang" ? ctx.mcp.CallTool("math", "hang") : ctx.mcp.CallTool("math", "ok")',
    [
      { id: 'hang', input: 'hang', timeout: '1s' },
      { id: 'ok', input: 'x' },
    ],
    {
      'assistants/wild/mcps/math.mcp.yao': {
        transport: 'process',
        tools: { hang: 'agents.wild.tools.Hang', ok: 'agents.wild.tools.Ok' },
      },
      'assistants/wild/src/tools.ts':
        '// @ts-nocheck\nfunction Hang() { return new Promise(() => {}) }\nasync function Ok() { return 1 }',
    },
  );
  const { exitCode } = await run(cwd);
  expect([exitCode, endsIn(join(cwd, 'log.jsonl'))]).toEqual([
    1,
    { hang: expect.stringMatching(/^timeout/) as string, ok: 'passed' },
  ]);
});

test('calls are recorded and replayed, with their pieces', async () => {
  const server = await modelServer((request) => `you said ${lastOf(request)}`);
  const cwd = next(
    `(() => { const pieces = []; const { content } = ctx.llm.Stream("small", input, { onChunk: (one) => pieces.push(one.props.content) });
       return [content, pieces.join(""), ctx.mcp.CallTool("math", "now").length > 0, ctx.memory.chat.Get("n")] })()`,
    [{ id: 'a', input: 'hi', assert: { type: 'tool_called', value: 'now' } }],
    {
      'connectors/small.conn.yao': openai(server.url),
      'assistants/wild/mcps/math.mcp.yao': { transport: 'process', tools: { now: 'agents.wild.tools.Now' } },
      'assistants/wild/src/tools.ts':
        '// @ts-nocheck\nfunction Now(args, ctx) { ctx.memory.chat.Set("n", 7); return String(Date.now()) }',
    },
  );
  const recorded = await run(cwd, '--record', 'tapes');
  const [first] = resultsIn(cwd);
  await server.close();
  const replayed = await run(cwd, '--replay', 'tapes');
  const [second] = resultsIn(cwd);
  expect([recorded.exitCode, replayed.exitCode, first?.output]).toEqual([
    0,
    0,
    ['you said hi', 'you said hi', true, 7],
  ]);
  expect([second?.output, second?.tool_calls, second?.usage]).toEqual([
    first?.output,
    first?.tool_calls,
    first?.usage,
  ]);
});
