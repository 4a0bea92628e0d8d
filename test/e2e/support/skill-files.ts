// What the tests of skill tests share: an application with skills, and a look at what became of their tests.

import { join } from 'node:path';
import type { Finished, RunOptions } from './assay.ts';
import { assay, endsIn, folder, readLog } from './assay.ts';
import type { ResultEvent } from '../../../src/model/event.ts';

/** A test file that returns this. */
export function returns(result: unknown): string {
  return `export default () => (${JSON.stringify(result)});\n`;
}

/** An application with a skill for every test; `others` are further files. */
export function application(tests: Record<string, string>, others: Record<string, unknown> = {}): string {
  const files = Object.entries(tests).flatMap(([name, content]) => [
    [`skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\n`],
    [`tests/${name}.tests.mjs`, content],
  ]);
  return folder({ 'app.yao': '{}', ...Object.fromEntries(files), ...others });
}

/** Runs the tests of all skills, with the log in `log.jsonl`. */
export function runSkills(
  cwd: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Finished> {
  return assay(['skills', 'all', '-o', 'log.jsonl', ...args], { ...options, cwd });
}

/** Status, code, reason and error by skill. */
export function ends(cwd: string): Record<string, string> {
  return endsIn(join(cwd, 'log.jsonl'));
}

export function resultsIn(cwd: string): Record<string, ResultEvent> {
  return Object.fromEntries(readLog(join(cwd, 'log.jsonl')).results.map((result) => [result.id, result]));
}
