// Builds the store from its parts around one connection.

import { isPostgres } from '../../platform/database-address.ts';
import type { Driver, RetryPolicy } from './connection.ts';
import { connect, retry } from './connection.ts';
import { readCaseFigures } from './case-figures.ts';
import { listCaseHistory, listCases, listResults } from './cases.ts';
import { importRun } from './import-run.ts';
import type { Compiled } from './many-rows.ts';
import { migrate } from './migrate.ts';
import type { OpenOptions } from './open-store.ts';
import { pruneRuns, removeRun } from './prune.ts';
import { listRecentTests } from './recent-tests.ts';
import { createRecorder } from './recorder.ts';
import { countResults, readResultPages } from './result-pages.ts';
import { findRun, listRuns } from './runs.ts';
import type { Store } from './store.ts';
import { listFlakyCases } from './flaky-cases.ts';
import { listLastOutcomes } from './last-outcomes.ts';
import { listPastRuns } from './past-runs.ts';
import { listBaselines, removeBaseline, setBaseline } from './baselines.ts';
import { readSide } from './sides.ts';
import { readTestHistory } from './test-history.ts';

/** Opens a file, or a server at a `postgres://` address. */
export async function createStore(place: string, options: OpenOptions): Promise<Store> {
  const { readOnly = false, waitMs = 10_000 } = options;
  // Do not wait for an unreachable server when opening: its address may be wrong.
  const opening: RetryPolicy = { waitMs, transient: ['locked'] };
  const driver = await openDriver(place, readOnly, opening);
  try {
    await migrate(connect(driver, opening), { readOnly });
  } catch (error) {
    await driver.db.destroy();
    throw error;
  }
  const connection = connect(driver, { waitMs, transient: driver.transient });
  const compiled: Compiled = new Map();
  const record: Store['record'] = (start, recording) =>
    createRecorder(connection, compiled, start, recording);
  const find = (reference: string) => findRun(connection, reference);
  return {
    place: connection.place,
    record,
    importRun: (events) => importRun(events, (start) => record(start, { batchRows: 5000 })),
    runs: (filter) => listRuns(connection, filter),
    run: async (reference) => (await find(reference)).run,
    results: async (reference, page) => listResults(connection, await find(reference), page),
    async *resultPages(reference, from) {
      yield* readResultPages(connection, await find(reference), from);
    },
    resultCounts: (runIds) => countResults(connection, runIds),
    recentTests: () => listRecentTests(connection),
    testHistory: (testId, { runs = 30 } = {}) => readTestHistory(connection, testId, runs),
    cases: async (reference) => listCases(connection, await find(reference)),
    caseHistory: (testId, caseId, limit) => listCaseHistory(connection, testId, caseId, limit),
    side: async (reference) => readSide(connection, await find(reference)),
    flakyCases: () => listFlakyCases(connection),
    caseFigures: (of) => readCaseFigures(connection, of),
    pastRuns: (cases, without) => listPastRuns(connection, cases, without),
    lastOutcomes: (testIds, enough) => listLastOutcomes(connection, testIds, enough),
    async setBaseline(name, reference) {
      const found = await find(reference);
      await setBaseline(connection, name, found);
      return found.run;
    },
    baselines: () => listBaselines(connection),
    removeBaseline: (name) => removeBaseline(connection, name),
    prune: (rule) => pruneRuns(connection, rule),
    remove: (runId) => removeRun(connection, runId),
    close: () => connection.close(),
  };
}

async function openDriver(place: string, readOnly: boolean, opening: RetryPolicy): Promise<Driver> {
  if (isPostgres(place)) {
    const { openPostgres } = await import('./postgres/postgres.ts');
    return openPostgres(place, { readOnly, waitMs: opening.waitMs });
  }
  const { openSqlite } = await import('./sqlite.ts');
  return retry(place, opening, () => openSqlite(place, { readOnly }));
}
