// An agent whose answers are written down for every run of every case.

import { attemptKey } from '../../../src/plan/key.ts';
import { folder } from './assay.ts';

/**
 * A folder with cases.jsonl and agent.mjs. `ends` has a letter for each run of a case: P answers right, F wrong, S wrong and slowly,
 * W right and slowly, U cannot be judged. Runs after the last letter end like it. Calls are noted in calls.txt.
 */
export function scripted(
  ends: Record<string, string>,
  {
    fields = {},
    runs = 45,
    files = {},
  }: { fields?: Record<string, object>; runs?: number; files?: object } = {},
): string {
  const letters: Record<string, string> = {};
  for (const [id, line] of Object.entries(ends))
    for (let run = 1; run <= runs; run += 1)
      letters[`test-${attemptKey('cases.jsonl', id, run)}`] =
        `${id}#${String(run)} ${line[run - 1] ?? line.at(-1) ?? 'P'}`;
  const assert = { type: 'script', script: 'scripts.judge.Check' };
  const cases = Object.keys(ends).map((id) => Object.assign({ id, input: id, assert }, fields[id]));
  return folder({
    'agent.mjs': AGENT,
    'scripts/judge.ts': JUDGE,
    'letters.json': letters,
    'cases.jsonl': cases,
    ...files,
  });
}

const AGENT = `import { appendFileSync, readFileSync } from 'node:fs';
const letters = JSON.parse(readFileSync('letters.json', 'utf8'));
export default async (messages, { chat_id }) => {
  const [call, letter] = letters[chat_id].split(' ');
  appendFileSync('calls.txt', call + '\\n');
  if ('SW'.includes(letter)) await new Promise((done) => setTimeout(done, 150));
  return { P: 'right', W: 'right', U: 'unclear' }[letter] ?? 'wrong';
};
`;

/** Throws for an answer that cannot be judged. */
const JUDGE = `export function Check(output) {
  if (output === 'unclear') throw new Error('cannot be judged');
  return output === 'right';
}
`;

/** The arguments of a test of such a folder. */
export const SCRIPTED = [
  'test',
  '-i',
  'cases.jsonl',
  '-n',
  './agent.mjs',
  '-o',
  'log.jsonl',
  '--retries',
  '0',
];
