// The interface of agents and of the adapters that open them.

import type { AttemptError } from '../errors.ts';
import type { AgentDefinition, Transcript } from '../model/agent.ts';
import type { Connector } from '../model/connector.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';

/** Everything an adapter may use during one attempt. */
export type AgentDeps = {
  env: Record<string, string | undefined>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** How often a failed model call is retried. */
  retries?: number;
  /** Called when the attempt waits for something outside its control, such as a rate limit; call the result when the wait is over. */
  waiting?(reason: AttemptError): () => void;
  /** Registers cleanup, such as canceling a remote task: the outcome waits for it for a limited time. */
  closing?(work: Promise<unknown>): void;
  /** Options of the case; they override those of the definition. */
  options?: Record<string, unknown>;
  /** Receives the pieces of the model's answers while they arrive. */
  heard?(text: string): void;
  /** The agents that have delegated so far, starting with the agent under test. */
  chain?: readonly string[];
};

/** An opened agent. Calls may run concurrently; failures are thrown as AttemptError. */
export type Agent = {
  /** Loads the agent's code before its time is measured; returns undefined if that is already done. */
  prepare?(deps: AgentDeps): Promise<void> | undefined;
  run(messages: Message[], context: ContextData, deps: AgentDeps): Transcript | Promise<Transcript>;
};

export type OpenOptions = {
  /** The application root, which holds the cache of bundles. */
  root: string;
  directory: Directory;
};

/** Looks up agents and connectors by name during an attempt; results are cached. Throws ConfigError. */
export type Directory = {
  agent(name: string): Promise<OpenedAgent>;
  /** The built-in judge on a connector. */
  judge(connector: string): Promise<OpenedAgent>;
  /** `folder` is the assistant's folder, which may have its own connectors. */
  connector(id: string, folder?: string): Promise<Connector>;
};

export type OpenedAgent = { definition: AgentDefinition; agent: Agent };

/** Opens an agent; called once per definition and worker. Does not run user code yet. */
export type AgentAdapter = (definition: AgentDefinition, options: OpenOptions) => Agent | Promise<Agent>;

/** Passes `waiting` on; it may be a method that needs its object. */
export function forwardWaiting(deps: Pick<AgentDeps, 'waiting'>): Pick<AgentDeps, 'waiting'> {
  return { waiting: (reason) => deps.waiting?.(reason) ?? nothing };
}

function nothing(): void {}

/** The dependencies of an agent with the options of a case or a question. */
export function withOptions(deps: AgentDeps, options: Record<string, unknown>): AgentDeps {
  const { env, fetch, signal, retries } = deps;
  return {
    env,
    fetch,
    signal,
    ...forwardWaiting(deps),
    closing: (work) => deps.closing?.(work),
    options,
    retries,
  };
}
