// Opens a module agent whose default export is an agent of a framework.

import type { Agent } from '../adapter.ts';
import { isObject } from '../../json/is-object.ts';
import { raceSignal } from '../../platform/race.ts';
import { frameworkFailure } from './failure.ts';
import { notAnAgent } from './not-an-agent.ts';
import { FRAMEWORKS } from './registry.ts';

/** Throws MisconfiguredAgent if it is not an agent of a known framework. */
export async function openFramework(value: unknown, file: string): Promise<Agent['run']> {
  const framework = isObject(value)
    ? Object.values(FRAMEWORKS).find(({ isAgent }) => isAgent(value))
    : undefined;
  if (!isObject(value) || framework === undefined) throw notAnAgent(value, file);
  const ask = await framework.open(value, file);
  return async (messages, _context, { signal }) => {
    try {
      return await raceSignal(ask(messages, signal), signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : frameworkFailure(error);
    }
  };
}
