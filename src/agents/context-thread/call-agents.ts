// `ctx.agent`: calls of other agents.

import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import { joinSpending } from '../../model/spending.ts';
import { endSession, forkSession, sessionOf, withRequest } from '../../scripts/context/session.ts';
import { checkChain } from '../assistant/delegate.ts';
import type { AgentDeps, OpenedAgent } from '../adapter.ts';
import { toMessages } from './call-models.ts';
import { combine, isCombined } from './combine.ts';
import { toFailure } from './failure.ts';
import type { MemberDeps } from './serve.ts';
import { waitingTeller } from './waiting-teller.ts';

type AgentAnswer = { agent_id: string; response?: unknown; content?: string; error?: string };

const never = new AbortController().signal;

export async function callAgents(method: string, args: unknown[], deps: MemberDeps): Promise<unknown> {
  if (method === 'Call') return callAgent(args, 0, deps, never);
  if (!isCombined(method)) throw new AttemptError('agent', `there is no ${method}`);
  const list = Array.isArray(args[0]) ? (args[0] as Record<string, unknown>[]) : [];
  return combine(method, list, ({ agent, messages, options }, index, signal) =>
    callAgent([agent, messages, options], index, deps, signal),
  );
}

/** A call of one agent. */
type Called = { id: string; index: number; messages: Message[]; options: Options; signal: AbortSignal };
type Options = Record<string, unknown>;

/** A failure of the agent is in the answer. Throws if there is no such agent. */
async function callAgent(
  [id, messages, given]: unknown[],
  index: number,
  deps: MemberDeps,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  if (typeof id !== 'string' || id === '') throw new AttemptError('agent', 'needs the id of an agent');
  const options = isObject(given) ? given : {};
  const called: Called = { id, index, messages: toMessages(messages), options, signal };
  const { directory, host, context, done } = deps;
  const opened = await directory.agent(id);
  const chain = checkChain(opened.definition.id, host.chain ?? [host.agentId]);
  const handed: ContextData = { ...context, assistant_id: opened.definition.id };
  if (isObject(options['metadata'])) handed.metadata = { ...context.metadata, ...options['metadata'] };
  forkSession(context, handed);
  try {
    const transcript = await runAgent(opened, called, { handed, chain }, deps);
    accept(withRequest(transcript, handed), called, deps);
    return toAnswer(id, transcript, handed);
  } catch (error) {
    if (signal.aborted) return { agent_id: id, error: 'another one answered first' };
    accept(withRequest({ output: null }, handed), called, deps);
    const failure = toFailure(error);
    if (failure.code !== undefined) done.unmeasured = failure;
    return { agent_id: id, error: failure.message };
  } finally {
    endSession(handed);
  }
}

async function runAgent(
  { agent }: OpenedAgent,
  { id, index, messages, options: given, signal }: Called,
  { handed, chain }: { handed: ContextData; chain: string[] },
  { host, tell }: MemberDeps,
): Promise<Transcript> {
  let isHeard = false;
  const chunk = (message: Record<string, unknown>): void => {
    isHeard = true;
    tell({ type: 'chunk', index, id, message });
  };
  const heard = (content: string): void => chunk({ type: 'text', props: { content } });
  sessionOf(handed).request.sent.listener = chunk;
  // `mode` and `skip` mean nothing to the agent itself.
  const { metadata: _metadata, mode: _mode, onChunk: _onChunk, skip: _skip, ...options } = given;
  const deps: AgentDeps = {
    env: process.env,
    fetch: globalThis.fetch,
    signal,
    chain,
    retries: host.retries ?? 0,
    waiting: waitingTeller(tell),
    heard,
    ...(Object.keys(options).length > 0 && { options }),
  };
  await agent.prepare?.(deps);
  const transcript = await agent.run(messages, handed, deps);
  const content = contentText(transcript);
  if (!isHeard && content !== '') heard(content);
  return transcript;
}

/** Keeps what the agent did, except for what the caller skips. There is no history, keyword or search to skip. */
function accept(whole: Transcript, { id, options }: Called, { context, done }: MemberDeps): void {
  const { request } = sessionOf(context);
  const skip = isObject(options['skip']) ? options['skip'] : {};
  done.calls.push(...(whole.tool_calls ?? []));
  done.spent = joinSpending(done.spent, whole);
  if (skip['output'] !== true) request.sent.messages.push(...(whole.sent_messages ?? []));
  if (skip['trace'] === true || whole.trace === undefined) return;
  request.trace.entries.push({ label: id, type: 'agent', status: 'completed', children: whole.trace });
  request.trace.count += 1;
}

/** What Next returned as data is in `response.next`, the answer as text in `content`. */
function toAnswer(id: string, transcript: Transcript, { chat_id, assistant_id }: ContextData): AgentAnswer {
  const { output, tool_calls, usage } = transcript;
  const content = contentText(transcript);
  const completion = {
    role: 'assistant',
    content,
    ...(tool_calls !== undefined && tool_calls.length > 0 && { tool_calls }),
    ...(usage !== undefined && { usage }),
  };
  const next = typeof output === 'string' ? null : output;
  return { agent_id: id, response: { assistant_id, chat_id, completion, next }, content };
}

function contentText({ output }: Transcript): string {
  if (typeof output === 'string') return output;
  return output === undefined || output === null ? '' : JSON.stringify(output);
}
