// Checks the lines of a log, one after the other.

import { ConfigError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { LOG_VERSION } from '../model/event.ts';
import type { Flaw } from '../schema/shape.ts';
import { findFlaws } from '../schema/shape.ts';
import { createIdSet } from '../platform/id-set.ts';
import { eventShape } from './event-shapes.ts';
import { notALog } from './problems.ts';

/** Deeper values cannot be written as a report. Agents cannot answer with more than 500 levels. */
const MOST_LEVELS = 1000;

/** The check for the lines of one log, in order: gives what is wrong with a line. Throws if this is no log that this version can read. */
export function lineCheck(path: string): (value: unknown, line: string) => readonly Flaw[] {
  let runId: unknown;
  let keys = createIdSet();
  let count = 0;
  return (value, line) => {
    if (runId === undefined) runId = startId(value, path);
    else if (isObject(value) && value['type'] === 'start' && value['run_id'] !== runId)
      return [note('this is the start of another run: every run has a log of its own')];

    const shape = eventShape(value);
    if (shape === undefined) return isEvent(value) ? [] : [note('the line is no event: it has no type')];
    // Every level takes two characters.
    if (line.length > 2 * MOST_LEVELS && isDeeper(value, MOST_LEVELS))
      return [note(`the line is nested deeper than ${String(MOST_LEVELS)} levels`)];
    const flaws = findFlaws(shape, value);
    if (flaws.length > 0 || !isObject(value)) return flaws;
    count += 1;
    // A resumed run executes some attempts again.
    if (value['type'] === 'resume') keys = createIdSet();
    if (value['type'] !== 'result' || keys.add(String(value['key']), count) === undefined) return flaws;
    return [note('the line is a second result of the same attempt')];
  };
}

/** The id in the first line, which must be a start event. */
function startId(value: unknown, path: string): unknown {
  if (!isObject(value) || value['type'] !== 'start') throw notALog(path);
  const { run_id, log_version, version } = value;
  if (run_id === undefined && log_version === undefined) throw notALog(path);
  if (typeof log_version === 'number' && log_version > LOG_VERSION)
    throw new ConfigError(
      `the run log ${path} was written by a newer version of Assay (${String(version)})`,
      {
        hint: 'install that version or a later one',
      },
    );
  return run_id ?? null;
}

function isEvent(value: unknown): boolean {
  return isObject(value) && typeof value['type'] === 'string';
}

function note(message: string): Flaw {
  return { type: 'note', path: [], message };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1));
}
