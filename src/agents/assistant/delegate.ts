// One agent hands over to another: found while the attempt runs, bounded in depth, never in a circle.

import { AttemptError, ConfigError, describeProblem } from '../../errors.ts';
import type { AgentDefinition, Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { addCalls, addCost } from '../../model/spending.ts';
import type { AgentDeps, Directory, OpenedAgent } from '../adapter.ts';
import { waitingOf } from '../adapter.ts';
import type { UserContext } from '../../scripts/user-context.ts';
import { shareMemory } from '../../scripts/user-context.ts';
import type { Delegate } from './hooks.ts';

const MAX_DEPTH = 10;

export type Surroundings = {
  /** Who delegates. */
  definition: AgentDefinition;
  directory: Directory;
  context: ContextData;
  ctx: UserContext;
  deps: AgentDeps;
};

/** Asks the other agent, with the given messages or those at hand. */
export async function delegateTo(
  delegate: Delegate,
  messages: Message[],
  { definition, directory, context, ctx, deps }: Surroundings,
): Promise<Transcript> {
  const chain = deps.chain ?? [definition.id];
  const { definition: next, agent } = await find(delegate.agent_id, directory, chain);
  const path = [...chain, next.id];
  if (chain.includes(next.id)) throw new AttemptError('agent', `delegation in a circle: ${path.join(' → ')}`);
  if (path.length > MAX_DEPTH) {
    throw new AttemptError(
      'agent',
      `delegation deeper than ${String(MAX_DEPTH)} agents: ${path.join(' → ')}`,
    );
  }
  const handed: ContextData = { ...context, assistant_id: next.id, metadata: ctx.metadata };
  shareMemory(context, handed);
  const { env, fetch, signal, retries } = deps;
  const delegated: AgentDeps = {
    env,
    fetch,
    signal,
    chain: path,
    ...waitingOf(deps),
  };
  if (retries !== undefined) delegated.retries = retries;
  // The options of the case are for the first agent.
  if (delegate.options !== undefined) delegated.options = delegate.options;
  return agent.run(delegate.messages ?? messages, handed, delegated);
}

/** That the agent is not there is the fault of the one that names it. */
async function find(id: string, directory: Directory, chain: readonly string[]): Promise<OpenedAgent> {
  try {
    return await directory.agent(id);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const text = `${chain.at(-1) ?? 'an agent'} delegates to "${id}": ${describeProblem(error)}`;
    throw new AttemptError('agent', text);
  }
}

/** What both did, with the answer of the second. */
export function mergeTranscripts(first: Transcript, second: Transcript): Transcript {
  const merged: Transcript = { ...first, ...second };
  // Who has asked no model has taken nothing, which is known.
  const isCounted = [first, second].every((one) => one.usage !== undefined || one.cost_usd !== undefined);
  const usage = isCounted ? addCalls(first.usage, second.usage) : (first.usage ?? second.usage);
  if (usage === undefined) delete merged.usage;
  else merged.usage = usage;
  // What one of them does not report is not known of both.
  if (first.tool_calls === undefined || second.tool_calls === undefined) delete merged.tool_calls;
  else merged.tool_calls = [...first.tool_calls, ...second.tool_calls];
  if (first.first_token_ms !== undefined) merged.first_token_ms = first.first_token_ms;
  const cost = addCost(first.cost_usd, second.cost_usd);
  if (cost !== undefined) merged.cost_usd = cost;
  return merged;
}
