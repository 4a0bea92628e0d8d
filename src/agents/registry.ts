// Opens an agent from its definition.

import { AttemptError } from '../errors.ts';
import type { AgentDefinition, AgentRun } from '../model/agent.ts';
import type { Agent, AgentAdapter, OpenOptions } from './adapter.ts';

/** Adapters by type, loaded on demand: most runs use only one. */
const agents: Record<AgentRun['type'], () => Promise<AgentAdapter>> = {
  a2a: async () => (await import('./a2a/open-a2a.ts')).openA2a,
  assistant: async () => (await import('./assistant/open-assistant.ts')).openAssistant,
  command: async () => (await import('./command/command.ts')).openCommand,
  // Only the program that has the function can call it; see kinds/agent/worker/attempt-runner.ts.
  function: async () => () =>
    Promise.reject(new AttemptError('harness', 'a function cannot be called from here')),
  http: async () => (await import('./http/http.ts')).openHttp,
  module: async () => (await import('./module.ts')).openModule,
  python: async () => (await import('./python/open-python.ts')).openPython,
  recorded: () => Promise.reject(new Error('recorded answers are judged, their agent is not run')),
};

/** For worker processes only, because the first attempt runs user code. */
export async function openAgent(definition: AgentDefinition, options: OpenOptions): Promise<Agent> {
  const open = await agents[definition.run.type]();
  return open(definition, options);
}
