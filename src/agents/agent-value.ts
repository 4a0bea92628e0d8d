// An agent that is a value of user code: a function (messages, ctx) => answer, or an agent of a framework. `returned/` has the
// formats of answers that are more than JSON.

import { AttemptError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import { raceSignal } from '../platform/race.ts';
import { isThenable } from '../platform/thenable.ts';
import { beginRequest, causeOf, withRequest } from '../scripts/context/session.ts';
import type { ContextHost } from '../scripts/context/thread-protocol.ts';
import type { UserContext } from '../scripts/user-context.ts';
import { explainMissingMember, userContext } from '../scripts/user-context.ts';
import type { Agent, AgentDeps } from './adapter.ts';
import { isLostScalar, isPlainAnswer } from './plain-answer.ts';
import { agentFailure, toTranscript } from './transcript.ts';

type AgentFunction = (messages: unknown, context: unknown) => unknown;

/** Makes a value callable as an agent; `file` names it in messages. Throws MisconfiguredAgent if it is none. */
export async function openAgentValue(
  value: unknown,
  { host, file }: { host: ContextHost; file: string },
): Promise<Agent['run']> {
  if (typeof value !== 'function' || isClass(value))
    return (await import('./frameworks/open-framework.ts')).openFramework(value, file);
  // Its parameters are documented but cannot be checked.
  const agent = value as AgentFunction;
  return (messages, context, deps) => call(agent, messages, { context, host }, deps);
}

/** Returns synchronously if the agent does, and if its answer is plain JSON. */
function call(
  agent: AgentFunction,
  messages: Message[],
  { context, host }: { context: ContextData; host: ContextHost },
  deps: AgentDeps,
): Transcript | Promise<Transcript> {
  if (deps.chain === undefined) beginRequest(context);
  const ctx = userContext(context, deps, host);
  // The agent may add messages to the list.
  const count = messages.length;
  const exchange = { given: () => messages.slice(0, count), deps };
  let answer: Transcript | Promise<Transcript>;
  try {
    answer = settle(agent(messages, ctx), exchange);
  } catch (error) {
    const cause = causeOf(explainMissingMember(error, ctx), context);
    if (!mayBeOfModel(cause)) throw agentFailure(cause);
    return rejectLater(cause);
  }
  // The agent that delegates adds what its delegates did.
  const finish = (settled: Transcript): Transcript =>
    deps.chain === undefined ? withRequest(settled, context) : settled;
  if (!isThenable(answer)) return finish(answer);
  return (async () => finish(await wait(answer, ctx, context, deps)))();
}

/** `await` and not `then`, which the agent may have replaced. */
async function wait(
  answer: PromiseLike<Transcript>,
  ctx: UserContext,
  context: ContextData,
  { signal }: AgentDeps,
): Promise<Transcript> {
  try {
    return await raceSignal(answer, signal);
  } catch (error) {
    if (signal.aborted) throw callFailure(error, signal);
    const cause = causeOf(explainMissingMember(error, ctx), context);
    throw mayBeOfModel(cause) ? await modelFailure(cause) : agentFailure(cause);
  }
}

/** An error while the agent was loaded or called; the reason of the signal stays as it is. */
export function callFailure(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && error === signal.reason ? error : agentFailure(error);
}

/** What errors of SDKs have. Most other errors have none of these, and are not looked at more closely. */
const ERROR_MARKS = ['status', 'statusCode', 'code', 'cause', 'errors', 'lastError', 'lc_error_code'];

function mayBeOfModel(error: unknown): boolean {
  if (error instanceof AttemptError || typeof error !== 'object' || error === null) return false;
  return ERROR_MARKS.some((mark) => mark in error);
}

async function rejectLater(error: unknown): Promise<never> {
  throw await modelFailure(error);
}

async function modelFailure(error: unknown): Promise<AttemptError> {
  return (await import('./frameworks/failure.ts')).functionFailure(error);
}

/** True for a class, which cannot be called as a function. */
function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

type Exchange = { given(): Message[]; deps: AgentDeps };

/** Awaits promises and reads answers of SDKs; returns plain JSON synchronously. */
function settle(answer: unknown, exchange: Exchange): Transcript | Promise<Transcript> {
  const type = typeof answer;
  if (type === 'string' || answer === null) return toTranscript(answer);
  if (type !== 'object' && !isLostScalar(answer)) return toTranscript(answer);
  if (isThenable(answer)) return settleLater(answer, exchange);
  if (type === 'object' && isPlainAnswer(answer as object)) return toTranscript(answer);
  return read(answer, exchange);
}

async function settleLater(answer: PromiseLike<unknown>, exchange: Exchange): Promise<Transcript> {
  return settle(await answer, exchange);
}

async function read(answer: unknown, { given, deps: { signal } }: Exchange): Promise<Transcript> {
  awaitErrors(answer);
  const { readReturned } = await import('./returned/read-returned.ts');
  return readReturned(answer, { given: given(), signal });
}

/**
 * Helpers of SDKs that emit events (`chat.completions.stream()`, `messages.stream()`) reject a promise that no one holds if they
 * fail before anything waits for them, which may happen while the readers are loaded.
 */
function awaitErrors(answer: unknown): void {
  if (!isObject(answer) || typeof answer['emitted'] !== 'function' || typeof answer['done'] !== 'function')
    return;
  void Promise.resolve(answer['done']()).catch(() => undefined);
}
