// Other exports of a module: promises, runnables, structured answers, hand-overs, CommonJS, and values that are not agents.

import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../test/e2e/support/assay.ts';
import { startModelServer } from '../test/servers/model-server.ts';
import type { ModelServerOptions } from '../test/servers/model-server.ts';
import type { Ran } from './run-agent.ts';
import { model, runAgent, transcriptOf } from './run-agent.ts';

const SPENT = { usage: { input_tokens: 200, output_tokens: 10 }, cost_usd: 0.000_036 };

/** A folder with an agent that can import the packages of this folder. */
function project(files: Record<string, unknown>): string {
  const cwd = folder(files);
  symlinkSync(resolve('compat/node_modules'), join(cwd, 'node_modules'));
  return cwd;
}

/** The file that the code is in, and the case. */
type Asked = { file?: string; input?: unknown; turns?: unknown };

async function ask(code: string, { file = 'agent.ts', ...given }: Asked = {}): Promise<Ran> {
  const { url } = await model();
  const cwd = project({ [file]: code });
  const asked = given.turns === undefined ? { input: 'Hello' } : {};
  return runAgent(join(cwd, file), [{ id: 'a', ...asked, ...given }], { url, cwd });
}

async function scripted(answer: NonNullable<ModelServerOptions['answer']>): Promise<string> {
  const server = await startModelServer({ answer });
  onTestFinished(() => server.close());
  return server.url;
}

const MODEL = `
import { ChatOpenAI } from '@langchain/openai';
const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'x', maxRetries: 0, configuration: { baseURL: process.env.MODEL_URL } });`;

test('a promise of an agent', async () => {
  const { results } = await ask(`
    import { ToolLoopAgent } from 'ai';
    import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
    async function create() {
      const provider = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL });
      return new ToolLoopAgent({ model: provider('gpt-4o-mini') });
    }
    export default create();`);
  expect(transcriptOf(results['a'])).toEqual({
    output: 'You said: Hello',
    tool_calls: [],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'You said: Hello' },
    ],
    ...SPENT,
  });
});

test('a promise that fails is a failure of the agent', async () => {
  const { results } = await ask('export default Promise.reject(new Error("no key"))');
  expect(results['a']).toMatchObject({ status: 'error', code: 'agent', error: 'no key' });
});

test('an agent in a package.yao', async () => {
  const { url } = await model();
  const cwd = project({
    'app.yao': '{}',
    'agent.ts': `${MODEL}\nexport default model;`,
    'assistants/chat/package.yao': { run: { module: '../../agent.ts' } },
  });
  const { results } = await runAgent('chat', [{ id: 'a', input: 'Hello' }], { url, cwd });
  expect(transcriptOf(results['a'])).toEqual({
    output: 'You said: Hello',
    tool_calls: [],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'You said: Hello' },
    ],
    ...SPENT,
  });
});

test('a chain gets the variables of its prompt', async () => {
  const code = `${MODEL}
    import { ChatPromptTemplate } from '@langchain/core/prompts';
    import { StringOutputParser } from '@langchain/core/output_parsers';
    const prompt = ChatPromptTemplate.fromMessages([['placeholder', '{chat_history}'], ['human', 'Q: {question}']]);
    export default prompt.pipe(model).pipe(new StringOutputParser());`;
  const input = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'Why?' },
  ];
  const { results } = await ask(code, { input });
  expect(transcriptOf(results['a'])).toEqual({
    output: 'You said: Q: Why?',
    tool_calls: [],
    messages: [...input, { role: 'assistant', content: 'You said: Q: Why?' }],
    ...SPENT,
  });
});

test('models and tools that leave no message in the state are counted', async () => {
  const { results } = await ask(`${MODEL}
    import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
    import { tool } from '@langchain/core/tools';
    import { z } from 'zod';
    const half = tool(({ of }) => of / 2, { name: 'half', description: 'h', schema: z.object({ of: z.number() }) });
    export default new StateGraph(MessagesAnnotation)
      .addNode('only', async ({ messages }) => {
        const { content } = await model.invoke(messages);
        return { messages: [['ai', content + ' ' + (await half.invoke({ of: 8 }))]] };
      })
      .addEdge(START, 'only')
      .compile();`);
  expect(transcriptOf(results['a'])).toEqual({
    output: 'You said: Hello 4',
    tool_calls: [{ name: 'half', arguments: { of: 8 }, result: 4 }],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'You said: Hello 4' },
    ],
    ...SPENT,
  });
});

test('a graph that remembers starts anew every time', async () => {
  const code = `
    import { MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
    export default new StateGraph(MessagesAnnotation)
      .addNode('only', async ({ messages }) => ({ messages: [['ai', String(messages.length)]] }))
      .addEdge(START, 'only')
      .compile({ checkpointer: new MemorySaver() });`;
  const { results } = await ask(code, { turns: [{ input: 'Hello' }, { input: 'Again' }] });
  expect(transcriptOf(results['a'])).toEqual({
    output: '3',
    tool_calls: [],
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: '3' },
    ],
  });
});

test('a model of any maker that cannot answer is not the fault of the graph, a node that throws is', async () => {
  const code = `
    import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
    import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
    class Odd extends SimpleChatModel {
      _llmType() { return 'odd'; }
      _call() { throw Object.assign(new Error('overloaded'), { status: 529 }); }
    }
    const model = new Odd({});
    export default new StateGraph(MessagesAnnotation)
      .addNode('only', async ({ messages }) => {
        if (messages[0].content === 'Throw') throw Object.assign(new Error('no stock'), { status: 503 });
        return { messages: [await model.invoke(messages)] };
      })
      .addEdge(START, 'only')
      .compile();`;
  const endOf = async (input: string): Promise<unknown> => {
    const { code: blame, error } = (await ask(code, { input })).results['a'] ?? {};
    return [blame, error];
  };
  expect(await endOf('Hello')).toEqual(['connection', 'the model answered 529: overloaded']);
  expect(await endOf('Throw')).toEqual(['agent', 'no stock']);
});

test.each([
  [
    'ai-sdk',
    `import { Output, ToolLoopAgent } from 'ai';
     import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
     import { z } from 'zod';
     const provider = createOpenAICompatible({ name: 'local', baseURL: process.env.MODEL_URL });
     export default new ToolLoopAgent({ model: provider('gpt-4o-mini'), output: Output.object({ schema: z.object({ n: z.number() }) }) });`,
  ],
  [
    'langchain',
    `${MODEL}
     import { createAgent, providerStrategy } from 'langchain';
     import { z } from 'zod';
     export default createAgent({ model, tools: [], responseFormat: providerStrategy(z.object({ n: z.number() })) });`,
  ],
  [
    'openai-agents',
    `import { Agent, OpenAIChatCompletionsModel } from '@openai/agents';
     import OpenAI from 'openai';
     import { z } from 'zod';
     const client = new OpenAI({ apiKey: 'local', baseURL: process.env.MODEL_URL });
     export default new Agent({ name: 'n', model: new OpenAIChatCompletionsModel(client, 'gpt-4o-mini'), outputType: z.object({ n: z.number() }) });`,
  ],
])('an agent that answers with an object: %s', async (_name, code) => {
  const url = await scripted(() => '{"n": 7}');
  const cwd = project({ 'agent.ts': code });
  const { results } = await runAgent(
    join(cwd, 'agent.ts'),
    [{ id: 'a', input: 'Hello', expected: { n: 7 } }],
    { url, cwd },
  );
  expect([results['a']?.status, results['a']?.output]).toEqual(['passed', { n: 7 }]);
});

test('a hand-over is a tool call; what both agents took is added', async () => {
  const url = await scripted((_request, count) =>
    count === 1 ? { tool_calls: [{ name: 'transfer_to_billing', arguments: {}, id: 'call_1' }] } : 'Paid.',
  );
  const cwd = project({
    'agent.ts': `
      import { Agent, OpenAIChatCompletionsModel } from '@openai/agents';
      import OpenAI from 'openai';
      const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'x', baseURL: process.env.MODEL_URL }), 'unheard-of');
      const billing = new Agent({ name: 'billing', model });
      export default new Agent({ name: 'front', model, handoffs: [billing] });`,
  });
  const { results } = await runAgent(join(cwd, 'agent.ts'), [{ id: 'a', input: 'Pay me' }], { url, cwd });
  expect(transcriptOf(results['a'])).toEqual({
    output: 'Paid.',
    tool_calls: [{ name: 'transfer_to_billing', arguments: {}, result: '{"assistant":"billing"}' }],
    messages: [
      { role: 'user', content: 'Pay me' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'transfer_to_billing', arguments: '{}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        name: 'transfer_to_billing',
        content: '{"assistant":"billing"}',
      },
      { role: 'assistant', content: 'Paid.' },
    ],
    usage: { input_tokens: 20, output_tokens: 10 },
    cost_usd: null,
  });
});

test('an agent that speaks the Responses API, which is what the OpenAI Agents SDK does by itself', async () => {
  const said = [
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'half',
      arguments: '{"of":8}',
      status: 'completed',
    },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'It is 4.', annotations: [] }],
    },
  ];
  const usage = {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 400 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1010,
  };
  const paths: string[] = [];
  const url = await scripted(({ path, body: { model: name } }, count) => {
    paths.push(path);
    const output = said.slice(count - 1, count);
    const id = `resp_${String(count)}`;
    return {
      body: JSON.stringify({ id, object: 'response', model: name, status: 'completed', output, usage }),
    };
  });
  const cwd = project({
    'agent.ts': `
      import { Agent, setDefaultOpenAIClient, tool } from '@openai/agents';
      import OpenAI from 'openai';
      import { z } from 'zod';
      setDefaultOpenAIClient(new OpenAI({ apiKey: 'x', baseURL: process.env.MODEL_URL }));
      const half = tool({ name: 'half', description: 'h', parameters: z.object({ of: z.number() }), execute: ({ of }) => of / 2 });
      export default new Agent({ name: 'maths', model: 'gpt-4o-mini', tools: [half] });`,
  });
  const { results } = await runAgent(join(cwd, 'agent.ts'), [{ id: 'a', input: 'Half of 8?' }], { url, cwd });
  expect(paths).toEqual(['/v1/responses', '/v1/responses']);
  expect(transcriptOf(results['a'])).toEqual({
    output: 'It is 4.',
    tool_calls: [{ name: 'half', arguments: { of: 8 }, result: 4 }],
    messages: [
      { role: 'user', content: 'Half of 8?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'half', arguments: '{"of":8}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'half', content: '4' },
      { role: 'assistant', content: 'It is 4.' },
    ],
    usage: { input_tokens: 2000, output_tokens: 20 },
    // 600 fresh tokens a call at $0.15, 400 from the cache at half of that, 10 of the answer at $0.60 a million.
    cost_usd: 0.000_252,
  });
});

test('an agent of the OpenAI Agents SDK that was required runs with what was required', async () => {
  const { results } = await ask(
    `const { Agent, setDefaultOpenAIClient, setOpenAIAPI } = require('@openai/agents');
     const OpenAI = require('openai');
     setDefaultOpenAIClient(new OpenAI({ apiKey: 'x', baseURL: process.env.MODEL_URL }));
     setOpenAIAPI('chat_completions');
     module.exports = new Agent({ name: 'plain', model: 'gpt-4o-mini' });`,
    { file: 'agent.cjs' },
  );
  expect(results['a']).toMatchObject({ status: 'passed', output: 'You said: Hello', ...SPENT });
});

test('what is no agent says what it is and what would be one', async () => {
  const accepted =
    'expected a function (messages, ctx) => output, or an agent of ' +
    'AI SDK (ToolLoopAgent), LangGraph or LangChain (a compiled graph, createAgent, a runnable), Mastra (Agent), OpenAI Agents SDK (Agent)';
  const graph = `import { Annotation, START, StateGraph } from '@langchain/langgraph';
    const graph = new StateGraph(Annotation.Root({ question: Annotation, answer: Annotation }))
      .addNode('only', () => ({ answer: 1 })).addEdge(START, 'only');`;
  // A run that ends with exit code 2 is thrown with its words.
  const refusal = async (code: string): Promise<string | undefined> => {
    try {
      return (await ask(code)).results['a']?.error;
    } catch (error) {
      return error instanceof Error ? error.message : undefined;
    }
  };
  expect(await refusal(`${graph}\nexport default graph;`)).toBe(
    `agent.ts: the default export is a graph that is not compiled; ${accepted}\n  hint: write: export default graph.compile()\n`,
  );
  expect(await refusal(`${graph}\nexport default graph.compile();`)).toContain(
    'the state of the graph has no "messages" (it has question, answer)',
  );
  expect(
    await refusal('class Bot { generate() {} }\nexport default Object.assign(new Bot(), { size: 1 });'),
  ).toContain(`agent.ts: the default export is an object of the class Bot`);
});
