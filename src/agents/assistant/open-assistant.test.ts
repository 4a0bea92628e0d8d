import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { contextWith } from '../../model/context.fixture.ts';
import { openDirectory } from '../resolve/directory.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** An application with the given files and two connectors: `echo` tells what it was sent, `tool` calls tools. */
function application(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-assistant-'));
  folders.push(root);
  const all = {
    'connectors/echo.conn.yao':
      '{"type": "module", "options": {"file": "./echo.ts", "temperature": 0.1, "top_p": 0.9}}',
    'connectors/echo.ts':
      'export default ({ messages, options }) => ({ content: JSON.stringify({ messages: messages.map((m) => `${m.role}: ${m.content}`), options }), usage: { input_tokens: 3, output_tokens: 2 } })',
    'connectors/other.conn.yao': '{"type": "module", "options": {"file": "./other.ts"}}',
    'connectors/other.ts': 'export default () => "other"',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

type Asked = { options?: Record<string, unknown>; metadata?: Record<string, unknown>; messages?: Message[] };

async function ask(root: string, name: string, asked: Asked = {}): Promise<Transcript> {
  const directory = openDirectory({ root, cwd: root, env: {}, learn: () => undefined });
  const { agent } = await directory.agent(name);
  const context = contextWith({
    assistant_id: name,
    authorized: { user_id: 'ann' },
    metadata: asked.metadata ?? {},
  });
  return agent.run(asked.messages ?? [{ role: 'user', content: 'hello' }], context, {
    env: {},
    fetch,
    signal: new AbortController().signal,
    ...(asked.options !== undefined && { options: asked.options }),
  });
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

const prompts = {
  'assistants/a/prompts.yml': '- {role: system, content: "You serve $CTX.USER_ID, $CTX.mood."}',
};
const echo = {
  'assistants/a/package.yao': '{"connector": "echo", "options": {"temperature": 0.5, "max_tokens": 9}}',
};

test('prompts of the application, then its own, then the messages go to the model', async () => {
  const root = application({
    ...prompts,
    ...echo,
    'agent/prompts.yml': '- {role: system, content: "House rules."}',
  });
  const { output, ...rest } = await ask(root, 'a', { metadata: { mood: 'gladly' } });
  expect(JSON.parse(String(output))).toEqual({
    messages: ['system: House rules.', 'system: You serve ann, gladly.', 'user: hello'],
    options: expect.objectContaining({ temperature: 0.5, max_tokens: 9, top_p: 0.9 }) as unknown,
  });
  expect(rest).toEqual({ tool_calls: [], usage: { input_tokens: 3, output_tokens: 2 }, cost_usd: null });
});

test('an empty list of prompts sends the messages alone; a file with only comments calls no model', async () => {
  const root = application({
    'assistants/plain/package.yao': '{"connector": "echo"}',
    'assistants/plain/prompts.yml': '[]\n',
    'assistants/quiet/package.yao': '{"connector": "echo"}',
    'assistants/quiet/prompts.yml': '# none yet\n',
    'assistants/quiet/src/index.ts': 'function Next() { return { data: "from the hook" }; }',
  });
  const { output } = await ask(root, 'plain');
  expect(JSON.parse(String(output))).toMatchObject({ messages: ['user: hello'] });
  expect((await ask(root, 'quiet')).output).toBe('from the hook');
});

test('Create hook > case > package > connector, for options and the connector', async () => {
  const hook = `function Create(ctx, messages, options) {
    if (options.plain) return null;
    return { messages: [{ role: 'user', content: 'changed' }], temperature: 1, metadata: { mood: 'sadly' },
             prompt_preset: 'chat.short', disable_global_prompts: true, connector: options.connector === 'other' ? 'echo' : null };
  }`;
  const root = application({
    ...prompts,
    ...echo,
    'agent/prompts.yml': '- {role: system, content: "House rules."}',
    'assistants/a/prompts/chat/short.yml': '- {role: system, content: "Short, $CTX.mood."}',
    'assistants/a/src/index.ts': hook,
  });
  const { output } = await ask(root, 'a', { options: { connector: 'other', max_tokens: 7 } });
  expect(JSON.parse(String(output))).toEqual({
    messages: ['system: Short, sadly.', 'user: changed'],
    options: expect.objectContaining({ temperature: 1, max_tokens: 7, top_p: 0.9 }) as unknown,
  });
  expect((await ask(root, 'a', { options: { connector: 'other', plain: true } })).output).toBe('other');
});

test('Next sees messages, completion and tools, and has the last word', async () => {
  const hook = `function Next(ctx, payload, options) {
    return options.quiet ? null : { data: { content: payload.completion.content, tools: payload.tools, count: payload.messages.length, error: payload.error ?? null } };
  }`;
  const files = {
    ...prompts,
    'assistants/a/package.yao': '{"connector": "other"}',
    'assistants/a/src/index.ts': hook,
  };
  const root = application(files);
  expect((await ask(root, 'a')).output).toEqual({ content: 'other', tools: [], count: 2, error: null });
  expect((await ask(root, 'a', { options: { quiet: true } })).output).toBe('other');
});

test('data that JSON cannot hold is an error that names the value', async () => {
  const hook = 'function Next() { return { data: { rows: [{ price: 0 / 0 }] } }; }';
  const root = application({ 'assistants/a/package.yao': '{}', 'assistants/a/src/index.ts': hook });
  expect(await failureOf(ask(root, 'a'))).toEqual({
    code: 'protocol',
    message:
      'Next returned NaN in "data.rows[0].price", which cannot be judged; return null or a text, which JSON can hold',
  });
});

test('data that Next promises is waited for', async () => {
  const hook = `function Next(ctx, { messages: [{ content }] }) {
    if (content === 'fail') return { data: Promise.reject(new Error('no data')) };
    return { data: new Promise((done) => setTimeout(done, 5, content === 'none' ? null : { said: content })) };
  }`;
  const root = application({ 'assistants/a/package.yao': '{}', 'assistants/a/src/index.ts': hook });
  const said = (content: string): Promise<Transcript> =>
    ask(root, 'a', { messages: [{ role: 'user', content }] });
  expect((await said('hi')).output).toEqual({ said: 'hi' });
  expect((await said('none')).output).toBe(null);
  expect(await failureOf(said('fail'))).toEqual({ code: 'agent', message: 'no data' });
});

const calc = {
  'assistants/calc/package.yao': '{"connector": "calc", "mcp": {"servers": ["agents.calc.math"]}}',
  'assistants/calc/mcps/math.mcp.yao':
    '{"transport": "process", "tools": {"add": "agents.calc.tools.Add", "fail": "agents.calc.tools.Fail"}}',
  'assistants/calc/mcps/mapping/math/schemes/add.in.yao':
    '{"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "x-process-args": ["$args.a", "$args.b"]}',
  'assistants/calc/src/tools.ts':
    'function Add(a: number, b: number) { return { sum: a + b } }\nfunction Fail() { throw new Error("broken") }',
  'connectors/calc.conn.yao': '{"type": "module", "options": {"file": "./calc.ts"}}',
  // "add 1 2" calls a tool; its result is told.
  'connectors/calc.ts': `export default ({ messages, tools }) => {
    const last = messages.at(-1);
    if (last.role === 'tool' && !messages[0].content.startsWith('loop')) return 'result ' + last.content;
    const [name, a, b] = messages[0].content.split(' ').slice(-3);
    return { tool_calls: [{ name: tools.find((t) => t.name.endsWith(name))?.name ?? name, arguments: { a: Number(a), b: Number(b) } }], usage: { input_tokens: 1 } };
  }`,
};

async function calculate(root: string, content: string): Promise<unknown> {
  const { first_token_ms: _first, ...transcript } = await ask(root, 'calc', {
    messages: [{ role: 'user', content }],
  });
  const calls = transcript.tool_calls?.map(({ duration_ms, ...call }) => ({
    ...call,
    timed: typeof duration_ms,
  }));
  return { ...transcript, tool_calls: calls };
}

test('tools are called and their results go back to the model', async () => {
  const root = application(calc);
  expect(await calculate(root, 'add 1 2')).toEqual({
    output: 'result {"sum":3}',
    tool_calls: [
      { name: 'agents_calc_math__add', arguments: { a: 1, b: 2 }, result: { sum: 3 }, timed: 'number' },
    ],
    cost_usd: null,
  });
  expect(await calculate(root, 'fail 1 2')).toMatchObject({
    output: 'result {"error":"broken"}',
    tool_calls: [{ name: 'agents_calc_math__fail', error: 'broken' }],
  });
  expect(await calculate(root, 'ad 1 2')).toMatchObject({
    tool_calls: [{ name: 'ad', error: expect.stringContaining('unknown tool "ad"') as unknown }],
  });
});

test('tools share the memory of the attempt with the hooks', async () => {
  const root = application({
    ...calc,
    'assistants/calc/src/index.ts': "function Create(ctx) { ctx.memory.chat.Set('who', 'create') }",
    'assistants/calc/src/tools.ts':
      "function Add(a, b, ctx) { return ctx.memory.chat.Get('who') }\nfunction Fail() {}",
  });
  expect(await calculate(root, 'add 1 2')).toMatchObject({ tool_calls: [{ result: 'create' }] });
});

test('the loop ends after max_turn, and without a loop what the tools returned is the answer', async () => {
  const options = (text: string): Record<string, string> => ({
    ...calc,
    'assistants/calc/package.yao': `{"connector": "calc", "mcp": {"servers": ["agents.calc.math"], "options": ${text}}}`,
  });
  const looping = await calculate(application(options('{"max_turn": 2}')), 'loop add 1 2');
  expect(looping).toMatchObject({ output: { sum: 3 }, usage: { input_tokens: 3 } });
  expect((looping as Transcript).tool_calls).toHaveLength(3);
  const once = await calculate(application(options('{"tool_loop": false}')), 'add 1 2');
  expect(once).toMatchObject({ output: { sum: 3 }, usage: { input_tokens: 1 } });
});

const delegating = (to: string): string => `function Create() { return { delegate: { agent_id: '${to}' } } }`;

test('another agent goes on, with the same memory', async () => {
  const root = application({
    'assistants/a/package.yao': '{}',
    'assistants/a/src/index.ts':
      "function Create(ctx) { ctx.memory.chat.Set('who', 'a') }\nfunction Next() { return { delegate: { agent_id: 'team.b', messages: [{ role: 'user', content: 'please' }] } } }",
    'assistants/team/b/package.yao': '{}',
    'assistants/team/b/src/index.ts':
      "function Next(ctx, payload) { return { data: [ctx.memory.chat.Get('who'), ctx.AssistantID, payload.messages[0].content] } }",
  });
  expect((await ask(root, 'a')).output).toEqual(['a', 'team.b', 'please']);
});

test('delegation in a circle, too deep or to nobody is the agent’s own failure', async () => {
  const chain = Array.from({ length: 12 }, (_, index): [string, string][] => [
    [`assistants/n${index}/package.yao`, '{}'],
    [`assistants/n${index}/src/index.ts`, delegating(`n${index + 1}`)],
  ]);
  const root = application({
    'assistants/a/package.yao': '{}',
    'assistants/a/src/index.ts': delegating('agents:b'),
    'assistants/b/package.yao': '{}',
    'assistants/b/src/index.ts': delegating('a'),
    'assistants/lost/package.yao': '{}',
    'assistants/lost/src/index.ts': delegating('n111'),
    ...Object.fromEntries(chain.flat()),
  });
  expect(await failureOf(ask(root, 'a'))).toEqual({
    code: 'agent',
    message: 'delegation in a circle: a → b → a',
  });
  expect(await failureOf(ask(root, 'n0'))).toEqual({
    code: 'agent',
    message: `delegation deeper than 10 agents: ${Array.from({ length: 11 }, (_, index) => `n${index}`).join(' → ')}`,
  });
  expect(await failureOf(ask(root, 'lost'))).toMatchObject({
    code: 'agent',
    message: expect.stringMatching(
      /^lost delegates to "n111": no agent "n111"; .*did you mean n11/,
    ) as unknown,
  });
});

test('what a hook asks for and is not there is named', async () => {
  const hook = `function Create(ctx, messages) { return JSON.parse(messages[0].content) }`;
  const root = application({
    ...prompts,
    ...echo,
    'assistants/a/prompts/short.yml': '- {role: system, content: "Short."}',
    'assistants/a/src/index.ts': hook,
  });
  const failing = (answer: unknown): Promise<unknown> =>
    failureOf(ask(root, 'a', { messages: [{ role: 'user', content: JSON.stringify(answer) }] }));
  expect(await failing({ prompt_preset: 'shart' })).toEqual({
    code: 'agent',
    message: 'Create asks for the prompt preset "shart", which does not exist; did you mean "short"?',
  });
  expect(await failing({ prompt_preset: 'toString' })).toEqual({
    code: 'agent',
    message: 'Create asks for the prompt preset "toString", which does not exist; there is short',
  });
  expect(await failing({ connector: 'ecko' })).toEqual({
    code: 'harness',
    message: 'no connector "ecko"; looked in assistants/a/connectors and connectors; did you mean echo?',
  });
  expect(await failing({ messages: 'x' })).toEqual({
    code: 'agent',
    message: 'Create returned messages that are not a list of {role, content}',
  });
});

test('a global that is missing is named', async () => {
  const root = application({
    'assistants/a/package.yao': '{}',
    'assistants/a/src/index.ts': 'function Next() { return { data: new Query().Get() } }',
  });
  expect(await failureOf(ask(root, 'a'))).toMatchObject({
    code: 'agent',
    message: expect.stringMatching(/^Query is not defined: .*Process/) as unknown,
  });
});
