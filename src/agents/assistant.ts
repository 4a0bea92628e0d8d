// An assistant folder: its hooks Create and Next around a model. Models come with connectors; until then hooks stand alone.

import { AttemptError } from '../errors.ts';
import type { Message } from '../model/case.ts';
import { findFunction, importModule } from '../platform/bundle.ts';
import type { Agent, AgentAdapter } from './adapter.ts';
import { raceSignal } from './race.ts';
import { agentFailure, toTranscript } from './transcript.ts';
import { userContext } from './user-context.ts';
import { isObject } from '../platform/is-object.ts';

type Hook = (...args: unknown[]) => unknown;
type Hooks = { create: Hook | undefined; next: Hook | undefined };

/** Opens an assistant; its hooks are imported by the first attempt, whose deadline also covers that. */
export const openAssistant: AgentAdapter = (definition, { root }): Agent => {
  const { run } = definition;
  if (run.type !== 'assistant') throw new AttemptError('harness', `not an assistant: ${run.type}`);
  const { hooks: file } = run;
  let importing: Promise<Hooks> | undefined;
  let loaded: Hooks | undefined;

  const load = async (): Promise<Hooks> => {
    const namespace = await importModule(file, { root });
    loaded = { create: findFunction(namespace, 'Create'), next: findFunction(namespace, 'Next') };
    return loaded;
  };
  return {
    async run(messages, context, deps) {
      const { signal } = deps;
      const call = async (hook: Hook, ...args: unknown[]): Promise<unknown> => {
        const answer = hook(...args);
        return isObject(answer) && typeof answer['then'] === 'function'
          ? raceSignal(Promise.resolve(answer), signal)
          : answer;
      };
      try {
        const hooks = loaded ?? (await raceSignal((importing ??= load()), signal));
        const ctx = userContext(context, { signal });
        const options = { ...definition.options, ...deps.options };
        let sent = messages;
        if (hooks.create !== undefined) {
          const created = checkAnswer('Create', await call(hooks.create, ctx, messages, options));
          const { messages: rewritten, metadata, ...rest } = created ?? {};
          Object.assign(options, rest);
          if (isObject(metadata)) Object.assign(ctx.metadata, metadata);
          // A hook that returns messages returns messages.
          if (Array.isArray(rewritten)) sent = rewritten as Message[];
        }
        // The model is called here, with `sent` and `options`.
        if (hooks.next === undefined) return { output: null };
        const payload = { messages: sent, completion: null, tools: [], error: undefined };
        const answer = checkAnswer('Next', await call(hooks.next, ctx, payload, options));
        return toTranscript({ output: answer?.['data'] });
      } catch (error) {
        throw signal.aborted && error === signal.reason ? error : agentFailure(error);
      }
    },
  };
};

function checkAnswer(hook: string, answer: unknown): Record<string, unknown> | undefined {
  if (answer === null || answer === undefined) return undefined;
  if (!isObject(answer)) {
    const kind = Array.isArray(answer) ? 'an array' : `a ${typeof answer}`;
    throw new AttemptError('agent', `${hook} returned ${kind}; it may return null or an object`);
  }
  if (isObject(answer['delegate'])) {
    throw new AttemptError(
      'harness',
      `${hook} delegates to another agent; delegation is not available in this version`,
    );
  }
  return answer;
}
