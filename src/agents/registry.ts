// What can be tested: a definition comes in, an agent that can be called comes out.

import { dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import type { AgentDefinition, AgentRun } from '../model/agent.ts';
import type { Agent, AgentAdapter, OpenOptions } from './adapter.ts';

/** How each kind of agent is opened; loaded when it is needed, because a run has one kind of agent. */
const agents: Record<AgentRun['type'], () => Promise<AgentAdapter>> = {
  assistant: async () => (await import('./assistant.ts')).openAssistant,
  command: async () => (await import('./command.ts')).openCommand,
  http: async () => (await import('./http.ts')).openHttp,
  module: async () => (await import('./module.ts')).openModule,
};

/** Opens an agent; only for processes that may run user code, although none runs before the first attempt. */
export async function openAgent(
  definition: AgentDefinition,
  options: Partial<OpenOptions> = {},
): Promise<Agent> {
  const open = await agents[definition.run.type]();
  return open(definition, { root: options.root ?? rootOf(definition.run) });
}

/** The folder above the agent's code that has bundles already, else the code's own. */
function rootOf(run: AgentRun): string {
  const start = run.type === 'module' ? dirname(run.file) : run.type === 'assistant' ? run.folder : '/';
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.assay', 'cache'))) return folder;
  }
  return start;
}
