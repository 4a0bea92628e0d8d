// Asks another agent: a judge or a simulated user.

import type { OpenedAgent } from '../../../agents/adapter.ts';
import type { AttemptError } from '../../../errors.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { ContextData } from '../../../model/context.ts';
import type { AttemptDeps } from './attempt-deps.ts';
import { withOptions } from './attempt-deps.ts';
import { plainTranscript } from './plain-transcript.ts';

/** The context of the question: that of the attempt, with another assistant and its own chat. */
export function contextFor(
  context: ContextData,
  agentId: string,
  metadata: Record<string, unknown> | undefined,
): ContextData {
  return {
    ...context,
    chat_id: `${context.chat_id}-${agentId}`,
    assistant_id: agentId,
    metadata: { ...context.metadata, ...metadata },
  };
}

/**
 * Asks an agent with one message: the question, as JSON unless it is text. If it never answers, or crashes its process, the
 * attempt ends with `blame`: that is not the fault of the agent under test.
 */
export async function askAgent(
  { agent }: OpenedAgent,
  question: unknown,
  context: ContextData,
  { deps, options, blame }: { deps: AttemptDeps; options?: Record<string, unknown>; blame: AttemptError },
): Promise<Transcript> {
  const content = typeof question === 'string' ? question : JSON.stringify(question);
  const agentDeps = withOptions(deps, options ?? {});
  const release = deps.waiting?.(blame);
  try {
    await agent.prepare?.(agentDeps);
    return plainTranscript(await agent.run([{ role: 'user', content }], context, agentDeps));
  } finally {
    release?.();
  }
}
