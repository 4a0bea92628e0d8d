// How the cases of some tests ended when they last ran.

import type { Connection } from './connection.ts';
import { name } from './event-rows.ts';
import { parseJsonOrNull } from './runs.ts';
import type { LastOutcome } from './store.ts';

/** How far to look back for cases that the newest runs do not have. */
const MOST_RUNS = 30;

/** Goes back from run to run until `enough` cases are known. */
export async function listLastOutcomes(
  connection: Connection,
  testIds: readonly string[],
  enough: number,
): Promise<LastOutcome[]> {
  return connection.read(async (db) => {
    const known = new Map<string, LastOutcome>();
    const runs = await db
      .selectFrom('test_runs')
      .select('no')
      .orderBy('started_at', 'desc')
      .orderBy('no', 'desc')
      .limit(MOST_RUNS)
      .execute();
    for (const { no } of runs) {
      if (known.size >= enough) break;
      const rows = await db
        .selectFrom('run_cases')
        .selectAll()
        .where('run_no', '=', no)
        .where('test_id', 'in', testIds.map(name))
        .execute();
      for (const row of rows) {
        const key = JSON.stringify([row.test_id, row.case_id, row.variables_sha256]);
        const measured = row.passed + row.failed + row.timeouts + row.errors;
        // A case that was skipped says nothing.
        if (known.has(key) || measured + row.unmeasured === 0) continue;
        known.set(key, {
          test_id: row.test_id,
          case_id: row.case_id,
          variables: parseJsonOrNull(row.variables),
          passed: row.passed === measured + row.unmeasured,
          duration_ms: measured === 0 ? 0 : row.duration_ms / measured,
        });
      }
    }
    return [...known.values()];
  });
}
