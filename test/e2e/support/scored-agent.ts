// An agent that answers with its input, and cases whose answers have a known similarity: 0, 0.8 or 1.

import { folder } from './assay.ts';

const ANSWERS = { '0': 'Xyz', '.': 'Sealed', '1': 'Healed' } as const;

/** A folder with cases.jsonl and agent.mjs. `scores` has a character for each case: 0, . (0.8) or 1; E makes the agent throw. */
export function scored(scores: string, files: object = {}): string {
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': scoredCases(scores), ...files });
}

function scoredCases(scores: string): object[] {
  return scores.split('').map((letter, at) => ({
    id: `c${String(at)}`,
    input: letter === 'E' ? 'throw' : ANSWERS[letter as keyof typeof ANSWERS],
    assert: { type: 'similar', value: 'Healed', threshold: 0.5 },
    tags: [`template:${String(Math.floor(at / 5))}`],
  }));
}

/** Answers with what answers.json has for the input, so that another version can answer otherwise. */
const AGENT = `import { existsSync, readFileSync } from 'node:fs';
const others = existsSync('answers.json') ? JSON.parse(readFileSync('answers.json', 'utf8')) : {};
export default ([{ content }]) => {
  if (content === 'throw') throw new Error('no answer');
  return others[content] ?? content;
};
`;

/** The arguments of a test of such a folder. */
export const SCORED = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--no-history'];
