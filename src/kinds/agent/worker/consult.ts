// Asks another agent on behalf of an attempt: a judge or a simulated user.

import type { AgentDeps, Directory } from '../../../agents/adapter.ts';
import { withOptions } from '../../../agents/adapter.ts';
import type { Consultation } from '../../../execute/process/protocol.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { ContextData } from '../../../model/context.ts';
import { shareSession } from '../../../scripts/context/session.ts';
import { plainTranscript } from './plain-transcript.ts';

/** Contexts of conversations that are under way. */
const contexts = new Map<string, ContextData>();
const KEPT = 1000;
const PROGRESS = new Set(['checkpoints_pending', 'checkpoints_reached', 'max_turns', 'turn_number']);

/**
 * Asks with one message: the question, as JSON unless it is text. The context is that of the attempt, with another
 * assistant and a chat of its own, which is the same for all questions of the attempt.
 */
export async function consult(
  question: Omit<Consultation, 'timeout_ms' | 'type'>,
  { directory, ...deps }: AgentDeps & { directory: Directory },
): Promise<Transcript> {
  const {
    who: { use, connector },
    input,
    options,
  } = question;
  const { agent, definition } =
    use === undefined ? await directory.judge(connector ?? '') : await directory.agent(use);
  const { metadata: _metadata, ...chosen } = options ?? {};
  const agentDeps = withOptions(deps, connector === undefined ? chosen : { ...chosen, connector });
  const content = typeof input === 'string' ? input : JSON.stringify(input);
  await agent.prepare?.(agentDeps);
  const own = contextOf(question, definition.id);
  return plainTranscript(await agent.run([{ role: 'user', content }], own, agentDeps));
}

/** All questions of an attempt to an agent share their memories; what a simulated user is told of its progress differs. */
function contextOf(
  { context, metadata = {}, session }: Pick<Consultation, 'context' | 'metadata' | 'session'>,
  agentId: string,
): ContextData {
  const chat_id = `${context.chat_id}-${agentId}`;
  const own = { ...context, chat_id, assistant_id: agentId, metadata: { ...context.metadata, ...metadata } };
  if (session === undefined) return own;
  const lasting = Object.entries(metadata).filter(([name]) => !PROGRESS.has(name));
  const key = `${String(session)} ${agentId} ${JSON.stringify(lasting)}`;
  const known = contexts.get(key);
  if (known !== undefined) shareSession(known, own);
  else contexts.set(key, own);
  for (const oldest of contexts.keys()) {
    if (contexts.size <= KEPT) break;
    contexts.delete(oldest);
  }
  return own;
}
