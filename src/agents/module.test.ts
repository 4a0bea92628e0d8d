import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../errors.ts';
import type { AgentRun } from '../model/agent.ts';
import type { ContextData } from '../model/context.ts';
import { openAgent } from './registry.ts';
import { openDirectory } from './resolve/directory.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-module-'));
afterAll(() => rmSync(root, { recursive: true }));

const context: ContextData = {
  chat_id: 'c1',
  assistant_id: 'a1',
  authorized: { user_id: 'u1', team_id: 't1' },
  metadata: { colour: 'blue' },
  client: { type: 'test', ip: '127.0.0.1', user_agent: 'me' },
  locale: 'en-us',
  referer: 'test',
  accept: 'standard',
};
const messages = [{ role: 'user', content: 'hello' }];
const never = new AbortController().signal;
const ANSWERS =
  'return text, a plain object or list, a transcript {output, tool_calls, usage}, a Response, or an answer or stream of the AI SDK, OpenAI, Anthropic, Google Gen AI or LangChain';

function write(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

async function ask(run: AgentRun, { signal = never, options = {}, own = {} } = {}) {
  const agent = await openAgent(
    { id: 'a1', run, options },
    { root, directory: openDirectory({ root, cwd: root, env: {}, learn: () => undefined }) },
  );
  return agent.run(messages, context, { env: {}, fetch, signal, options: own });
}

let count = 0;
function askModule(code: string, extension = 'ts', signal = never) {
  count += 1;
  return ask({ type: 'module', file: write(`agent${String(count)}.${extension}`, code) }, { signal });
}

function askHooks(code: string, given = {}) {
  count += 1;
  const folder = join(root, `hooks${String(count)}`);
  const hooks = write(`hooks${String(count)}/src/index.ts`, code);
  return ask({ type: 'assistant', folder, hooks, tool_loop: true, max_turn: 5 }, given);
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AttemptError ? { code: error.code, message: error.message } : error;
}

test.each([
  ['export default (messages: any[]) => messages[0].content', { output: 'hello' }],
  ['export default async () => ({ a: 1 })', { output: { a: 1 } }],
  ['export default () => undefined', { output: null }],
  ['export default () => [1]', { output: [1] }],
  ['export default () => ({ output: undefined })', { output: null }],
  [
    'export default () => ({ output: "x", tool_calls: [{ name: "t" }], usage: { input_tokens: 1 }, messages: [], other: 1 })',
    { output: 'x', tool_calls: [{ name: 't' }], usage: { input_tokens: 1 }, messages: [] },
  ],
  [
    'export default () => ({ output: "x", usage: null, tool_calls: undefined, cost_usd: null })',
    { output: 'x' },
  ],
  [
    'export default () => ({ output: "x", usage: { inputTokens: 1, outputTokens: undefined } })',
    { output: 'x', usage: { input_tokens: 1 } },
  ],
  [
    `export default () => ({ output: "x", tool_calls: [
      { toolName: "a", input: { n: 1 } }, { name: "b", args: { n: 2 }, error: null },
      { id: "c1", type: "function", function: { name: "c", arguments: '{"n":3}' } },
      { name: "d", input: { n: 4 }, result: 4, error: new Error("no") },
    ] })`,
    {
      output: 'x',
      tool_calls: [
        { name: 'a', arguments: { n: 1 } },
        { name: 'b', arguments: { n: 2 } },
        { id: 'c1', type: 'function', name: 'c', arguments: { n: 3 } },
        { name: 'd', arguments: { n: 4 }, result: 4, error: 'no' },
      ],
    },
  ],
  [
    'export default () => ({ output: "x", usage: { prompt_tokens: 1, completion_tokens: 2 }, cost_usd: 0.5 })',
    { output: 'x', usage: { input_tokens: 1, output_tokens: 2 }, cost_usd: 0.5 },
  ],
  ['export default async function* () { yield "a"; yield "b"; }', { output: 'ab' }],
  ['export default function* () { yield "a"; yield new TextEncoder().encode("b"); }', { output: 'ab' }],
  ['export default async function* () { yield 1; yield 2; }', { output: [1, 2] }],
])('a module answers: %s', async (code, expected) => {
  expect(await askModule(code)).toEqual(expected);
});

test.each([
  [
    '{ tool_calls: { name: "t" }, usage: { input_tokens: "1", output_tokens: -1 }, cost_usd: NaN }',
    '"tool_calls" is {"name":"t"}, expected a list of {name, arguments, result} or {name, arguments, error}, with texts as name and error; ' +
      '"usage" is {"input_tokens":"1","output_tokens":-1}, expected {input_tokens, output_tokens} with numbers; ' +
      '"cost_usd" is NaN, expected a number of US dollars',
  ],
  [
    '{ tool_calls: ["search"], usage: { total: 5 }, messages: "hello", logs: "line" }',
    '"tool_calls" is ["search"], expected a list of {name, arguments, result} or {name, arguments, error}, with texts as name and error; ' +
      '"usage" is {"total":5}, expected {input_tokens, output_tokens} with numbers; ' +
      '"messages" is "hello", expected a list of {role, content}; "logs" is "line", expected a list of texts',
  ],
  ['{ usage: 3n }', '"usage" is 3, expected {input_tokens, output_tokens} with numbers'],
])('a transcript with fields of the wrong type is an error that names them: %s', async (fields, words) => {
  expect(await failureOf(askModule(`export default () => ({ output: "x", ...${fields} })`))).toEqual({
    code: 'protocol',
    message: `the answer is a transcript that cannot be read: ${words}`,
  });
});

test.each([
  ['new Map([["a", 1]])', 'an object of the class Map without keys', 'return Object.fromEntries(map)'],
  ['new Set([1])', 'an object of the class Set without keys', 'return [...set]'],
  ['new Error("no")', 'an object of the class Error without keys', 'throw it, or return its message'],
  ['() => "x"', 'a function', 'call it and return what it returns'],
  ['Symbol("x")', 'a symbol', ANSWERS],
  ['NaN', 'NaN', 'return null or a text, which JSON can hold'],
  ['Promise.resolve(-Infinity)', '-Infinity', 'return null or a text, which JSON can hold'],
  ['10n', 'the BigInt 10n', 'return a number or a text, which JSON can hold'],
  ['({ a: Infinity })', 'Infinity in "output.a"', 'return null or a text, which JSON can hold'],
  ['({ a: [{ b: NaN }] })', 'NaN in "output.a[0].b"', 'return null or a text, which JSON can hold'],
  ['({ a: 10n })', 'the BigInt 10n in "output.a"', 'return a number or a text, which JSON can hold'],
  ['({ a: () => 1 })', 'a function in "output.a"', 'call it and return what it returns'],
  ['({ a: Symbol("x") })', 'a symbol in "output.a"', ANSWERS],
  ['({ a: new Date(NaN) })', 'an invalid Date in "output.a"', 'return null or a text, which JSON can hold'],
  ['({ output: NaN })', 'a transcript whose output is NaN', 'return null or a text, which JSON can hold'],
  [
    '({ output: "x", tool_calls: [{ name: "t", arguments: { n: NaN } }] })',
    'NaN in "tool_calls[0].arguments.n"',
    'return null or a text, which JSON can hold',
  ],
  ['[1, NaN].values()', 'a stream with a piece that is NaN', ANSWERS],
  ['new (class Reply { text = "x" })()', 'an object of the class Reply with the key "text"', ANSWERS],
  ['Object.create({ text: "x" })', 'an object without keys', ANSWERS],
  [
    '({ output: new (class Reply { text = "x" })() })',
    'a transcript whose output is an object of the class Reply with the key "text"',
    ANSWERS,
  ],
  [
    '({ output: Promise.resolve("x") })',
    'a transcript whose output is an object of the class Promise without keys',
    'await it',
  ],
  [
    '({ a: [{ b: new Map() }] })',
    'an object of the class Map without keys in "output.a[0].b"',
    'return Object.fromEntries(map)',
  ],
  [
    '({ output: 1, tool_calls: [{ name: "t", result: new Set() }] })',
    'an object of the class Set without keys in "tool_calls[0].result"',
    'return [...set]',
  ],
  [
    '(async function* () { yield { word: "x" }; })()',
    'a stream of pieces that are an object with the key "word"',
    ANSWERS,
  ],
  [
    '(function* () { yield "x"; yield { word: "x" }; })()',
    'a stream with a piece that is an object with the key "word"',
    ANSWERS,
  ],
  ['new Uint8Array([255])', 'bytes that are not text in UTF-8', ANSWERS],
])('an answer that cannot be read is an error that says what to return: %s', async (value, what, remedy) => {
  expect(await failureOf(askModule(`export default async () => ${value}`))).toEqual({
    code: 'protocol',
    message: `the agent returned ${what}, which cannot be judged; ${remedy}`,
  });
});

test.each([
  ['new Date(0)', { output: new Date(0) }],
  [
    '({ when: new Date(0), who: new (class User { name = "Ada" })() })',
    { output: { when: new Date(0), who: { name: 'Ada' } } },
  ],
  ['Object.assign(Object.create(null), { a: 1 })', { output: { a: 1 } }],
  ['({ a: undefined, b: [undefined] })', { output: { a: undefined, b: [undefined] } }],
  ['({ output: "x", extra: NaN })', { output: 'x' }],
  ['require("node:vm").runInNewContext("({ a: [1] })")', { output: { a: [1] } }],
  ['new (class Reply { output = "x"; tool_calls = [] })()', { output: 'x', tool_calls: [] }],
  ['new TextEncoder().encode("é")', { output: 'é' }],
  ['new Blob(["aé"]).stream()', { output: 'aé' }],
  ['new ReadableStream({ start(c) { c.enqueue("a"); c.enqueue("b"); c.close(); } })', { output: 'ab' }],
  ['require("node:stream").Readable.from(["a", "b"])', { output: 'ab' }],
])('an answer that is JSON, bytes or a stream of text is read: %s', async (value, expected) => {
  expect(await askModule(`export default () => ${value}`)).toEqual(expected);
});

test('plain JavaScript works, ES module and CommonJS', async () => {
  expect(await askModule('export default () => import.meta.url.slice(-4)', 'mjs')).toEqual({
    output: '.mjs',
  });
  expect(await askModule('module.exports = () => __filename.slice(-4)', 'cjs')).toEqual({ output: '.cjs' });
  expect(await askModule('exports.default = () => 1; exports.__esModule = true', 'cjs')).toEqual({
    output: 1,
  });
});

test('the context has both naming styles, and a memory', async () => {
  const code = `export default (_: unknown, ctx: any) => {
    ctx.memory.user.Set('k', 1);
    ctx.Metadata.added = true;
    ctx.User = { ID: 'other' };
    return { ...ctx, memory: [ctx.memory.user.Get('k'), ctx.memory.team.Get('k'), ctx.memory.Keys()], signal: ctx.signal instanceof AbortSignal };
  }`;
  expect(await askModule(code)).toEqual({
    output: {
      User: { ID: 'other' },
      Team: { ID: 't1' },
      Locale: 'en-us',
      Client: { Type: 'test', IP: '127.0.0.1', UserAgent: 'me' },
      Metadata: { colour: 'blue', added: true },
      ChatID: 'c1',
      AssistantID: 'a1',
      Referer: 'test',
      Accept: 'standard',
      ...context,
      metadata: { colour: 'blue', added: true },
      memory: [1, null, []],
      signal: true,
    },
  });
  expect(context.metadata).toEqual({ colour: 'blue' });
});

test('what the agent throws is its failure, with the line it happened at', async () => {
  const work = askModule('type T = 1;\nexport default async () => {\n  throw new TypeError("boom");\n};');
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'agent', message: 'boom' });
  const cause = (error as AttemptError).cause as Error;
  expect([cause.name, cause.stack?.split('\n')]).toEqual([
    'TypeError',
    ['TypeError: boom', expect.stringMatching(/agent\d+\.ts:3:9\)$/)],
  ]);
  expect(await failureOf(askModule('export default () => { throw "text" }'))).toEqual({
    code: 'agent',
    message: 'text',
  });
  expect(await failureOf(askModule('throw new Error("at the top")'))).toEqual({
    code: 'agent',
    message: 'at the top',
  });
});

test('a promise of an agent, and one inside of compiled CommonJS', async () => {
  expect(await askModule('export default Promise.resolve(() => "later")')).toEqual({ output: 'later' });
  const agent = `{ version: 'agent-v1', stream() {}, generate: async () => ({ text: 'made', steps: [] }) }`;
  const made = { output: 'made', tool_calls: [], messages };
  expect(await askModule(`export default Promise.resolve(${agent})`)).toEqual(made);
  expect(await askModule(`exports.__esModule = true; exports.default = ${agent};`, 'cjs')).toEqual(made);
  expect(await failureOf(askModule('export default Promise.reject(new Error("no key"))'))).toEqual({
    code: 'agent',
    message: 'no key',
  });
});

test('a file without an agent is a problem of the set-up that says what it has', async () => {
  const file = () => join(root, `agent${String(count)}.ts`);
  const hint = 'export default async (messages, ctx) => output';
  const frameworks =
    'AI SDK (ToolLoopAgent), LangGraph or LangChain (a compiled graph, createAgent, a runnable), Mastra (Agent), OpenAI Agents SDK (Agent)';
  await expect(askModule('export const run = 1; function other() {}')).rejects.toMatchObject({
    problem: { message: 'has no default export (it exports run)', at: file(), hint: `an agent is: ${hint}` },
  });
  await expect(askModule('export default 1')).rejects.toMatchObject({
    problem: {
      message: `the default export is a number; expected a function (messages, ctx) => output, or an agent of ${frameworks}`,
      at: file(),
      hint: `write: ${hint}`,
    },
  });
});

test.each([
  ['export default () => new Promise(() => {})'],
  ['await new Promise(() => {}); export default () => 1'],
  [
    'export default async function* () { for (;;) { yield "x"; await new Promise((resolve) => setTimeout(resolve, 1)); } }',
  ],
])('is given up as soon as the signal aborts: %s', async (code) => {
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 150);
  expect(await failureOf(askModule(code, 'ts', controller.signal))).toBe(reason);
});

test('a stream without end is an error, not a full memory', async () => {
  const code = 'export default function* () { for (;;) yield "x".repeat(1_000_000); }';
  expect(await failureOf(askModule(code))).toEqual({
    code: 'agent',
    message: 'answered more than 10 MB; at most 10 MB of an answer is read',
  });
});

test('an assistant runs Create, then Next, whose data is the answer', async () => {
  const code = `
    function Create(ctx: any, messages: any[], options: any) {
      return { messages: [...messages, { role: 'user', content: options.word }], metadata: { seen: true }, temperature: 0 };
    }
    async function Next(ctx: any, payload: any, options: any) {
      return { data: { ...payload, options, seen: ctx.Metadata.seen } };
    }`;
  expect(await askHooks(code, { options: { word: 'one', top: 1 }, own: { word: 'two' } })).toEqual({
    output: {
      messages: [...messages, { role: 'user', content: 'two' }],
      completion: null,
      tools: [],
      error: undefined,
      options: { word: 'two', top: 1, temperature: 0 },
      seen: true,
    },
    tool_calls: [],
  });
});

test('either hook may be missing or return nothing', async () => {
  expect(await askHooks('export function Create() { return null; }')).toEqual({
    output: null,
    tool_calls: [],
  });
  expect(await askHooks('export function Next() { return null; }')).toEqual({ output: null, tool_calls: [] });
  expect(await askHooks('export const Next = () => ({ data: "x" })')).toEqual({
    output: 'x',
    tool_calls: [],
  });
  expect(await askHooks('export default { Next: () => ({ data: { output: 1 } }) }')).toEqual({
    output: { output: 1 },
    tool_calls: [],
  });
});

test('hooks that fail, delegate or return something else', async () => {
  expect(await failureOf(askHooks('function Next() { throw new Error("no") }'))).toEqual({
    code: 'agent',
    message: 'no',
  });
  expect(await failureOf(askHooks('function Next() { return "x" }'))).toEqual({
    code: 'agent',
    message: 'Next returned a string; it may return null or an object',
  });
  expect(await failureOf(askHooks('function Create() { return { delegate: { agent_id: "b" } } }'))).toEqual({
    code: 'agent',
    message:
      'a1 delegates to "b": no agent "b"; looked for assistants/b/package.yao, b/package.yao; there are no agents below assistants/',
  });
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 100);
  expect(
    await failureOf(askHooks('const Next = () => new Promise(() => {})', { signal: controller.signal })),
  ).toBe(reason);
});
