// Delegation from one agent to another, with a limit on depth and a check for cycles.

import { AttemptError, ConfigError, describeProblem } from '../../errors.ts';
import type { AgentDefinition, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { joinSpending } from '../../model/spending.ts';
import type { AgentDeps, Directory, OpenedAgent } from '../adapter.ts';
import { forwardWaiting } from '../adapter.ts';
import type { UserContext } from '../../scripts/user-context.ts';
import { currentContext } from '../../scripts/user-context.ts';
import { shareSession } from '../../scripts/context/session.ts';
import type { Delegate } from './hooks.ts';

const MAX_DEPTH = 10;

export type DelegationContext = {
  /** The agent that delegates. */
  definition: AgentDefinition;
  directory: Directory;
  context: ContextData;
  ctx: UserContext;
  deps: AgentDeps;
};

/** Runs the other agent with its own messages, if the hook gave any, else with the current ones. */
export async function delegateTo(
  delegate: Delegate,
  messages: Message[],
  { definition, directory, context, ctx, deps }: DelegationContext,
): Promise<Transcript> {
  const chain = deps.chain ?? [definition.id];
  const { definition: next, agent } = await find(delegate.agent_id, directory, chain);
  const path = checkChain(next.id, chain);
  const handed: ContextData = { ...currentContext(context, ctx), assistant_id: next.id };
  shareSession(context, handed);
  const { env, fetch, signal, retries } = deps;
  const delegated: AgentDeps = {
    env,
    fetch,
    signal,
    chain: path,
    ...forwardWaiting(deps),
  };
  if (retries !== undefined) delegated.retries = retries;
  if (deps.heard !== undefined) delegated.heard = deps.heard;
  // Options of the case apply to the first agent only.
  if (delegate.options !== undefined) delegated.options = delegate.options;
  return agent.run(delegate.messages ?? messages, handed, delegated);
}

/** The chain with the next agent. Throws if it is too long or a circle. */
export function checkChain(id: string, chain: readonly string[]): string[] {
  const path = [...chain, id];
  if (chain.includes(id)) throw new AttemptError('agent', `delegation in a circle: ${path.join(' → ')}`);
  if (path.length <= MAX_DEPTH) return path;
  throw new AttemptError('agent', `delegation deeper than ${String(MAX_DEPTH)} agents: ${path.join(' → ')}`);
}

/** A missing agent is an error of the agent that names it. */
async function find(id: string, directory: Directory, chain: readonly string[]): Promise<OpenedAgent> {
  try {
    return await directory.agent(id);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const text = `${chain.at(-1) ?? 'an agent'} delegates to "${id}": ${describeProblem(error)}`;
    throw new AttemptError('agent', text);
  }
}

/** Merges two transcripts; the output is that of the second. */
export function mergeTranscripts(first: Transcript, second: Transcript): Transcript {
  const spent = joinSpending(first, second);
  const merged: Transcript = { ...first, ...second, ...spent };
  if (spent.usage === undefined) delete merged.usage;
  // If one does not report tool calls, the merged list would be incomplete.
  if (first.tool_calls === undefined || second.tool_calls === undefined) delete merged.tool_calls;
  else merged.tool_calls = [...first.tool_calls, ...second.tool_calls];
  if (first.first_token_ms !== undefined) merged.first_token_ms = first.first_token_ms;
  return merged;
}
