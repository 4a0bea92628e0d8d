// Lists the tests of the newest runs without reading their results.

import { sql } from 'kysely';
import type { Connection } from './connection.ts';
import type { RecentTest } from './store.ts';

const RUNS = 200;

/** The tests of the newest runs, last tested first. */
export async function listRecentTests(connection: Connection): Promise<RecentTest[]> {
  // Jumps from test to test by the primary key of run_cases: one index lookup per test, not per case.
  const { rows } = await connection.read((db) =>
    sql<{ test_id: string; run_id: string; started_at: string }>`
      with recursive recent as (
        select no, run_id, started_at from test_runs order by started_at desc, no desc limit ${sql.lit(RUNS)}
      ), found as (
        select recent.no as no, (select min(test_id) from run_cases where run_no = recent.no) as test_id from recent
        union all
        select found.no,
          (select min(c.test_id) from run_cases c where c.run_no = found.no and c.test_id > found.test_id)
        from found where found.test_id is not null
      )
      select found.test_id, recent.run_id, recent.started_at from found join recent on recent.no = found.no
      where found.test_id is not null order by recent.started_at desc, recent.no desc, found.test_id`.execute(
      db,
    ),
  );
  const tests = new Map<string, RecentTest>();
  for (const { test_id, run_id, started_at } of rows) {
    const known = tests.get(test_id);
    if (known === undefined)
      tests.set(test_id, { test_id, runs: 1, last_run: run_id, last_started_at: started_at });
    else known.runs += 1;
  }
  return [...tests.values()];
}
