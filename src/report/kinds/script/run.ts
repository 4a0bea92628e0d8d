// Which tests of a run are scripts, and what people call them.

import type { LoggedInput, StartEvent } from '../../../model/event.ts';

/** A file of script tests as the log keeps it. */
export type LoggedScript = Extract<LoggedInput, { type: 'script' }>;

type Inputs = Pick<StartEvent, 'inputs'>;

/** The scripts of a run, whatever else it tests. */
export function loggedScripts({ inputs }: Inputs): LoggedScript[] {
  return inputs.filter((input) => input.type === 'script');
}

/** The `test_id` of a script's results. */
export function testIdOf({ test_id, script }: LoggedScript): string {
  return test_id ?? script;
}

/** The scripts of a run by what their results have as `test_id`: one that was asked for twice is there once. */
export function scriptsById(scripts: readonly LoggedScript[]): Map<string, LoggedScript> {
  return new Map(scripts.map((script) => [testIdOf(script), script]));
}
