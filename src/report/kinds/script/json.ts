// The shape of a JSON report about script tests.

import type { StartEvent } from '../../../model/event.ts';
import type { CaseResult } from '../../fold/case-result.ts';
import type { Overview } from '../../fold/overview.ts';
import { furtherCounts } from '../../formats/json-counts.ts';
import type { JsonFields, JsonShape } from '../../formats/json-shape.ts';
import { typedNames } from '../kind.ts';
import type { ScriptPlace } from './entry.ts';
import { mixedEntry, scriptEntry, skippedEntry } from './entry.ts';
import { loggedScripts, scriptsById } from './run.ts';

/** A report about several scripts names the script of every test. */
export function scriptShape(overview: Overview): JsonShape {
  const scripts = loggedScripts(overview.start);
  const { total, passed, failed, skipped, errors, timeouts, duration_ms } = overview.counts;
  const [only, ...others] = scriptsById(scripts).values();
  const isOne = only !== undefined && others.length === 0;
  const placeOf = isOne ? () => undefined : scriptFinder(overview.start);
  return {
    head: {
      type: 'script_test',
      script: isOne ? only.script : typedNames(overview.start),
      ...(isOne && { script_path: only.script_path }),
    },
    summary: {
      total,
      passed,
      failed,
      skipped,
      duration_ms,
      errors,
      timeouts,
      ...furtherCounts(overview),
    },
    toResult: ({ result }) => scriptEntry(result, placeOf(result)),
    toSkipped: ({ skipped }) => skippedEntry(skipped, placeOf(skipped)),
  };
}

/** Entries of a report about several kinds. */
export function mixedScriptEntries(start: StartEvent): (result: CaseResult) => JsonFields {
  const placeOf = scriptFinder(start);
  return (result) => mixedEntry(result, placeOf(result));
}

function scriptFinder(start: StartEvent): (test: { test_id: string }) => ScriptPlace {
  const scripts = scriptsById(loggedScripts(start));
  return ({ test_id }) => {
    const known = scripts.get(test_id);
    return known === undefined
      ? { script: test_id }
      : { script: known.script, script_path: known.script_path };
  };
}
