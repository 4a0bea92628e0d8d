// Forms that other versions of the frameworks have; those of today are in compat/.

import { expect, test } from 'vitest';
import type { ContextData } from '../../model/context.ts';
import { openFramework } from './open-framework.ts';

const messages = [{ role: 'user', content: 'hello' }];
// No framework gets to see it.
const context = {} as ContextData;

async function ask(value: unknown, signal = new AbortController().signal) {
  const run = await openFramework(value, '/nowhere/agent.ts');
  return run(messages, context, { env: {}, fetch, signal });
}

const call = { type: 'tool-call', toolCallId: '1', toolName: 'sum', input: { a: 1 } };
const said = [
  { role: 'assistant', content: [call] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: '1', toolName: 'sum', output: { type: 'json', value: 3 } }],
  },
  { role: 'assistant', content: 'three' },
];
const added = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: '1', type: 'function', function: { name: 'sum', arguments: '{"a":1}' } }],
  },
  { role: 'tool', tool_call_id: '1', name: 'sum', content: '3' },
  { role: 'assistant', content: 'three' },
];

test('an agent of the AI SDK 5, which has no version, and calls of two steps with one id', async () => {
  const result = (output: number) => ({ type: 'tool-result', toolCallId: '1', toolName: 'sum', output });
  const usage = { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 };
  const agent = {
    settings: {},
    stream: () => undefined,
    generate: async () => ({
      text: 'three',
      get output() {
        throw new Error('no output specified');
      },
      steps: [
        { content: [call, result(3)], usage, response: { modelId: 'gpt-4o-mini' } },
        { content: [call, result(4)], usage, response: { modelId: 'gpt-4o-mini' } },
      ],
      response: { messages: said },
    }),
  };
  expect(await ask(agent)).toEqual({
    output: 'three',
    tool_calls: [
      { name: 'sum', arguments: { a: 1 }, result: 3 },
      { name: 'sum', arguments: { a: 1 }, result: 4 },
    ],
    messages: [...messages, ...added],
    usage: { input_tokens: 20, output_tokens: 4 },
    cost_usd: 0.000_004_8,
  });
});

test('an agent of the AI SDK 7, whose response has only its own step', async () => {
  const agent = {
    version: 'agent-v1',
    stream: () => undefined,
    generate: async () => ({
      output: 'three',
      steps: [],
      responseMessages: said,
      response: { messages: said.slice(-1) },
    }),
  };
  expect(await ask(agent)).toEqual({ output: 'three', tool_calls: [], messages: [...messages, ...added] });
});

test('an agent of Mastra 0, whose tools fail with a result', async () => {
  const failed = { message: 'no sums', code: 'TOOL_EXECUTION_FAILED', details: {} };
  const output = { type: 'json', value: failed };
  const agent = {
    getInstructions: () => '',
    getModel: () => undefined,
    generate: async () => ({
      text: 'sorry',
      steps: [],
      response: {
        messages: [
          { role: 'assistant', content: [call] },
          { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'sum', output }] },
        ],
      },
    }),
  };
  expect((await ask(agent)).tool_calls).toEqual([{ name: 'sum', arguments: { a: 1 }, error: 'no sums' }]);
});

test('a runnable without the package it is made of gets messages of chat completions', async () => {
  const asked: unknown[] = [];
  const runnable = { lc_runnable: true, invoke: async (input: unknown) => asked.push(input) && { a: 1 } };
  expect(await ask(runnable)).toEqual({ output: { a: 1 }, tool_calls: [], messages });
  expect(asked).toEqual([messages]);
});

test('a graph that waits for somebody has no answer', async () => {
  const graph = {
    lc_runnable: true,
    channels: { messages: {} },
    invoke: async () => ({ messages: [], __interrupt__: [{ value: 'may I?' }] }),
  };
  await expect(ask(graph)).rejects.toMatchObject({
    code: 'agent',
    message: 'the graph was interrupted and waits: ["may I?"]',
  });
});

test('an agent of the OpenAI Agents SDK needs its package', async () => {
  const agent = {
    handoffs: [],
    getSystemPrompt: () => '',
    getAllTools: () => [],
    asTool: () => undefined,
  };
  await expect(ask(agent)).rejects.toMatchObject({
    code: 'agent',
    message:
      '/nowhere/agent.ts exports an agent of the OpenAI Agents SDK, but @openai/agents is not found from there; install it beside the agent',
  });
});

test('an agent that ignores the signal is given up, with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('too late');
  const agent = {
    version: 'agent-v1',
    stream: () => undefined,
    generate: () => new Promise(() => controller.abort(reason)),
  };
  await expect(ask(agent, controller.signal)).rejects.toBe(reason);
});

class Shy {
  a = 1;
  get generate(): unknown {
    throw new Error('no');
  }
}

test.each([
  [null, 'null'],
  ['text', 'the text "text"'],
  [[1], 'a list'],
  [{}, 'an object without keys'],
  [{ generate: 1, stream: 2 }, 'an object with the keys "generate", "stream"'],
  [new Map(), 'an object of the class Map without keys'],
  [new Shy(), 'an object of the class Shy with the key "a"'],
])('%# is no agent', async (value, found) => {
  await expect(ask(value)).rejects.toMatchObject({
    code: 'harness',
    problem: {
      message:
        `the default export is ${found}; expected a function (messages, ctx) => output, or an agent of AI SDK (ToolLoopAgent), ` +
        'LangGraph or LangChain (a compiled graph, createAgent, a runnable), Mastra (Agent), OpenAI Agents SDK (Agent)',
      at: '/nowhere/agent.ts',
    },
  });
});
