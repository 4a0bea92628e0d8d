// An agent that is a file: its default export is a function (messages, ctx) => answer, or an agent of a framework.

import { dirname } from 'node:path';
import { AttemptError } from '../errors.ts';
import { OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { importModule } from '../compile/bundle.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import type { Agent, AgentAdapter, AgentDeps } from './adapter.ts';
import { raceSignal } from '../platform/race.ts';
import { isThenable } from '../platform/thenable.ts';
import { agentFailure, toTranscript } from './transcript.ts';
import { beginRequest, causeOf, withRequest } from '../scripts/context/session.ts';
import type { ContextHost } from '../scripts/context/thread-protocol.ts';
import type { UserContext } from '../scripts/user-context.ts';
import { explainMissingMember, userContext } from '../scripts/user-context.ts';
import { isObject } from '../json/is-object.ts';

/** Transpilers nest default exports less deeply than this. */
const MAX_NESTING = 3;

type AgentFunction = (messages: unknown, context: unknown) => unknown;

/** Opens a module agent. The first attempt imports the file, within its own deadline. */
export const openModule: AgentAdapter = ({ id, run }, { root }): Agent => {
  if (run.type !== 'module') throw new AttemptError('harness', `not a module: ${run.type}`);
  const { file } = run;
  const host = { root, folder: dirname(file), agentId: id };
  let importing: Promise<void> | undefined;
  let loaded: AgentFunction | undefined;
  /** Runs an agent of a framework. */
  let ask: Agent['run'] | undefined;

  const load = async (): Promise<void> => {
    const value = await readDefault(await importModule(file, { root, direct: true }), file);
    // Its parameters are documented but cannot be checked.
    if (typeof value === 'function' && !isClass(value)) loaded = value as AgentFunction;
    else ask = await (await import('./frameworks/open-framework.ts')).openFramework(value, file);
  };
  const prepare = async ({ signal }: AgentDeps): Promise<void> => {
    try {
      await raceSignal((importing ??= load()), signal);
    } catch (error) {
      throw failure(error, signal);
    }
  };
  return {
    prepare: (deps) => (loaded === undefined && ask === undefined ? prepare(deps) : undefined),
    run(messages, context, deps) {
      if (loaded !== undefined) return call(loaded, messages, { context, host }, deps);
      if (ask !== undefined) return ask(messages, context, deps);
      return prepare(deps).then(() => this.run(messages, context, deps));
    },
  };
};

/** Returns synchronously if the agent does. */
function call(
  agent: AgentFunction,
  messages: Message[],
  { context, host }: { context: ContextData; host: ContextHost },
  deps: AgentDeps,
): Transcript | Promise<Transcript> {
  if (deps.chain === undefined) beginRequest(context);
  const ctx = userContext(context, deps, host);
  let answer: unknown;
  try {
    answer = settle(agent(messages, ctx));
  } catch (error) {
    throw agentFailure(causeOf(explainMissingMember(error, ctx), context));
  }
  // The agent that delegates adds what its delegates did.
  const finish = (settled: unknown): Transcript =>
    deps.chain === undefined ? withRequest(toTranscript(settled), context) : toTranscript(settled);
  if (!isThenable(answer)) return finish(answer);
  return (async () => finish(await wait(answer, ctx, context, deps)))();
}

/** `await` and not `then`, which the agent may have replaced. */
async function wait(
  answer: PromiseLike<unknown>,
  ctx: UserContext,
  context: ContextData,
  { signal }: AgentDeps,
): Promise<unknown> {
  try {
    return await raceSignal(answer, signal);
  } catch (error) {
    throw failure(signal.aborted ? error : causeOf(explainMissingMember(error, ctx), context), signal);
  }
}

function failure(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && error === signal.reason ? error : agentFailure(error);
}

/**
 * The default export or the value it is a promise of. In CommonJS that was compiled from an ES module it is nested.
 * Throws MisconfiguredAgent if the module has none.
 */
async function readDefault(namespace: Record<string, unknown>, file: string): Promise<unknown> {
  if (!('default' in namespace))
    throw (await import('./frameworks/not-an-agent.ts')).noDefaultExport(namespace, file);
  let value: unknown = await namespace['default'];
  for (let depth = 0; depth < MAX_NESTING && isObject(value) && Object.hasOwn(value, 'default'); depth += 1)
    value = await value['default'];
  return value;
}

/** True for a class, which cannot be called as a function. */
function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Awaits promises and collects streams; returns other values synchronously. */
function settle(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (isThenable(answer)) return settleLater(answer);
  const isStream = Symbol.asyncIterator in answer || (Symbol.iterator in answer && 'next' in answer);
  // `for await` reads both sync and async iterables.
  return isStream ? collect(answer as AsyncIterable<unknown>) : answer;
}

async function settleLater(answer: PromiseLike<unknown>): Promise<unknown> {
  return settle(await answer);
}

/** Joins the chunks of a stream if all are text, else returns them as a list. */
async function collect(stream: AsyncIterable<unknown>): Promise<unknown> {
  const decoder = new TextDecoder();
  const pieces: unknown[] = [];
  let length = 0;
  for await (const piece of stream) {
    const value = piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : piece;
    pieces.push(value);
    length += typeof value === 'string' ? value.length : 1;
    if (length > OUTPUT_LIMIT)
      throw new AttemptError('agent', 'answered more than 10 MB; at most 10 MB of an answer is read');
  }
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;
}
