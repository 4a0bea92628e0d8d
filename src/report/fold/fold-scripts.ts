// Groups the settled tests of a run by script; in the log they are in the order in which they ended.

import type { EventSource } from '../../model/sink.ts';
import type { SettledCase } from './case-result.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';
import { reportKind } from '../kinds/registry.ts';
import type { LoggedScript } from '../kinds/script/run.ts';
import { scriptsById, testIdOf } from '../kinds/script/run.ts';

/** Number of scripts to keep in memory at once; the log is read again for the next ones. */
const SCRIPTS_AT_ONCE = 500;

/** A script and the data that a report keeps of each of its tests. */
export type ScriptTests<T> = { script: LoggedScript; tests: T[] };

/** Yields every script with the results of `keep` for its tests. */
export async function* foldScripts<T>(
  source: EventSource,
  { overview, scripts }: { overview: Overview; scripts: readonly LoggedScript[] },
  keep: (settled: SettledCase) => T,
): AsyncGenerator<ScriptTests<T>> {
  // A script that is listed twice, or has several combinations of values, is reported once.
  const all = [...scriptsById(scripts).values()];
  for (let at = 0; at < all.length; at += SCRIPTS_AT_ONCE) {
    const some = all.slice(at, at + SCRIPTS_AT_ONCE).map((script) => ({ script, tests: [] as T[] }));
    const byId = new Map(some.map((entry) => [testIdOf(entry.script), entry.tests]));
    for await (const settled of foldCases(source, overview)) {
      if (reportKind(settled.kind).hasOwnSuites !== true) continue;
      const { test_id } = settled.ran ? settled.result : settled.skipped;
      byId.get(test_id)?.push(keep(settled));
    }
    yield* some;
  }
}
