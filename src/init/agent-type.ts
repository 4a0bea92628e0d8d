// What an agent can be to someone who starts with Assay.

/** The values of `assay init --agent`, with the words of the question. */
export const AGENT_TYPES = {
  function: 'a TypeScript or JavaScript function',
  'ai-sdk': 'an agent of the AI SDK',
  mastra: 'an agent of Mastra',
  langgraph: 'a graph of LangGraph',
  'openai-agents': 'an agent of the OpenAI Agents SDK',
  http: 'an HTTP endpoint',
  python: 'a Python function',
  assistant: 'an assistant: a folder with prompts, hooks and tools',
} as const;

export type AgentType = keyof typeof AGENT_TYPES;

/** The package whose presence in package.json means the framework. Mastra comes first: its projects often have the AI SDK, too. */
export const FRAMEWORK_PACKAGES = {
  mastra: '@mastra/core',
  langgraph: '@langchain/langgraph',
  'openai-agents': '@openai/agents',
  'ai-sdk': 'ai',
} as const satisfies { [Type in AgentType]?: string };

export type FrameworkType = keyof typeof FRAMEWORK_PACKAGES;

export function isFramework(type: AgentType): type is FrameworkType {
  return Object.hasOwn(FRAMEWORK_PACKAGES, type);
}

export function isAgentType(text: string): text is AgentType {
  return Object.hasOwn(AGENT_TYPES, text);
}
