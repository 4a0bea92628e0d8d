// The context of hooks: messages to the user, memories, the trace, and what Create may return.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, endsIn, folder, outputsIn, readLog } from '../support/assay.ts';
import type { Finished } from '../support/assay.ts';
import { chat, modelServer, openai, run } from '../support/assistant-files.ts';

/** An assistant with only hooks. */
const hooks = (code: string, cases: unknown[]): string =>
  folder({
    'assistants/wild/package.yao': { name: 'Wild' },
    'assistants/wild/src/index.ts': `// @ts-nocheck\n${code}`,
    'assistants/wild/tests/inputs.jsonl': cases,
  });
const runHooks = (cwd: string, ...args: string[]): Promise<Finished> =>
  assay(['test', '-i', 'assistants/wild/tests/inputs.jsonl', '-o', 'log.jsonl', ...args], { cwd });
const resultsIn = (cwd: string): ResultEvent[] => readLog(join(cwd, 'log.jsonl')).results;

describe('messages to the user', () => {
  const CODE = `
function Create(ctx, messages) {
  const id = ctx.SendStream("Looking for ");
  ctx.Append(id, messages[0].content);
  ctx.End(id);
  ctx.Send({ type: "table", props: { rows: [{ city: "Rome" }] } }, ctx.BlockID());
}
function Next(ctx) { ctx.trace.Add({ q: 1 }, { label: "Search" }).Complete("found"); return { data: "done" }; }`;

  test('are in the result, can be judged, and are shown in reports', async () => {
    const cwd = hooks(CODE, [
      {
        id: 'a',
        input: 'cities',
        assert: [
          { type: 'equals', value: 'done' },
          { type: 'equals', of: 'messages', value: 'Looking for cities' },
          { type: 'contains', of: 'messages', value: 'cities' },
          { type: 'not_contains', of: 'messages', value: 'done' },
          { type: 'regex', of: 'messages', value: '^Looking' },
          { type: 'json_path', of: 'messages', path: '$[1].props.rows[0].city', value: 'Rome' },
          { type: 'schema', of: 'messages', value: { type: 'array', minItems: 2, maxItems: 2 } },
        ],
      },
      { id: 'b', input: 'x', assert: { type: 'contains', of: 'messages', value: 'cities' } },
    ]);
    const { exitCode } = await runHooks(cwd, '-o', 'report.md', '-o', 'report.json');
    const [a] = resultsIn(cwd);
    expect([exitCode, a?.sent_messages, a?.trace]).toEqual([
      1,
      [
        { id: 'M1', type: 'text', props: { content: 'Looking for cities' } },
        { id: 'M2', type: 'table', props: { rows: [{ city: 'Rome' }] }, block_id: 'B1' },
      ],
      [{ label: 'Search', status: 'completed', input: { q: 1 }, output: 'found' }],
    ]);
    expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
      a: 'passed',
      b: expect.stringContaining(
        'in the messages to the user: the answer does not contain "cities"',
      ) as string,
    });
    const markdown = readFileSync(join(cwd, 'report.md'), 'utf8');
    expect(markdown).toContain(
      '**Sent to the user**\n\n- Looking for x\n- table {"rows":\\[{"city":"Rome"}\\]}',
    );
    expect(markdown).toContain('**Trace**\n\n- Search: {"q":1} → found');
    expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toContain('Looking for x');
  });

  test('of a turn are those of its request', async () => {
    const cwd = hooks(
      `function Next(ctx, { messages }) { ctx.Send("about " + messages.at(-1).content); return { data: ctx.MessageID() } }`,
      [
        {
          id: 'a',
          turns: [
            { input: 'one', assert: { type: 'equals', of: 'messages', value: 'about one' } },
            { input: 'two', assert: { type: 'equals', of: 'messages', value: 'about two' } },
          ],
          assert: { type: 'equals', of: 'messages', value: 'about one\nabout two' },
        },
      ],
    );
    const { exitCode, stdout } = await runHooks(cwd);
    expect([exitCode, stdout.includes('1 passed'), outputsIn(join(cwd, 'log.jsonl'))]).toEqual([
      0,
      true,
      { a: 'M2' },
    ]);
  });

  test('a wrong "of" is an error before anything runs', async () => {
    const cwd = hooks('function Next() {}', [
      { id: 'a', input: 'x', assert: { type: 'contains', of: 'message', value: 'x' } },
      { id: 'b', input: 'x', assert: { type: 'latency', of: 'messages', value: 5 } },
    ]);
    const { exitCode, stderr } = await runHooks(cwd);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/inputs\.jsonl:1: .*assert\.of.*messages/)]);
    expect(stderr).toContain('inputs.jsonl:2: assert: "latency" does not judge the answer');
  });
});

test('memories live for a case and leak into no other case or repetition', async () => {
  const cwd = hooks(
    `function Next(ctx) {
       const { user, team, chat, context } = ctx.memory;
       return { data: [user, team, chat, context].map((one) => one.Incr("n")) };
     }`,
    [
      { id: 'a', turns: [{ input: 'one' }, { input: 'two' }] },
      { id: 'b', input: 'one' },
    ],
  );
  await runHooks(cwd, '--runs', '3', '--parallel', '1');
  expect(resultsIn(cwd).map(({ id, output }) => [id, output])).toEqual([
    ['a', [2, 2, 2, 1]],
    ['b', [1, 1, 1, 1]],
    ['a', [2, 2, 2, 1]],
    ['b', [1, 1, 1, 1]],
    ['a', [2, 2, 2, 1]],
    ['b', [1, 1, 1, 1]],
  ]);
});

test('a member that does not exist is an error that names it', async () => {
  const calls = [
    'ctx.Sned("x")',
    'ctx.memory.user.Foo("x")',
    'ctx.memroy.user.Get("x")',
    'ctx.trace.Ad(1)',
    'ctx.trace.Add(1).Finish()',
  ];
  const cwd = hooks(
    `function Next(ctx, { messages }) { return { data: eval(messages[0].content) } }`,
    calls.map((input) => ({ id: input, input })),
  );
  const { exitCode } = await runHooks(cwd);
  const ends = endsIn(join(cwd, 'log.jsonl'));
  expect([exitCode, ...calls.map((call) => ends[call])]).toEqual([
    1,
    expect.stringContaining('ctx.Sned does not exist; did you mean "Send"?'),
    expect.stringContaining('ctx.memory.user.Foo does not exist; '),
    expect.stringContaining('ctx.memroy does not exist; did you mean "memory"?'),
    expect.stringContaining('ctx.trace.Ad does not exist; did you mean "Add"?'),
    expect.stringContaining('ctx.trace.Add(…).Finish does not exist; '),
  ]);
});

describe('fields of Create', () => {
  const SERVER = {
    transport: 'process',
    tools: { add: 'agents.chat.tools.Add', sub: 'agents.chat.tools.Sub' },
  };
  const files = (server: { url: string }, create: string, cases: unknown[]): string =>
    folder({
      ...chat(openai(server.url), cases),
      'assistants/chat/prompts.yml': '- role: system\n  content: Speak $CTX.LOCALE.\n',
      'assistants/chat/src/index.ts': `// @ts-nocheck
function Create(ctx, messages) { return ${create}; }
function Next(ctx) { return { data: [ctx.locale, ctx.Locale, ctx.theme, ctx.route], metadata: { a: 1 } } }`,
      'assistants/chat/src/tools.ts': 'export function Add() {}\nexport function Sub() {}',
      'assistants/chat/mcps/math.mcp.yao': SERVER,
    });

  test('reach the model, the prompts and Next', async () => {
    const server = await modelServer(() => 'ok');
    const cwd = files(
      server,
      '{ mcp_servers: [{ server_id: "agents.chat.math", tools: ["add"], resources: ["x"] }], locale: "de-de", theme: "dark", route: "/r", top_p: 0.5, max_completion_tokens: 9, uses: {}, search: false }',
      [{ id: 'a', input: 'x' }],
    );
    const { exitCode } = await run(cwd);
    const { body } = server.requests[0] as { body: Record<string, unknown> };
    const tools = body['tools'] as { function: { name: string } }[];
    expect([
      exitCode,
      body['top_p'],
      body['max_completion_tokens'],
      tools.map((one) => one.function.name),
    ]).toEqual([0, 0.5, 9, ['agents_chat_math__add']]);
    expect(body['messages']).toEqual([
      { role: 'system', content: 'Speak de-de.' },
      { role: 'user', content: 'x' },
    ]);
    expect(resultsIn(cwd)[0]).toMatchObject({
      output: ['de-de', 'de-de', 'dark', '/r'],
      answer_metadata: { a: 1 },
    });
  });

  test('that cannot be honoured are refused by name', async () => {
    const server = await modelServer(() => 'ok');
    const values = [
      '{ uses: { search: "agents:web" } }',
      '{ search: true }',
      '{ audio: { voice: "x" } }',
      '{ force_uses: true }',
      '{ mesages: [] }',
      '{ mcp_servers: [{ server_id: "agents.chat.maths" }] }',
      '{ mcp_servers: [{ server_id: "agents.chat.math", tools: ["ad"] }] }',
      '{ locale: 5 }',
    ];
    const cwd = files(
      server,
      'eval("(" + messages[0].content + ")")',
      values.map((input) => ({ id: input, input })),
    );
    const { exitCode } = await run(cwd);
    const ends = endsIn(join(cwd, 'log.jsonl'));
    expect([exitCode, ...values.map((value) => ends[value])]).toEqual([
      1,
      expect.stringMatching(/^error \| harness \| Create returned "uses"/),
      expect.stringMatching(/^error \| harness \| Create returned "search"/),
      expect.stringMatching(/^error \| harness \| Create returned "audio"/),
      expect.stringMatching(/^error \| harness \| Create returned "force_uses"/),
      expect.stringMatching(/^error \| agent \| Create returned "mesages".*did you mean "messages"\?/),
      expect.stringMatching(/^error \| agent \| Create: mcp_servers.*agents\.chat\.maths.*did you mean/),
      expect.stringMatching(/^error \| agent \| Create: mcp_servers.*has no tool "ad".*did you mean "add"\?/),
      expect.stringMatching(/^error \| agent \| Create returned a locale that is not text/),
    ]);
    expect(server.requests).toEqual([]);
  });
});
