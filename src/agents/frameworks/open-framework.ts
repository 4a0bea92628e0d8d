// Opens a module agent whose default export is an agent of a framework.

import type { Agent } from '../adapter.ts';
import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { raceSignal } from '../../platform/race.ts';
import { frameworkFailure } from './failure.ts';
import { readField, hasMethods } from './framework.ts';
import { FRAMEWORKS } from './registry.ts';

/** Throws an AttemptError that describes the value if it is not an agent of a known framework. */
export async function openFramework(value: unknown, file: string): Promise<Agent['run']> {
  const frameworks = Object.values(FRAMEWORKS);
  const framework = isObject(value) ? frameworks.find(({ isAgent }) => isAgent(value)) : undefined;
  if (!isObject(value) || framework === undefined) {
    const titles = frameworks.map(({ title }) => title).join(', ');
    throw new AttemptError(
      'agent',
      `${file} has a default export that is ${describe(value)}; ` +
        `an agent is: export default async (messages, ctx) => output, or an agent of a framework: ${titles}`,
    );
  }
  const ask = await framework.open(value, file);
  return async (messages, _context, { signal }) => {
    try {
      return await raceSignal(ask(messages, signal), signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : frameworkFailure(error);
    }
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (!isObject(value)) return value === null ? 'null' : `a ${typeof value}`;
  if (hasMethods(value, 'compile', 'addNode')) return 'a graph that is not compiled (export graph.compile())';
  const maker = readField(value, 'constructor');
  const name = typeof maker === 'function' && maker !== Object ? maker.name : '';
  const keys = Object.keys(value);
  const shown = `${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}`;
  const has = keys.length === 0 ? 'without keys' : `with ${shown}`;
  return name === '' ? `an object ${has}` : `an object of the class ${name} ${has}`;
}
