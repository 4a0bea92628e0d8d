// Which tests of a run are scripts, and what people call them.

import type { LoggedInput, StartEvent } from '../model/event.ts';
import type { CaseNamer } from './case-text.ts';

/** A file of script tests as the log keeps it. */
export type LoggedScript = Extract<LoggedInput, { type: 'script' }>;

type Inputs = Pick<StartEvent, 'inputs'>;

/** The scripts of a run, whatever else it tests. */
export function loggedScripts({ inputs }: Inputs): LoggedScript[] {
  return inputs.filter((input) => input.type === 'script');
}

/** The scripts of a run that tests nothing else; undefined if it does. */
export function onlyScripts(start: Inputs): LoggedScript[] | undefined {
  const scripts = loggedScripts(start);
  return scripts.length > 0 && scripts.length === start.inputs.length ? scripts : undefined;
}

/** What was typed to get these scripts: `scripts.expense.setup, scripts.travel`. */
export function typedScripts(scripts: readonly LoggedScript[]): string {
  return [...new Set(scripts.map(({ input }) => input))].join(', ');
}

/** Finds the file of a script by the script's name. */
export function scriptPaths(start: Inputs): Map<string, string> {
  return new Map(loggedScripts(start).map(({ script, script_path }) => [script, script_path]));
}

/** A test is called by its function; if a run has several scripts, also by the one it is in. */
export function functionNamer(scripts: readonly unknown[]): CaseNamer {
  if (scripts.length <= 1) return ({ id }) => id;
  return ({ id, test_id }) => `${test_id} ${id}`;
}
