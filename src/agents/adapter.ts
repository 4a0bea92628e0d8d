// What every agent adapter looks like to the rest of the program.

import type { AttemptError } from '../errors.ts';
import type { AgentDefinition, Transcript } from '../model/agent.ts';
import type { Connector } from '../model/connector.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';

/** What an adapter may use during one attempt; nothing else reaches the outside. */
export type AgentDeps = {
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** Further tries of a model call that could not be measured. */
  retries?: number;
  /** Told what the attempt waits for that is not its own fault; what it gives is called when that is over. */
  waiting?(reason: AttemptError): () => void;
  /** Told what ends something that the attempt has begun elsewhere: its outcome waits for it, for a limited time. */
  closing?(work: Promise<unknown>): void;
  /** Options of the case, over those of the definition. */
  options?: Record<string, unknown>;
  /** The agents that have handed over so far, the one under test first. */
  chain?: readonly string[];
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
  directory: Directory;
};

/** Finds what is named while an attempt runs; everything is looked for once. Throws ConfigError. */
export type Directory = {
  agent(name: string): Promise<OpenedAgent>;
  /** The built-in judge on a connector. */
  judge(connector: string): Promise<OpenedAgent>;
  /** `folder`: of the assistant that asks, which may have connectors of its own. */
  connector(id: string, folder?: string): Promise<Connector>;
};

export type OpenedAgent = { definition: AgentDefinition; agent: Agent };

/** Opens an agent in a worker; called once per definition and worker. Runs no user code yet. */
export type AgentAdapter = (definition: AgentDefinition, options: OpenOptions) => Agent | Promise<Agent>;

/** The `waiting` of others, to be handed on; they may be an object that needs to be called as one. */
export function waitingOf(deps: Pick<AgentDeps, 'waiting'>): Pick<AgentDeps, 'waiting'> {
  return { waiting: (reason) => deps.waiting?.(reason) ?? nothing };
}

function nothing(): void {}
