// What the tests of script tests share: an application with the assistant `expense`, and a look at what became of its functions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultEvent } from '../../../src/model/event.ts';
import type { Finished, RunOptions } from './assay.ts';
import { assay, folder, readLog } from './assay.ts';

export const SOURCES = 'assistants/expense/src';

/** An application; `scripts` are files below the sources of its assistant, `others` anywhere in it. */
export function application(scripts: Record<string, unknown>, others: Record<string, unknown> = {}): string {
  const sources = Object.entries(scripts).map(([name, content]) => [`${SOURCES}/${name}`, content]);
  return folder({
    'app.yao': '{}',
    'assistants/expense/package.yao': '{}',
    ...Object.fromEntries(sources),
    ...others,
  });
}

/** Runs all scripts of the assistant, with the log in `log.jsonl`. */
export function runScripts(
  cwd: string,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Finished> {
  return assay(['test', '-i', 'scripts.expense', '-o', 'log.jsonl', ...args], { ...options, cwd });
}

/** The results by function; of functions with the same name in several files, by script and function. */
export function resultsIn(cwd: string): Record<string, ResultEvent> {
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const scripts = new Set(results.map(({ test_id }) => test_id));
  return Object.fromEntries(results.map((result) => [nameOf(result, scripts.size > 1), result]));
}

function nameOf({ id, test_id }: ResultEvent, isOneOfMany: boolean): string {
  return isOneOfMany ? `${test_id.replace(/^scripts\.expense\./, '')} ${id}` : id;
}

/** Status, code, reason and error of every function. */
export function ends(cwd: string): Record<string, string> {
  const told = Object.entries(resultsIn(cwd)).map(([name, { status, code, reason, error }]) => [
    name,
    [status, code, reason, error].filter((part) => part !== undefined).join(' | '),
  ]);
  return Object.fromEntries(told);
}

/** What every function printed. */
export function logsIn(cwd: string): Record<string, string[]> {
  return Object.fromEntries(Object.entries(resultsIn(cwd)).map(([name, { logs = [] }]) => [name, logs]));
}

/** A result without what differs from run to run. */
export function lasting(result: ResultEvent | undefined): Record<string, unknown> {
  const { duration_ms: _duration, key: _key, type: _type, kind: _kind, test_id: _id, ...rest } = result ?? {};
  return rest;
}

export function read(cwd: string, name: string): string {
  return readFileSync(join(cwd, name), 'utf8');
}
