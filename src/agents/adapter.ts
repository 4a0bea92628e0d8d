// What every agent adapter looks like to the rest of the program.

import type { AgentDefinition, Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';

/** What an adapter may use during one attempt; nothing else reaches the outside. */
export type AgentDeps = {
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** Options of the case, over those of the definition. */
  options?: Record<string, unknown>;
};

/** An opened agent: it may be called many times, at the same time. Failures are thrown as AttemptError. */
export type Agent = {
  /** Loads what the first call needs, so that loading is not measured as answering; nothing if that is done. */
  prepare?(deps: AgentDeps): Promise<void> | undefined;
  run(messages: Message[], context: ContextData, deps: AgentDeps): Transcript | Promise<Transcript>;
};

/** What an adapter may know of its surroundings. */
export type OpenOptions = {
  /** The application root, which holds the cache of bundles. */
  root: string;
};

/** Opens an agent in a worker; called once per definition and worker. Runs no user code yet. */
export type AgentAdapter = (definition: AgentDefinition, options: OpenOptions) => Agent | Promise<Agent>;
