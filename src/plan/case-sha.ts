import type { TestCase } from '../model/case.ts';
import { hash96 } from '../platform/hash.ts';

/** The fields that say what the agent is asked and how its answer is judged; the others only name the case. */
const CONTENT: Record<Exclude<keyof TestCase, 'agent' | 'description' | 'id' | 'skip' | 'tags'>, true> = {
  after: true,
  assert: true,
  before: true,
  checkpoints: true,
  expected: true,
  input: true,
  max_turns: true,
  metadata: true,
  mocks: true,
  options: true,
  pass_score: true,
  simulator: true,
  team: true,
  timeout: true,
  transform: true,
  turns: true,
  user: true,
  vars: true,
};
// A cast, because Object.keys forgets the names.
const FIELDS = Object.keys(CONTENT) as (keyof typeof CONTENT)[];

/** The hash of the content of a case, with its variables put in: attempts with equal hashes measure the same thing. */
export function caseSha(testCase: TestCase): string {
  let text = '';
  for (const name of FIELDS) {
    const value = testCase[name];
    if (value !== undefined) text += `${name}:${canonicalText(value)}`;
  }
  return hash96(text);
}

/** The same text for equal values, whatever the order of their keys. Takes a fifth of the time of JSON, for a million cases. */
function canonicalText(value: unknown): string {
  // The length keeps a text and what follows it apart.
  if (typeof value === 'string') return `${value.length}"${value}`;
  if (value === null || typeof value !== 'object') return `${String(value)},`;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join('')}]`;
  // An object of JSON has string keys only.
  const fields = value as Record<string, unknown>;
  let text = '{';
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name];
    if (field !== undefined) text += `${name.length}:${name}${canonicalText(field)}`;
  }
  return `${text}}`;
}
