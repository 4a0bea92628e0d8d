// Names of tools as models accept them: letters, digits, `_` and `-`, at most 64 of them.

import { createHash } from 'node:crypto';

const LIMIT = 64;

/**
 * The name of a tool towards a model. What follows the last `__` is its own name. A name that is too long or already
 * in `taken` gets a hash in front of that.
 * @example wireName('agents.calc.math', 'add', new Set()) // 'agents_calc_math__add'
 */
export function wireName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const front = plain(server);
  const back = plain(tool);
  const name = `${front}__${back}`;
  if (name.length <= LIMIT && !taken.has(name)) return name;
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest('hex').slice(0, 8);
  const end = `${hash}__${back}`.slice(0, LIMIT);
  const room = LIMIT - end.length - 1;
  return room > 0 ? `${front.slice(0, room)}_${end}` : end;
}

function plain(text: string): string {
  return text.replaceAll(/[^\w-]/g, '_');
}
