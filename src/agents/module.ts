// An agent that is a file: its default export is a function (messages, ctx) => answer, or an agent of a framework.

import { AttemptError } from '../errors.ts';
import { OUTPUT_LIMIT } from '../platform/bounded-output.ts';
import { importModule } from '../compile/bundle.ts';
import type { Transcript } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import type { Agent, AgentAdapter, AgentDeps } from './adapter.ts';
import { raceSignal } from '../platform/race.ts';
import { agentFailure, toTranscript } from './transcript.ts';
import { userContext } from '../scripts/user-context.ts';
import { isObject } from '../json/is-object.ts';

type AgentFunction = (messages: unknown, context: unknown) => unknown;

/** Opens a module agent. The first attempt imports the file, within its own deadline. */
export const openModule: AgentAdapter = ({ run }, { root }): Agent => {
  if (run.type !== 'module') throw new AttemptError('harness', `not a module: ${run.type}`);
  const { file } = run;
  let importing: Promise<void> | undefined;
  let loaded: AgentFunction | undefined;
  /** Runs an agent of a framework. */
  let ask: Agent['run'] | undefined;

  const load = async (): Promise<void> => {
    const value = await defaultExport(await importModule(file, { root, direct: true }), file);
    // Its parameters are documented but cannot be checked.
    if (typeof value === 'function') loaded = value as AgentFunction;
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
      if (loaded !== undefined) return call(loaded, messages, context, deps);
      if (ask !== undefined) return ask(messages, context, deps);
      return prepare(deps).then(() => this.run(messages, context, deps));
    },
  };
};

/** Returns synchronously if the agent does. */
function call(
  agent: AgentFunction,
  messages: Message[],
  context: ContextData,
  deps: AgentDeps,
): Transcript | Promise<Transcript> {
  let answer: unknown;
  try {
    answer = settle(agent(messages, userContext(context, deps)));
  } catch (error) {
    throw agentFailure(error);
  }
  if (!(answer instanceof Promise)) return toTranscript(answer);
  return raceSignal(answer, deps.signal).then(toTranscript, (error: unknown) => {
    throw failure(error, deps.signal);
  });
}

function failure(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && error === signal.reason ? error : agentFailure(error);
}

/** The default export; it may be a promise. */
function defaultExport(namespace: Record<string, unknown>, file: string): unknown {
  const value = namespace['default'];
  if (value === undefined) {
    const names = Object.keys(namespace).filter((name) => name !== '__assay');
    const others = names.length === 0 ? 'nothing' : names.join(', ');
    throw new AttemptError(
      'agent',
      `${file} has no default export (it exports ${others}); an agent is: export default async (messages, ctx) => output`,
    );
  }
  // CommonJS compiled from an ES module has its default export one level deeper.
  const isDeeper =
    isObject(value) && (typeof value['default'] === 'function' || value['__esModule'] === true);
  return isDeeper ? value['default'] : value;
}

/** Awaits promises and collects streams; returns other values synchronously. */
function settle(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('then' in answer && typeof answer.then === 'function') return Promise.resolve(answer).then(settle);
  const isStream = Symbol.asyncIterator in answer || (Symbol.iterator in answer && 'next' in answer);
  // `for await` reads both sync and async iterables.
  return isStream ? collect(answer as AsyncIterable<unknown>) : answer;
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
