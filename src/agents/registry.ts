// What can be tested: a definition comes in, an agent that can be called comes out.

import type { AgentDefinition, AgentRun } from '../model/agent.ts';
import type { Agent, AgentAdapter, OpenOptions } from './adapter.ts';

/** How each kind of agent is opened; loaded when it is needed, because a run has one kind of agent. */
const agents: Record<AgentRun['type'], () => Promise<AgentAdapter>> = {
  a2a: async () => (await import('./a2a/open-a2a.ts')).openA2a,
  assistant: async () => (await import('./assistant/open-assistant.ts')).openAssistant,
  command: async () => (await import('./command.ts')).openCommand,
  http: async () => (await import('./http/http.ts')).openHttp,
  module: async () => (await import('./module.ts')).openModule,
};

/** Opens an agent; only for processes that may run user code, although none runs before the first attempt. */
export async function openAgent(definition: AgentDefinition, options: OpenOptions): Promise<Agent> {
  const open = await agents[definition.run.type]();
  return open(definition, options);
}
