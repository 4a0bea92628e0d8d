// The counts of some cases in the newest runs.

import type { Connection } from './connection.ts';
import { name } from './event-rows.ts';
import { newestRuns } from './flaky-cases.ts';
import { parseJsonOrNull } from './runs.ts';
import type { PastCounts } from './store.ts';

/** Cases in one query; SQLite allows many more parameters. */
const TOGETHER = 200;

/** Newest run first. The run `without` is left out. */
export async function listPastRuns(
  connection: Connection,
  cases: readonly { test_id: string; id: string }[],
  { without }: { without?: string | undefined } = {},
): Promise<PastCounts[]> {
  return connection.read(async (db) => {
    const runs = new Map([...(await newestRuns(db))].filter(([, { run_id }]) => run_id !== without));
    const order = new Map([...runs.keys()].map((no, place) => [no, place]));
    if (runs.size === 0) return [];
    const found: (PastCounts & { place: number })[] = [];
    for (let from = 0; from < cases.length; from += TOGETHER) {
      const rows = await db
        .selectFrom('run_cases')
        .selectAll()
        .where('run_no', 'in', [...runs.keys()])
        .where(({ and, eb, or }) =>
          or(
            cases
              .slice(from, from + TOGETHER)
              .map(({ test_id, id }) =>
                and([eb('test_id', '=', name(test_id)), eb('case_id', '=', name(id))]),
              ),
          ),
        )
        .execute();
      for (const row of rows)
        found.push({
          place: order.get(row.run_no) ?? 0,
          test_id: row.test_id,
          case_id: row.case_id,
          variables: parseJsonOrNull(row.variables),
          case_sha: row.case_sha,
          version: runs.get(row.run_no)?.version ?? '',
          passed: row.passed,
          measured: row.passed + row.failed + row.timeouts + row.errors,
        });
    }
    return found.sort((a, b) => a.place - b.place).map(({ place: _place, ...counts }) => counts);
  });
}
