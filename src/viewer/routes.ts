// The routes of the server.

import { setTimeout as sleep } from 'node:timers/promises';
import { compareSides } from '../compare/compare-sides.ts';
import { ConfigError } from '../errors.ts';
import { packRun } from '../report/formats/packets.ts';
import { appPage } from '../report/formats/page.ts';
import { inputsText, previousRun, withPrevious } from '../history/store/run-subject.ts';
import type { StoredRun } from '../history/store/store.ts';
import { markCases } from '../quarantine/mark-cases.ts';
import type { Answer } from './answer.ts';
import { ApiError } from './api-error.ts';
import type { Application } from './viewer-application.ts';
import { streamLive } from './live.ts';
import type { Liveness } from './liveness.ts';
import {
  readClamped,
  readCount,
  optionalRunId,
  optionalTexts,
  requiredText,
  runOrder,
  runReference,
  suiteChange,
} from './parameters.ts';
import { runEvents } from './run-events.ts';
import type { StreamLimit } from './stream-limit.ts';

/** An accepted request. */
type ApiRequest = {
  /** The decoded part of the path at `:id`. */
  id: string;
  query: URLSearchParams;
  /** Empty for GET. */
  body: Record<string, unknown>;
  hasToken: boolean;
  /** The last event id that a reconnecting browser received. */
  lastEventId: string | undefined;
};

/** The state of the server. */
export type Viewer = {
  application: Application;
  isLive: Liveness;
  live: StreamLimit;
  downloads: StreamLimit;
};

export type Handler = (request: ApiRequest, viewer: Viewer) => Promise<Answer>;

export const ROUTES: Record<string, { [method: string]: Handler }> = {
  '/': { GET: page, HEAD: page },
  '/api/about': { GET: about },
  '/api/cases/history': { GET: caseHistory },
  '/api/compare': { GET: compare },
  '/api/definitions': { GET: definitions },
  '/api/flaky': { GET: flaky },
  '/api/runs': { GET: listRuns, POST: startRun },
  '/api/runs/:id': { GET: showRun },
  '/api/runs/:id/live': { GET: live },
  '/api/runs/:id/packets': { GET: packets },
  '/api/runs/:id/previous': { GET: previous },
  '/api/runs/:id/stop': { POST: stopRun },
  '/api/suites/:id/variables': { PUT: saveSuite },
  '/api/tests': { GET: recentTests },
  '/api/tests/history': { GET: testHistory },
};

/** Cases of a comparison that a page lists. */
const MAX_COMPARED = 5000;

/** How long to wait for a new run to appear in the history. */
const APPEARS_MS = 5000;
const POLL_MS = 200;

async function page(_: ApiRequest, { application }: Viewer): Promise<Answer> {
  const { name, version } = application;
  const { head, end, policy } = await appPage({ title: `${name} · Assay`, version, mode: 'viewer' });
  return { html: head + end, policy };
}

async function about({ hasToken }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const { version, name, store, started } = application;
  return { json: { version, place: store.place, root: name, can_write: hasToken, started: started() } };
}

async function listRuns({ query }: ApiRequest, { application, isLive }: Viewer): Promise<Answer> {
  const { store, importPending } = application;
  const before = optionalRunId(query, 'before');
  const filter = {
    limit: readClamped(query, 'limit', { otherwise: 50, most: 500 }),
    before,
    ...optionalTexts(query, ['test', 'suite', 'agent']),
  };
  await importPending();
  const runs = await store.runs(filter);
  const open = runs.filter(({ finished_at }) => finished_at === null);
  const counts = await store.resultCounts(open.map(({ run_id }) => run_id));
  const hasPrevious = withPrevious(runs);
  // If the page is full, the previous run may be on the next page.
  const hasMore = runs.length === filter.limit;
  const listed = runs.map((run) => {
    const { inputs, flags: _flags, environment: _environment, ...rest } = run;
    const { resolved_variables: _variables, ...short } = rest;
    const results = counts.get(run.run_id) ?? 0;
    const progress = run.finished_at === null ? { progress: { results } } : {};
    return Object.assign(short, progress, {
      is_live: isLive(run, results),
      subject: inputsText(inputs),
      may_have_previous: hasMore || hasPrevious.has(run.run_id),
    });
  });
  return { json: { runs: listed } };
}

async function showRun({ id }: ApiRequest, { application, isLive }: Viewer): Promise<Answer> {
  const run = await findRun(application, id);
  const { run_id, finished_at } = run;
  const counts = finished_at === null ? await application.store.resultCounts([run_id]) : undefined;
  const is_live = isLive(run, counts?.get(run_id) ?? 0);
  // The process of a run outlives the run by a moment.
  const can_stop = finished_at === null && application.started().includes(run_id);
  return { json: { run: { ...run, is_live, can_stop } } };
}

async function previous({ id }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const run = await findRun(application, id);
  return { json: { run_id: (await previousRun(application.store, run))?.run_id ?? null } };
}

async function packets({ id }: ApiRequest, { application, downloads }: Viewer): Promise<Answer> {
  const run = await findRun(application, id);
  const { store } = application;
  async function* lines(): AsyncGenerator<string> {
    for await (const packet of packRun(runEvents(store, run))) yield `${JSON.stringify(packet)}\n`;
  }
  return { stream: lines(), type: 'application/x-ndjson', place: downloads.enter() };
}

async function live(
  { id, query, lastEventId }: ApiRequest,
  { application, live: streams }: Viewer,
): Promise<Answer> {
  const skip = Math.max(readCount(query.get('after'), 'after'), readCount(lastEventId, 'Last-Event-ID'));
  const { run_id } = await findRun(application, id);
  return {
    stream: (out) => streamLive(application, run_id, { skip, ...out }),
    type: 'text/event-stream; charset=utf-8',
    place: streams.enter(),
    // The page asks again after a while.
    farewell: 'event: busy\ndata: {}\n\n',
  };
}

async function compare({ query }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const before = await findRun(application, query.get('before'), 'before');
  const after = await findRun(application, query.get('after'), 'after');
  const { store } = application;
  const comparison = compareSides(await store.side(before.run_id), await store.side(after.run_id));
  const { cases, ...facts } = comparison;
  // A page lists the cases that are worth a line; the others are counted.
  const listed = cases.filter(({ change }) => change !== 'unchanged');
  return { json: { ...facts, before, after, cases: listed.slice(0, MAX_COMPARED) } };
}

async function recentTests(_: ApiRequest, { application }: Viewer): Promise<Answer> {
  await application.importPending();
  return { json: { tests: await application.store.recentTests() } };
}

async function flaky(_: ApiRequest, { application }: Viewer): Promise<Answer> {
  await application.importPending();
  const { cases, is_complete } = await application.store.flakyCases();
  const { entries, problem } = await application.quarantine();
  return { json: { cases: markCases(cases, entries), is_complete, problem: problem ?? null } };
}

async function testHistory({ query }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const test = requiredText(query, 'test');
  const runs = readClamped(query, 'runs', { otherwise: 30, most: 100 });
  await application.importPending();
  return { json: await application.store.testHistory(test, { runs }) };
}

async function caseHistory({ query }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const [test, id] = [requiredText(query, 'test'), requiredText(query, 'case')];
  await application.importPending();
  return { json: { runs: await application.store.caseHistory(test, id) } };
}

async function definitions(_: ApiRequest, { application }: Viewer): Promise<Answer> {
  return { json: await application.definitions() };
}

async function startRun({ body }: ApiRequest, { application }: Viewer): Promise<Answer> {
  return { json: { run_id: await application.startRun(runOrder(body)) }, status: 202 };
}

async function stopRun({ id }: ApiRequest, { application }: Viewer): Promise<Answer> {
  const reference = runReference(id, 'run');
  // A run that was started here can be stopped although the history does not have it yet, or cannot be read.
  const run = application.started().includes(reference)
    ? await application.store.run(reference).catch(() => undefined)
    : await findRun(application, reference);
  const { run_id, finished_at } = run ?? { run_id: reference, finished_at: null };
  // The process of a run outlives the run by a moment.
  if (finished_at !== null || !application.stopRun(run_id))
    throw new ApiError(409, 'this run is not one that was started here and still runs');
  return { json: {}, status: 202 };
}

async function saveSuite({ id, body }: ApiRequest, { application }: Viewer): Promise<Answer> {
  return { json: { sha256: await application.saveSuite(id, suiteChange(body)) } };
}

async function findRun(
  { store, importPending, started, failureText }: Application,
  text: string | null,
  name = 'run',
): Promise<StoredRun> {
  const reference = runReference(text, name);
  const end = Date.now() + APPEARS_MS;
  for (;;) {
    // Checked first: once the process has ended, the history has the run or never will.
    const isStarting = started().includes(reference);
    await importPending();
    try {
      return await store.run(reference);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const hint = isStarting ? 'it has not begun yet' : error.problems[0]?.hint;
      if (!isStarting || Date.now() > end)
        throw new ApiError(404, failureText(reference) ?? error.message, hint === undefined ? {} : { hint });
    }
    await sleep(POLL_MS);
  }
}
