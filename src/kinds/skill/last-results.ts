// Saves the last result of each skill's test in the application's `.assay` folder.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResultEvent } from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import type { Sink } from '../../model/sink.ts';
import { isObject } from '../../json/is-object.ts';
import { stateFolder } from '../../platform/state-folder.ts';
import { replaceFile } from '../../platform/replace-file.ts';

/** The last result of a skill's test. */
export type LastResult = { status: Status; passed: number; failed: number; at: string };

const FILE = 'skills.json';
/** The error of a skill that has no test although one is required. */
export const NO_TEST = 'no test';
const STATUSES: readonly unknown[] = ['passed', 'failed', 'timeout', 'error'] satisfies Status[];
/** If a test ran several times, the worst result counts. */
const WORST_FIRST = ['error', 'timeout', 'failed', 'passed'] satisfies Status[] as readonly Status[];

/** The last results by skill name; empty if the file is missing or invalid. */
export function readLastResults(root: string): Map<string, LastResult> {
  try {
    const file: unknown = JSON.parse(readFileSync(join(root, '.assay', FILE), 'utf8'));
    const entries = isObject(file) ? Object.entries(file) : [];
    return new Map(entries.filter((entry): entry is [string, LastResult] => isLastResult(entry[1])));
  } catch {
    return new Map();
  }
}

function isLastResult(value: unknown): value is LastResult {
  return (
    isObject(value) &&
    STATUSES.includes(value['status']) &&
    typeof value['passed'] === 'number' &&
    typeof value['failed'] === 'number' &&
    typeof value['at'] === 'string'
  );
}

/** A sink that saves the results of a run's skill tests. */
export function lastResultsSink(root: string): Sink {
  const results = new Map<string, LastResult>();
  return {
    write(batch) {
      for (const { event } of batch) {
        if (
          event.type === 'result' &&
          event.kind === 'skill' &&
          event.status !== 'skipped' &&
          event.error !== NO_TEST
        )
          results.set(event.id, worse(results.get(event.id), event));
        else if (event.type === 'summary' && results.size > 0) save(root, results);
      }
    },
  };
}

function worse(known: LastResult | undefined, { status, checks }: ResultEvent): LastResult {
  const result = { status, passed: checks?.passed ?? 0, failed: checks?.failed ?? 0 };
  const isBetter = known !== undefined && WORST_FIRST.indexOf(known.status) <= WORST_FIRST.indexOf(status);
  return isBetter ? known : { ...result, at: new Date().toISOString() };
}

/** Other processes may write at the same time: replaces the file atomically, and keeps their results of other skills. */
function save(root: string, results: ReadonlyMap<string, LastResult>): void {
  try {
    const file = join(stateFolder(root), FILE);
    const all = Object.fromEntries([...readLastResults(root), ...results]);
    replaceFile(file, `${JSON.stringify(all, null, 2)}\n`);
  } catch {
    // Only a convenience: the run log has everything.
  }
}
