// `assay view`: what its pages can ask for, and what becomes of runs and suites that they change.

import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../support/assay.ts';
import { application } from '../support/definition-files.ts';
import type { View } from '../support/view-server.ts';
import { eventsIn, files, raw, SUITE, view } from '../support/view-server.ts';
import { until } from '../../until.ts';

const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);

type Listed = { run_id: string; finished_at: string | null; is_live: boolean; progress?: object };

async function runsIn({ get }: View): Promise<Listed[]> {
  return ((await get('/api/runs')).body as { runs: Listed[] }).runs;
}

async function startRun(viewer: View, order: object): Promise<string> {
  const { status, body } = await viewer.send('POST', '/api/runs', { variables: {}, ...order });
  expect({ status, body }).toEqual({ status: 202, body: { run_id: ID } });
  return (body as { run_id: string }).run_id;
}

/** Waits until the server has no run any more, and the history has them all. */
async function ended(viewer: View, runId: string): Promise<Listed> {
  let run: Listed | undefined;
  await until(async () => {
    run = (await runsIn(viewer)).find(({ run_id }) => run_id === runId);
    return run?.finished_at != null;
  });
  if (run === undefined) throw new Error('the run is not in the history');
  return run;
}

test('an application without a history has an empty one, and a page', async () => {
  const viewer = await view(application());
  const { port, token, get } = viewer;
  expect((await get('/api/runs')).body).toEqual({ runs: [] });
  expect((await get('/api/tests')).body).toEqual({ tests: [] });
  expect(await get('/api/runs/latest')).toMatchObject({ status: 404 });
  const about = { version: expect.any(String), place: expect.any(String), root: expect.any(String) };
  expect((await get('/api/about')).body).toEqual({ ...about, can_write: false, started: [] });
  expect((await get('/api/about', { authorization: `Bearer ${token}` })).body).toEqual({
    ...about,
    can_write: true,
    started: [],
  });
  const page = await raw(port, '/');
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/^<!doctype html>[^]*data-mode="viewer"[^]*<\/html>\n$/);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*; frame-ancestors 'none'$/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });
  expect(await raw(port, '/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect(await viewer.stop()).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a run is started, followed and found in the history', async () => {
  const viewer = await view(application({ files }));
  const { get, send } = viewer;
  const wrong = await send('POST', '/api/runs', {
    test: 'greeting',
    variables: { Language: 'xx', Count: 'many', Lod: true },
  });
  expect(wrong).toEqual({
    status: 400,
    body: {
      error: 'no test can run with these values',
      problems: [
        {
          name: 'Lod',
          message: 'no selected test has a variable Lod',
          hint: 'did you mean Loud?',
        },
        { name: 'Count', message: 'Count: expected a number, got "many"' },
        { name: 'Language', message: 'Language: xx is not one of the allowed values: de, en, fr' },
      ],
    },
  });
  const runId = await startRun(viewer, {
    test: 'greeting',
    variables: { Language: 'fr', Count: '3', Loud: true },
    runs: 2,
  });
  const run = await ended(viewer, runId);
  expect(run).toMatchObject({
    run_id: runId,
    exit_code: 0,
    is_live: false,
    runs_per_case: 2,
    subject: 'greeting',
    may_have_previous: false,
  });
  for (const name of ['inputs', 'flags', 'environment', 'resolved_variables', 'progress'])
    expect(Object.keys(run)).not.toContain(name);
  expect((await get(`/api/runs/${runId.slice(0, 30)}`)).body).toMatchObject({
    run: {
      run_id: runId,
      is_live: false,
      can_stop: false,
      resolved_variables: {
        values: { Language: 'fr', Count: 3, Loud: true, Since: '2026-01-31' },
        sources: { Language: 'run', Count: 'run', Loud: 'run', Since: 'type' },
      },
    },
  });
  const events = eventsIn((await get(`/api/runs/${runId}/packets`)).body as string);
  expect(events.map(({ type }) => type)).toEqual(['start', 'result', 'result', 'summary']);
  expect(events[0]).toMatchObject({ run_id: runId, total_cases: 1, runs_per_case: 2 });
  expect(events[3]).toMatchObject({ exit_code: 0, total: 1, passed: 1 });
  expect((await get('/api/tests')).body).toEqual({
    tests: [{ test_id: 'greeting', runs: 1, last_run: runId, last_started_at: expect.any(String) }],
  });
  expect((await get('/api/tests/history?test=greeting')).body).toEqual({
    test_id: 'greeting',
    runs: [{ run_id: runId, started_at: expect.any(String), git: null, passed: 1, failed: 0, skipped: 0 }],
    cases: [{ case_id: 'a', variables: expect.any(Object), flips: 0, statuses: ['passed'] }],
    total_cases: 1,
  });
  expect((await get('/api/cases/history?test=greeting&case=a')).body).toMatchObject({
    runs: [{ run_id: runId, case_id: 'a', status: 'passed', runs: 2 }],
  });
  expect((await get(`/api/runs/${runId}/previous`)).body).toEqual({ run_id: null });
  expect((await get(`/api/compare?before=${runId}&after=latest`)).body).toMatchObject({
    counts: { unchanged: 1, new: 0, removed: 0, improved: 0, regressed: 0, unmeasured: 0 },
  });
  expect(await send('POST', `/api/runs/${runId}/stop`, {})).toMatchObject({ status: 409 });
});

test('results of a run that goes on come as they are, and it can be stopped', async () => {
  const viewer = await view(application({ files }));
  const { get, send } = viewer;
  const runId = await startRun(viewer, { test: 'slow' });
  expect((await get('/api/about')).body).toMatchObject({ started: [runId] });
  expect((await get(`/api/runs/${runId}`)).body).toMatchObject({
    run: { run_id: runId, is_live: true, can_stop: true, finished_at: null },
  });
  expect(await runsIn(viewer)).toMatchObject([
    { run_id: runId, is_live: true, progress: { results: expect.any(Number) } },
  ]);
  const stream = (await get(`/api/runs/${runId}/live?after=1`)).body as string;
  const messages = stream.split('\n\n').filter((message) => message.includes('data: '));
  const data = messages.map((message) => JSON.parse(/^data: (.*)$/m.exec(message)?.[1] ?? '') as object);
  const results = data.flatMap((one) => ('events' in one ? (one.events as { id: string }[]) : []));
  expect(results.map(({ id }) => id)).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(messages.length).toBeGreaterThan(2);
  expect(messages.at(-1)).toMatch(/^event: end\n/);
  expect(data.at(-1)).toMatchObject({ summary: { type: 'summary', exit_code: 0, passed: 6 } });
  expect(await ended(viewer, runId)).toMatchObject({ is_live: false });

  const other = await startRun(viewer, { test: 'slow', runs: 100 });
  expect(await send('POST', `/api/runs/${other}/stop`, {})).toEqual({ status: 202, body: {} });
  expect(await ended(viewer, other)).toMatchObject({ exit_code: 130 });

  const last = await startRun(viewer, { test: 'slow', runs: 100 });
  expect(await viewer.stop()).toMatchObject({ exitCode: 0, stderr: '' });
  const { stdout } = await assay(['history', '--json', '--limit', '1'], { cwd: viewer.cwd });
  expect(JSON.parse(stdout)).toMatchObject([{ run_id: last, exit_code: 130 }]);
});

test('values of a suite are saved in its file, whose comments stay', async () => {
  const cwd = application({ files });
  const file = join(cwd, 'tests/nightly.suite.yml');
  const { get, send } = await view(cwd);
  type Suite = { id: string; file: string; sha256: string; is_editable: boolean };
  const suiteNow = async (): Promise<Suite | undefined> =>
    ((await get('/api/definitions')).body as { suites: Suite[] }).suites[0];
  const before = await suiteNow();
  expect(before).toEqual({
    id: 'nightly',
    name: 'Nightly',
    tests: ['greeting'],
    variables: { variables: { Language: 'de' } },
    file: 'tests/nightly.suite.yml',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    is_editable: true,
  });
  const { sha256 } = before ?? { sha256: '' };
  const save = (variables: object, hash = sha256): ReturnType<typeof send> =>
    send('PUT', '/api/suites/nightly/variables', { variables, sha256: hash });
  expect(await save({ Language: 'xx', Nothing: 1 })).toEqual({
    status: 400,
    body: {
      error: 'the suite could not be run with these values',
      problems: [
        { name: 'Language', message: 'Language: xx is not one of the allowed values: de, en, fr' },
        {
          name: 'Nothing',
          message: 'unknown variable Nothing',
          hint: expect.any(String),
        },
      ],
    },
  });
  expect(readFileSync(file, 'utf8')).toBe(SUITE);
  const mode = statSync(file).mode;
  const saved = await save({ Language: 'fr', Count: '7' });
  expect(saved).toEqual({ status: 200, body: { sha256: (await suiteNow())?.sha256 } });
  expect(readFileSync(file, 'utf8')).toBe(
    SUITE.replace('Language: de #', 'Language: fr #') + '    Count: 7\n',
  );
  expect(statSync(file).mode).toBe(mode);
  expect(await save({ Language: 'en' })).toMatchObject({ status: 409 });
  writeFileSync(file, SUITE);
  expect(await save({ Language: null })).toMatchObject({ status: 200 });
  expect(readFileSync(file, 'utf8')).not.toContain('Language');
  expect(await send('PUT', '/api/suites/..%2fx/variables', { variables: {}, sha256 })).toMatchObject({
    status: 404,
  });
  expect(await save({ Language: 'de' }, 'no hash')).toMatchObject({ status: 400 });
});

test('a run that cannot begin says why', async () => {
  const cwd = application({
    files: {
      'tests/bad.suite.json': { id: 'bad', name: 'Bad', tests: ['greeting'], setUp: 'nowhere.Function' },
    },
  });
  const viewer = await view(cwd);
  const { status, body } = await viewer.send('POST', '/api/runs', { suite: 'bad', variables: {} });
  expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining('nowhere') } });
  expect((await viewer.get('/api/about')).body).toMatchObject({ started: [] });
});

test('another history is shown and written, and four runs at a time are enough', async () => {
  const cwd = application({ files });
  await assay(['run', 'greeting', '--store', 'other.db'], { cwd });
  const viewer = await view(cwd, ['--store', 'other.db']);
  expect(await runsIn(viewer)).toMatchObject([{ exit_code: 0 }]);
  const orders = Array.from({ length: 5 }, () =>
    viewer.send('POST', '/api/runs', { test: 'slow', variables: {} }),
  );
  const statuses = (await Promise.all(orders)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 202, 202, 202, 429]);
  const { started } = (await viewer.get('/api/about')).body as { started: string[] };
  for (const runId of started) await viewer.send('POST', `/api/runs/${runId}/stop`, {});
  for (const runId of started) await ended(viewer, runId);
  expect((await runsIn(viewer)).length).toBe(5);
  expect((await assay(['history'], { cwd })).stdout).toBe('There are no runs yet.\n');
});

test('a suite whose file lies elsewhere is left alone', async () => {
  const cwd = application();
  const elsewhere = folder({ 'nightly.suite.yml': SUITE });
  symlinkSync(join(elsewhere, 'nightly.suite.yml'), join(cwd, 'tests/nightly.suite.yml'));
  const { get, send } = await view(cwd);
  const { suites } = (await get('/api/definitions')).body as { suites: { sha256: string }[] };
  expect(suites).toMatchObject([{ id: 'nightly', is_editable: false }]);
  const body = { variables: { Language: 'fr' }, sha256: suites[0]?.sha256 };
  expect(await send('PUT', '/api/suites/nightly/variables', body)).toMatchObject({ status: 409 });
  expect(readFileSync(join(elsewhere, 'nightly.suite.yml'), 'utf8')).toBe(SUITE);
});

test('definitions are listed without the values of credentials', async () => {
  const secret = { displayName: 'Key', dataType: 'string', valueSource: 'freeform', required: false };
  const cwd = application({
    files: {
      'tests/keyed.type.json': {
        id: 'keyed',
        name: 'Keyed',
        kind: 'agent-eval',
        variablesSchema: {
          schemaVersion: '1.0',
          variables: [{ name: 'ApiKey', ...secret, defaultValue: 'sk-of-the-type' }],
        },
      },
      'tests/asks.test.json': {
        id: 'asks',
        name: 'Asks',
        type: 'keyed',
        agent: './echo.mjs',
        cases: [{ id: 'a', input: 'hi' }],
        variables: { variables: { ApiKey: { exposed: true, defaultValue: 'sk-of-the-test' } } },
      },
      'tests/all.suite.json': {
        id: 'all',
        name: 'All',
        tests: ['asks'],
        variables: { variables: { ApiKey: 'sk-of-the-suite' } },
      },
    },
  });
  const viewer = await view(cwd);
  const text = JSON.stringify((await viewer.get('/api/definitions')).body);
  expect(text).not.toContain('sk-of');
  expect(text).toContain('"variables":{"variables":{"ApiKey":"***"}}');
  // Nothing of it goes back into the file, or into a run.
  expect(readFileSync(join(cwd, 'tests/all.suite.json'), 'utf8')).toContain('sk-of-the-suite');
});
