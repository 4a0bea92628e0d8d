// How the test of each skill ended last, kept in the application's `.assay` folder.

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
/** Of the runs of a test the worst counts. */
const WORST_FIRST = ['error', 'timeout', 'failed', 'passed'] satisfies Status[] as readonly Status[];

/** By the name of the skill; what cannot be read is as if it had never been written. */
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

/** Listens to a run and remembers how its skill tests ended. */
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
        else if (event.type === 'summary' && results.size > 0) keep(root, results);
      }
    },
  };
}

function worse(known: LastResult | undefined, { status, checks }: ResultEvent): LastResult {
  const result = { status, passed: checks?.passed ?? 0, failed: checks?.failed ?? 0 };
  const isBetter = known !== undefined && WORST_FIRST.indexOf(known.status) <= WORST_FIRST.indexOf(status);
  return isBetter ? known : { ...result, at: new Date().toISOString() };
}

/** Others may write at the same time: the file is replaced as a whole, and what they know about other skills stays. */
function keep(root: string, results: ReadonlyMap<string, LastResult>): void {
  try {
    const file = join(stateFolder(root), FILE);
    const all = Object.fromEntries([...readLastResults(root), ...results]);
    replaceFile(file, `${JSON.stringify(all, null, 2)}\n`);
  } catch {
    // It is only a convenience; the log has everything.
  }
}
