// Runs a case file with small agents and shows parts of its results.

import { join } from 'node:path';
import { assay, folder, readLog } from './assay.ts';

export const AGENTS = {
  'agent.mjs': 'export default (messages) => `echo: ${messages.at(-1).content}`;\n',
  'shout.mjs': 'export default (messages) => messages.at(-1).content.toUpperCase();\n',
};

export type Row = Record<string, unknown>;

/** Runs a file with the echoing agent; gives the results by id. */
export async function run(
  files: Record<string, string>,
  input: string,
  more: string[] = ['-n', './agent.mjs'],
): Promise<{ exitCode: number | null; stderr: string; results: Row[]; cwd: string }> {
  const cwd = folder({ ...AGENTS, ...files });
  const args = ['test', '-i', input, ...more, '-o', 'log.jsonl'];
  const { exitCode, stderr } = await assay(args, { cwd });
  const results = exitCode === 2 ? [] : (readLog(join(cwd, 'log.jsonl')).results as unknown as Row[]);
  return { exitCode, stderr, results, cwd };
}

export function shown(results: readonly Row[], ...fields: string[]): unknown[] {
  return results.map((result) => fields.map((field) => result[field]));
}
