// An agent that is a file: its default export is a function (messages, ctx) => answer, or an agent of a framework.

import { dirname } from 'node:path';
import { AttemptError } from '../errors.ts';
import { importModule } from '../compile/bundle.ts';
import { isObject } from '../json/is-object.ts';
import { raceSignal } from '../platform/race.ts';
import type { Agent, AgentAdapter, AgentDeps } from './adapter.ts';
import { callFailure, openAgentValue } from './agent-value.ts';

/** Transpilers nest default exports less deeply than this. */
const MAX_NESTING = 3;

/** Opens a module agent. The first attempt imports the file, within its own deadline. */
export const openModule: AgentAdapter = ({ id, run }, { root }): Agent => {
  if (run.type !== 'module') throw new AttemptError('harness', `not a module: ${run.type}`);
  const { file } = run;
  const host = { root, folder: dirname(file), agentId: id };
  let importing: Promise<void> | undefined;
  let ask: Agent['run'] | undefined;

  const load = async (): Promise<void> => {
    const value = await readDefault(await importModule(file, { root, direct: true }), file);
    ask = await openAgentValue(value, { host, file });
  };
  const prepare = async ({ signal }: AgentDeps): Promise<void> => {
    try {
      await raceSignal((importing ??= load()), signal);
    } catch (error) {
      throw callFailure(error, signal);
    }
  };
  return {
    prepare: (deps) => (ask === undefined ? prepare(deps) : undefined),
    run(messages, context, deps) {
      if (ask !== undefined) return ask(messages, context, deps);
      return prepare(deps).then(() => this.run(messages, context, deps));
    },
  };
};

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
