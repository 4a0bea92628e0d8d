import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Connector } from '../../model/connector.ts';
import { ask, connectorAt, failureOf } from '../chat.fixture.ts';
import type { ChatRequest } from '../chat.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-models-'));
afterAll(() => rmSync(root, { recursive: true }));

let fileCount = 0;

function model(code: string): Connector {
  fileCount += 1;
  const file = join(root, `model-${String(fileCount)}.ts`);
  writeFileSync(file, code);
  const { key: _key, url: _url, ...connector } = connectorAt('', { type: 'module', file });
  return connector;
}

const answerOf = (code: string, request: Partial<ChatRequest> = {}) => ask(model(code), { root, request });
const failureTo = (code: string) => {
  const connector = model(code);
  return failureOf(ask(connector, { root }), connector);
};

test('a function answers text, or what a model would', async () => {
  const calls = `[{ name: 'add', arguments: { a: 1 } }, { id: 'x', function: { name: 'b', arguments: '[1]' } }]`;
  expect([
    await answerOf(`export default ({ messages }) => 'You said ' + messages[0].content;`),
    await answerOf(`export default async (r) => ({ content: Object.keys(r).sort().join() });`, { tools: [] }),
    await answerOf(`export default () => ({ tool_calls: ${calls}, finish_reason: 'tool_calls' });`),
    await answerOf(`export default () => ({ content: 'x', usage: { input_tokens: 3, output_tokens: 1 } });`),
  ]).toEqual([
    { content: 'You said hello', cost_usd: null },
    { content: 'messages,model,options,signal,tools', cost_usd: null },
    {
      content: '',
      tool_calls: [
        { id: expect.stringMatching(/^call_\d+$/), name: 'add', arguments: { a: 1 } },
        { id: 'x', name: 'b', arguments: [1] },
      ],
      finish_reason: 'tool_calls',
      cost_usd: null,
    },
    { content: 'x', usage: { input_tokens: 3, output_tokens: 1 }, cost_usd: null },
  ]);
});

test('a function may stream', async () => {
  expect(await answerOf(`export default async function* () { yield 'a'; yield 'b'; }`)).toEqual({
    content: 'ab',
    first_token_ms: expect.any(Number),
    cost_usd: null,
  });
});

test('language models of both versions are asked', async () => {
  const v3 = `export default { specificationVersion: 'v3', provider: 'p', modelId: 'm', supportedUrls: {},
    async doStream({ prompt, temperature }) {
      return { stream: new ReadableStream({ start(controller) {
        controller.enqueue({ type: 'text-delta', id: '1', delta: prompt[0].content[0].text + temperature });
        controller.enqueue({ type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{"a":1}' });
        controller.enqueue({ type: 'finish', finishReason: { unified: 'tool-calls', raw: 'x' },
          usage: { inputTokens: { total: 3 }, outputTokens: { total: 1 } } });
        controller.close();
      } }) };
    } };`;
  const v2 = `export default { specificationVersion: 'v2',
    async doGenerate() {
      return { content: [{ type: 'text', text: 'x' }, { type: 'tool-call', toolCallId: 'c', toolName: 'b', input: '' }],
        finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 } };
    } };`;
  const usage = { input_tokens: 3, output_tokens: 1 };
  expect([await answerOf(v3, { options: { temperature: 0.5 } }), await answerOf(v2)]).toEqual([
    {
      content: 'hello0.5',
      tool_calls: [{ id: 'c', name: 'add', arguments: { a: 1 } }],
      finish_reason: 'tool_calls',
      usage,
      first_token_ms: expect.any(Number),
      cost_usd: null,
    },
    {
      content: 'x',
      tool_calls: [{ id: 'c', name: 'b', arguments: {} }],
      finish_reason: 'stop',
      usage,
      cost_usd: null,
    },
  ]);
});

test('what goes wrong in a module is never a wrong answer', async () => {
  const before = fileCount;
  const name = (count: number): string => `model-${String(before + count)}.ts`;
  const empty = `new ReadableStream({ start(controller) { controller.close(); } })`;
  expect([
    await failureTo(`export default () => { throw new Error('no idea'); };`),
    await failureTo(
      `export default async () => { throw Object.assign(new Error('x'), { statusCode: 429 }); };`,
    ),
    await failureTo(`export default () => undefined;`),
    await failureTo(`export default () => ({ content: 1 });`),
    await failureTo(`export default { async doStream() { return { stream: ${empty} }; } };`),
    await failureTo(`export default { async doStream() { return {}; } };`),
    await failureTo(`export default 1;`),
    await failureTo(`throw new Error('at import'); export default 1;`),
  ]).toEqual(
    [
      ['harness', `no idea (${name(1)}:1)`],
      ['harness', `x (${name(2)}:1)`],
      ['protocol', 'returned undefined, not an answer'],
      ['protocol', 'returned an object without content (text) or tool_calls'],
      ['connection', 'the answer was cut off'],
      ['protocol', 'doStream gave no stream'],
      ['harness', `the default export of ${join(root, name(7))} is neither a function nor a language model`],
      ['harness', `cannot import ${join(root, name(8))}: at import`],
    ].map(([code, message]) => ({ code, message, isFinal: true })),
  );
});

test.each<[string, string, string]>([
  [
    'a stream of objects',
    `async function* () { yield 'a'; yield { delta: 'b' }; }`,
    'yielded object, not text',
  ],
  ['a stream of nothing', `async function* () { yield undefined; }`, 'yielded undefined, not text'],
  ['a stream of null', `async function* () { yield null; }`, 'yielded null, not text'],
  [
    'a number too large for JSON',
    `() => ({ tool_calls: [{ name: 'add', arguments: { a: 1n } }] })`,
    'the arguments of tool call add cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
  [
    'a circle',
    `() => { const a = {}; a.a = a; return { tool_calls: [{ name: 'add', arguments: a }] }; }`,
    'the arguments of tool call add cannot be written as JSON: Converting circular structure to JSON',
  ],
  [
    'a function',
    `() => ({ tool_calls: [{ name: 'add', arguments: () => 1 }] })`,
    'the arguments of tool call add cannot be written as JSON: a function',
  ],
  [
    'a language model that calls with a number too large for JSON',
    `{ async doGenerate() {
      return { content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'add', input: { a: 1n } }] };
    } }`,
    'the arguments of tool call add cannot be written as JSON: Do not know how to serialize a BigInt',
  ],
])('%s is no answer', async (_what, code, message) => {
  expect(await failureTo(`export default ${code};`)).toEqual({
    code: 'protocol',
    message: expect.stringContaining(message),
    isFinal: true,
  });
});

test('a module that hangs is left when the signal aborts', async () => {
  const controller = new AbortController();
  const reason = new Error('too late');
  setTimeout(() => controller.abort(reason), 30);
  const hanging = model(`export default () => new Promise(() => {});`);
  expect(await failureOf(ask(hanging, { root, signal: controller.signal }))).toBe(reason);
});

test('counts of tokens that are none are not counted', async () => {
  const code = `export default () => ({ content: 'x', usage: { input_tokens: -3, output_tokens: NaN } });`;
  expect(await answerOf(code)).toEqual({ content: 'x', cost_usd: null });
});
