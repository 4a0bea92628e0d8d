// The text of agents to start from. Each answers without a key and without a network, through a model of a few lines.

import type { FrameworkType } from '../agent-type.ts';

/** Makes the text of a file for a project with these packages. */
type Source = (packages: { [name: string]: string }) => string;

const ANSWER = `/** Replace this by your agent. */
function reply(question: string): string {
  if (/refund|charged/i.test(question)) return 'You get a refund within five days.';
  return 'We are open from Monday to Friday, 9 to 17.';
}
`;

export const AGENT_SOURCES: { [Type in FrameworkType | 'function']: Source } = {
  function:
    () => `// The agent that Assay tests: a function that gets the messages of a case and returns the answer.
// Let it call your agent. It may be async, and return text or anything that is JSON.

import type { Message } from 'assay';

export default async function agent(messages: Message[]) {
  const question = String(messages.at(-1)?.content ?? '');
  return reply(question);
}

${ANSWER}`,

  'ai-sdk': ({ ai = '' }) => {
    const isFive = /^[^\d]*5(?:\.|$)/.test(ai);
    const name = isFive ? 'Experimental_Agent' : 'ToolLoopAgent';
    return `// The agent that Assay tests: the default export is an agent of the AI SDK.
// Replace "model" by yours, such as openai('gpt-5-mini'), and delete the rest; or name the file of your agent in assay.config.ts.

import { ${name} } from 'ai';

export default new ${name}({
  model: localModel(),
  ${isFive ? 'system' : 'instructions'}: 'You help customers of a shop.',
});

${aiSdkModel(isFive ? 'v2' : 'v3')}`;
  },

  langgraph:
    () => `// The agent that Assay tests: the default export is a compiled graph whose state has messages.
// Let the node call your model; or name the file of your graph in assay.config.ts.

import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

export default new StateGraph(MessagesAnnotation)
  .addNode('answer', ({ messages }) => ({
    messages: [new AIMessage(reply(String(messages.at(-1)?.content ?? '')))],
  }))
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile();

${ANSWER}`,

  mastra: () => `// The agent that Assay tests: the default export is an agent of Mastra.
// Replace "model" by yours, such as 'openai/gpt-5-mini', and delete the rest; or name the file of your agent in assay.config.ts.

import { Agent } from '@mastra/core/agent';

export default new Agent({
  id: 'helper',
  name: 'Helper',
  instructions: 'You help customers of a shop.',
  model: localModel(),
});

${aiSdkModel('v2')}`,

  'openai-agents':
    () => `// The agent that Assay tests: the default export is an agent of the OpenAI Agents SDK.
// Replace "model" by yours, such as 'gpt-5-mini', and delete the rest; or name the file of your agent in assay.config.ts.

import { Agent, Usage } from '@openai/agents';
import type { Model } from '@openai/agents';

export default new Agent({
  name: 'Helper',
  instructions: 'You help customers of a shop.',
  model: localModel(),
});

/** A model that runs here, so that the first test needs no key. */
function localModel(): Model {
  return {
    async getResponse({ input }) {
      const text = reply(typeof input === 'string' ? input : JSON.stringify(input.at(-1)));
      return {
        usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
        output: [
          { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
        ],
      };
    },
    getStreamedResponse() {
      throw new Error('this model does not stream');
    },
  };
}

${ANSWER}`,
};

/** A model in the form of the AI SDK: \`v3\` for its version 6, \`v2\` for version 5 and for Mastra. */
function aiSdkModel(version: 'v2' | 'v3'): string {
  const isTwo = version === 'v2';
  const usage = isTwo
    ? '{ inputTokens: 1, outputTokens: 1, totalTokens: 2 }'
    : '{ inputTokens: { total: 1 }, outputTokens: { total: 1 } }';
  return `/** A model that runs here, so that the first test needs no key. */
function localModel(): any {
  const answer = ({ prompt }: { prompt: { content: unknown }[] }) => ({
    content: [{ type: 'text', text: reply(JSON.stringify(prompt.at(-1)?.content)) }],
    finishReason: ${isTwo ? "'stop'" : "{ unified: 'stop', raw: 'stop' }"},
    usage: ${usage},
    warnings: [],
  });
  return {
    specificationVersion: '${version}',
    provider: 'local',
    modelId: 'local',
    supportedUrls: {},
    doGenerate: async (options: any) => answer(options),
    doStream: async (options: any) => {
      const { content, finishReason, usage } = answer(options);
      return {
        stream: new ReadableStream({
          start(stream) {
            stream.enqueue({ type: 'stream-start', warnings: [] });
            stream.enqueue({ type: 'text-start', id: '1' });
            stream.enqueue({ type: 'text-delta', id: '1', delta: content[0]?.text });
            stream.enqueue({ type: 'text-end', id: '1' });
            stream.enqueue({ type: 'finish', finishReason, usage });
            stream.close();
          },
        }),
      };
    },
  };
}

${ANSWER}`;
}
