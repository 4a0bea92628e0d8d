// An agent that passes each case with a chance of its own; equal seeds give equal answers.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assay, folder } from './assay.ts';

/** Chances by case: most pass nearly always, some never, some now and then. */
export type World = { seed: number; rates: Record<string, number> };

/** A suite of `count` cases: 70 % near 1, 15 % at 0, 15 % in between. */
export function typicalRates(count: number): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const place = at % 20;
      return [`c${at}`, place < 14 ? 0.99 : place < 17 ? 0 : 0.25 * (place - 16)];
    }),
  );
}

/** A folder with cases.jsonl and agent.mjs. */
export function flakyFolder(count: number, files: object = {}): string {
  const cases = Array.from({ length: count }, (_, at) => ({
    id: `c${at}`,
    input: `c${at}`,
    assert: { type: 'equals', value: 'right' },
  }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...files });
}

/** Runs the cases in a world. Another seed is another draw of the same version. */
export async function runIn(cwd: string, world: World, ...flags: string[]): ReturnType<typeof assay> {
  writeFileSync(join(cwd, 'world.json'), JSON.stringify(world));
  return assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', ...flags], { cwd });
}

const AGENT = `import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
const { seed, rates } = JSON.parse(readFileSync('world.json', 'utf8'));
export default (messages, { chat_id }) => {
  const id = messages.at(-1).content;
  const draw = createHash('sha256').update(seed + chat_id).digest().readUInt32BE(0) / 2 ** 32;
  return draw < rates[id] ? 'right' : 'wrong';
};
`;
