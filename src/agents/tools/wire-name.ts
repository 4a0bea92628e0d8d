// Tool names that models accept: at most 64 letters, digits, `_` and `-`.

import { createHash } from 'node:crypto';

const LIMIT = 64;

/**
 * The name of a tool for a model: server, `__` and the tool's own name. If that is too long or already
 * in `taken`, a hash goes before the own name.
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
