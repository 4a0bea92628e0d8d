// Functions that return what their SDK gives them. `metadata.way` of a case selects how the SDK is called.

import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../test/e2e/support/assay.ts';
import { startModelServer } from '../test/servers/model-server.ts';
import type { Ran } from './run-agent.ts';
import { model, runAgent, transcriptOf } from './run-agent.ts';
import { startSdkModel } from './sdk-model.ts';

const QUESTION = 'What is the weather in Oslo?';
const CALL = {
  id: 'call_Oslo',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
};
const CALLED = { type: 'tool_called', value: { name: 'weather', arguments: { city: 'Oslo' } } };
const USAGE = { input_tokens: 200, output_tokens: 10 };

/** Runs the function on two questions in every way that it knows: one is answered with text, one with a tool call. */
async function askInAllWays(code: string, ways: string[], url: string, more: object[] = []): Promise<Ran> {
  const cwd = folder({ 'agent.ts': code });
  symlinkSync(resolve('compat/node_modules'), join(cwd, 'node_modules'));
  const cases = ways.flatMap((way) => [
    { id: `${way} text`, input: 'Hello', metadata: { way } },
    { id: `${way} call`, input: QUESTION, metadata: { way }, assert: CALLED },
  ]);
  return runAgent(join(cwd, 'agent.ts'), [...cases, ...more], { url, cwd });
}

function transcripts({ results }: Ran): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => [
      id,
      result.status === 'passed' ? transcriptOf(result) : `${String(result.code)}: ${result.error}`,
    ]),
  );
}

async function sdkModel(): Promise<string> {
  const server = await startSdkModel();
  onTestFinished(() => server.close());
  return server.url;
}

/** The answers of a model that is asked once. */
function answers(ways: string[], spent: object, call: object = CALL): Record<string, unknown> {
  return Object.fromEntries(
    ways.flatMap((way) => [
      [
        `${way} text`,
        {
          output: 'You said: Hello',
          tool_calls: [],
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'You said: Hello' },
          ],
          ...spent,
        },
      ],
      [
        `${way} call`,
        {
          output: '',
          tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
          messages: [
            { role: 'user', content: QUESTION },
            { role: 'assistant', content: null, tool_calls: [call] },
          ],
          ...spent,
        },
      ],
    ]),
  );
}

const OPENAI = `
  import OpenAI from 'openai';
  const client = new OpenAI({ apiKey: 'x', baseURL: process.env.MODEL_URL, maxRetries: 0 });
  const model = 'gpt-4o-mini';
  const stream_options = { include_usage: true };
  const WAYS = {
    chat: (messages) => client.chat.completions.create({ model, messages }),
    'chat helper': (messages) => client.chat.completions.stream({ model, messages, stream_options }),
    response: (input) => client.responses.create({ model, input }),
    'response helper': (input) => client.responses.stream({ model, input }),
    'chat stream': (messages) => client.chat.completions.create({ model, messages, stream: true, stream_options }),
    'response stream': (input) => client.responses.create({ model, input, stream: true }),
    'chat pieces': async function* (messages) {
      yield* await client.chat.completions.create({ model, messages, stream: true, stream_options });
    },
    wrapped: async (messages) => {
      try {
        return await client.chat.completions.create({ model, messages });
      } catch (cause) {
        throw new Error('the weather is unknown', { cause });
      }
    },
    own: () => { throw Object.assign(new Error('no such city'), { status: 503 }); },
  };
  export default (messages, ctx) => WAYS[ctx.metadata.way](messages);`;

test('a function returns what the OpenAI SDK gives it', async () => {
  const whole = ['chat', 'chat helper', 'response', 'response helper'];
  const streams = ['chat stream', 'response stream', 'chat pieces'];
  const url = await sdkModel();
  const ran = await askInAllWays(OPENAI, [...whole, ...streams], url);
  expect(transcripts(ran)).toEqual({
    ...answers(whole, { usage: USAGE, cost_usd: 0.000_036 }),
    ...answers(streams, { usage: USAGE, cost_usd: undefined }, { ...CALL, id: 'call_1' }),
  });
});

test('what the OpenAI SDK throws is classified; what the function throws is its failure', async () => {
  const url = await sdkModel();
  const refused = [401, 403, 408, 429, 500, 400, 404, 422].map((status) => ({
    id: String(status),
    input: `Please refuse with ${String(status)}`,
    metadata: { way: 'chat' },
  }));
  const more = [
    { id: 'as cause', input: 'Please refuse with 503', metadata: { way: 'wrapped' } },
    { id: 'own', input: 'Hello', metadata: { way: 'own' } },
    { id: 'helper', input: 'Please refuse with 500', metadata: { way: 'chat helper' } },
    { id: 'cut', input: 'Please break off', metadata: { way: 'chat stream' } },
  ];
  expect(transcripts(await askInAllWays(OPENAI, [], url, [...refused, ...more]))).toEqual({
    400: 'agent: 400 not today',
    401: 'auth: the model answered 401: not today',
    403: 'auth: the model answered 403: not today',
    404: 'agent: 404 not today',
    408: 'connection: the model answered 408: not today',
    422: 'agent: 422 not today',
    429: 'rate_limit: the model answered 429: not today',
    500: 'connection: the model answered 500: not today',
    'as cause': 'connection: the model answered 503: not today',
    own: 'agent: no such city',
    helper: 'connection: the model answered 500: not today',
    cut: expect.stringMatching(/^connection: the model cannot be reached: /),
  });
});

const ANTHROPIC = `
  import Anthropic from '@anthropic-ai/sdk';
  const client = new Anthropic({ apiKey: 'x', baseURL: process.env.MODEL_URL.replace('/v1', ''), maxRetries: 0 });
  const options = { model: 'claude-sonnet-4-5', max_tokens: 100 };
  const WAYS = {
    whole: (messages) => client.messages.create({ ...options, messages }),
    helper: (messages) => client.messages.stream({ ...options, messages }),
    stream: (messages) => client.messages.create({ ...options, messages, stream: true }),
  };
  export default (messages, ctx) => WAYS[ctx.metadata.way](messages);`;

test('a function returns what the Anthropic SDK gives it', async () => {
  const url = await sdkModel();
  const refused = [429, 529, 400].map((status) => ({
    id: String(status),
    input: `Please refuse with ${String(status)}`,
    metadata: { way: 'whole' },
  }));
  const ran = await askInAllWays(ANTHROPIC, ['whole', 'helper', 'stream'], url, refused);
  expect(transcripts(ran)).toEqual({
    // $3 and $15 per million tokens.
    ...answers(['whole', 'helper'], { usage: USAGE, cost_usd: 0.000_75 }),
    ...answers(['stream'], { usage: USAGE, cost_usd: undefined }, { ...CALL, id: 'call_1' }),
    400: expect.stringMatching(/^agent: .*not today/),
    429: 'rate_limit: the model answered 429: not today',
    529: 'connection: the model answered 529: not today',
  });
});

function aiSdk(ai: string, provider: string): string {
  return `
    import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, tool } from '${ai}';
    import { createOpenAICompatible } from '${provider}';
    import { z } from 'zod';
    const compatible = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL, includeUsage: true });
    const model = compatible('gpt-4o-mini');
    const weather = tool({
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => {
        if (city === 'Atlantis') throw new Error('there is no Atlantis');
        return { city, degrees: city.length };
      },
    });
    const options = { model, tools: { weather }, stopWhen: stepCountIs(5), maxRetries: 0, onError() {} };
    const schema = z.object({ degrees: z.number() });
    const WAYS = {
      text: (messages) => generateText({ ...options, messages }),
      stream: (messages) => streamText({ ...options, messages }),
      read: async (messages) => {
        const result = streamText({ ...options, messages });
        for await (const piece of result.textStream) console.log(piece);
        return result;
      },
      route: (messages) => streamText({ ...options, messages }).toTextStreamResponse(),
      pieces: (messages) => streamText({ ...options, messages }).textStream,
      object: (messages) => generateObject({ model, schema, messages, maxRetries: 0 }),
      'object stream': (messages) => streamObject({ model, schema, messages, maxRetries: 0, onError() {} }),
      output: (messages) =>
        generateText({ ...options, messages, experimental_output: Output.object({ schema }), output: Output.object({ schema }) }),
      'output stream': (messages) =>
        streamText({ ...options, messages, experimental_output: Output.object({ schema }), output: Output.object({ schema }) }),
    };
    export default (messages, ctx) => WAYS[ctx.metadata.way](messages);`;
}

test.each([
  ['5', 'ai-v5', '@ai-sdk/openai-compatible-1'],
  ['6', 'ai', '@ai-sdk/openai-compatible'],
])('a function returns what the AI SDK %s gives it', async (_version, ai, provider) => {
  const { url } = await model();
  const code = aiSdk(ai, provider);
  const lost = (way: string) => ({ id: `${way} lost`, input: 'Is it warm in Atlantis?', metadata: { way } });
  const refused = (way: string) => ({ id: `${way} 429`, input: 'Please refuse with 429', metadata: { way } });
  const more = [lost('text'), lost('stream'), refused('text'), refused('stream'), refused('object stream')];
  const ran = await askInAllWays(code, ['text', 'stream', 'read', 'route', 'pieces'], url, more);
  const told = '{"city":"Oslo","degrees":4}';
  const loop = {
    output: `I heard: ${told}`,
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' }, result: { city: 'Oslo', degrees: 4 } }],
    messages: [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_Oslo', name: 'weather', content: told },
      { role: 'assistant', content: `I heard: ${told}` },
    ],
    usage: { input_tokens: 300, output_tokens: 30 },
    cost_usd: 0.000_063,
  };
  const { 'text text': said } = answers(['text'], { usage: USAGE, cost_usd: 0.000_036 });
  const { results } = ran;
  for (const way of ['text', 'stream', 'read']) {
    expect([way, transcriptOf(results[`${way} text`]), transcriptOf(results[`${way} call`])]).toEqual([
      way,
      said,
      loop,
    ]);
  }
  for (const way of ['route', 'pieces']) {
    const only = (output: string) => ({ output });
    expect([way, transcriptOf(results[`${way} text`]), transcriptOf(results[`${way} call`])]).toEqual([
      way,
      only('You said: Hello'),
      only(`I heard: ${told}`),
    ]);
  }
  for (const way of ['text', 'stream']) {
    expect(transcriptOf(results[`${way} lost`]).tool_calls).toEqual([
      { name: 'weather', arguments: { city: 'Atlantis' }, error: 'there is no Atlantis' },
    ]);
  }
  for (const way of ['text', 'stream', 'object stream']) {
    expect([way, results[`${way} 429`]?.code, results[`${way} 429`]?.error]).toEqual([
      way,
      'rate_limit',
      'the model answered 429: not today',
    ]);
  }
});

test.each([
  ['5', 'ai-v5', '@ai-sdk/openai-compatible-1'],
  ['6', 'ai', '@ai-sdk/openai-compatible'],
])('a structured answer of the AI SDK %s is the output', async (_version, ai, provider) => {
  const server = await startModelServer({
    answer: () => ({ text: '{"degrees":4}', usage: { input: 200, output: 10 } }),
  });
  onTestFinished(() => server.close());
  const ways = ['object', 'object stream', 'output', 'output stream'];
  const cases = ways.map((way) => ({ id: way, input: 'Hello', metadata: { way } }));
  const ran = await askInAllWays(aiSdk(ai, provider), [], server.url, cases);
  const expected = {
    output: { degrees: 4 },
    tool_calls: [],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: expect.stringMatching(/^\{"degrees":\s*4\}$/) },
    ],
    usage: USAGE,
    cost_usd: 0.000_036,
  };
  expect(transcripts(ran)).toEqual(Object.fromEntries(ways.map((way) => [way, expected])));
});

test('a function returns messages of LangChain, the state of a graph, and a stream of chunks', async () => {
  const { url } = await model();
  const code = `
    import { ChatOpenAI } from '@langchain/openai';
    import { tool } from '@langchain/core/tools';
    import { createAgent } from 'langchain';
    import { z } from 'zod';
    const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'x', maxRetries: 0, configuration: { baseURL: process.env.MODEL_URL } });
    const weather = tool(({ city }) => ({ city, degrees: city.length }), {
      name: 'weather', description: 'The weather in a city', schema: z.object({ city: z.string() }),
    });
    const agent = createAgent({ model, tools: [weather] });
    const WAYS = {
      message: (messages) => model.invoke(messages),
      stream: (messages) => model.stream(messages),
      state: (messages) => agent.invoke({ messages }),
      list: async (messages) => (await agent.invoke({ messages })).messages,
    };
    export default (messages, ctx) => WAYS[ctx.metadata.way](messages);`;
  const more = [
    { id: 'refused', input: 'Please refuse with 429', metadata: { way: 'state' } },
    { id: 'refused stream', input: 'Please refuse with 503', metadata: { way: 'stream' } },
  ];
  const ran = await askInAllWays(code, ['message', 'stream', 'state', 'list'], url, more);
  const told = '{"city":"Oslo","degrees":4}';
  const loop = {
    output: `I heard: ${told}`,
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' }, result: told }],
    messages: [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_Oslo', name: 'weather', content: told },
      { role: 'assistant', content: `I heard: ${told}` },
    ],
    usage: { input_tokens: 300, output_tokens: 30 },
    cost_usd: 0.000_063,
  };
  const once = answers(['message', 'stream', 'state', 'list'], { usage: USAGE, cost_usd: 0.000_036 });
  const asked = { usage: { input_tokens: 100, output_tokens: 20 }, cost_usd: 0.000_027 };
  expect(transcripts(ran)).toEqual({
    ...once,
    'message call': { ...(once['message call'] as object), ...asked },
    'stream call': { ...(once['stream call'] as object), ...asked },
    'state call': loop,
    'list call': loop,
    refused: 'rate_limit: the model answered 429: not today',
    'refused stream': 'connection: the model answered 503: not today',
  });
});

test('a function returns a helper of the OpenAI SDK that runs tools', async () => {
  const url = await sdkModel();
  const code = `
    import OpenAI from 'openai';
    const client = new OpenAI({ apiKey: 'x', baseURL: process.env.MODEL_URL, maxRetries: 0 });
    const weather = {
      type: 'function',
      function: {
        name: 'weather', description: 'The weather in a city', parse: JSON.parse,
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        function: ({ city }) => ({ city, degrees: city.length }),
      },
    };
    const streaming = { stream: true, stream_options: { include_usage: true } };
    export default (messages, ctx) =>
      client.chat.completions.runTools({
        model: 'gpt-4o-mini', messages, tools: [weather], ...(ctx.metadata.way === 'stream' && streaming),
      });`;
  const told = '{"city":"Oslo","degrees":4}';
  const ran = await askInAllWays(code, ['whole', 'stream'], url);
  const loop = {
    output: `I heard: ${told}`,
    tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' }, result: told }],
    messages: [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_Oslo', content: told },
      { role: 'assistant', content: `I heard: ${told}` },
    ],
    usage: { input_tokens: 400, output_tokens: 20 },
    cost_usd: 0.000_072,
  };
  expect(transcripts(ran)).toEqual({
    ...answers(['whole', 'stream'], { usage: USAGE, cost_usd: 0.000_036 }),
    'whole call': loop,
    'stream call': loop,
  });
});
