// The viewer beside hostile answers in its history, and beside a hostile page in the same browser.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assay } from '../e2e/support/assay.ts';
import { application } from '../e2e/support/definition-files.ts';
import { files, view } from '../e2e/support/view-server.ts';
import { open, openAll, useBrowser } from './browser.ts';
import { hostileRun, lookAt } from './hostile-run.ts';

useBrowser();

async function viewHostileRuns() {
  const cwd = application({ files });
  const runs = ['1', '2'].map((digit) => `01939f0a-0000-7000-8000-00000000000${digit}`);
  for (const run_id of runs) {
    const [first, ...others] = hostileRun();
    const lines = [{ ...first, run_id }, ...others].map((event) => `${JSON.stringify(event)}\n`);
    writeFileSync(join(cwd, 'log.jsonl'), lines.join(''));
    expect(await assay(['import', 'log.jsonl'], { cwd })).toMatchObject({ exitCode: 0 });
  }
  const viewer = await view(cwd);
  return { viewer, runs, origin: `http://127.0.0.1:${String(viewer.port)}` };
}

test('on every page of the viewer an answer is text: it runs nothing and loads nothing', async () => {
  const { viewer, runs, origin } = await viewHostileRuns();
  const [before = '', after = ''] = runs;
  const { page, requests, problems } = await open(`${origin}/#token=${viewer.token}`);
  const { tests } = (await viewer.get('/api/tests')).body as { tests: { test_id: string }[] };
  const stored = tests.find(({ test_id }) => test_id.includes('<script>'))?.test_id ?? '';
  const named = new URLSearchParams({ test: stored, case: stored }).toString();
  for (const hash of [
    '#/',
    '#/tests',
    `#/test?${named}`,
    `#/case-history?${named}`,
    `#/compare/${before}/${after}`,
    ...['', '/results', '/case/0', '/case/1', '/charts', '/facts'].map(
      (section) => `#/run/${after}${section}`,
    ),
  ]) {
    await page.goto('about:blank');
    await page.goto(`${origin}/${hash}`);
    await page.waitForFunction(() => document.querySelector('main')?.innerText.includes('</script><script>'));
    await openAll(page);
    const { foreign, scripts, hidden } = await lookAt(page);
    expect({ hash, foreign, scripts, hidden }).toEqual({ hash, foreign: 0, scripts: ['module'], hidden: [] });
    expect(await page.title()).not.toBe('owned');
  }
  expect(requests.filter((url) => !url.startsWith(`${origin}/api/`))).toEqual([]);
  expect(problems).toEqual([]);
});

test('the policy of the viewer stops what should ever get through', async () => {
  const { origin } = await viewHostileRuns();
  const { page, problems } = await open(`${origin}/`);
  await page.waitForSelector('h1');
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.owned = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<p onclick="window.owned=true" id="bad">x</p>');
    document.getElementById('bad')?.click();
    const image = new Image();
    const loaded = new Promise((done) => {
      image.onload = () => done('loaded');
      image.onerror = () => done('refused');
    });
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    const fetched = await fetch('http://127.0.0.1:9/').then(
      () => 'fetched',
      () => 'refused',
    );
    return { owned: 'owned' in window, image: await loaded, fetched };
  });
  expect(ran).toEqual({ owned: false, image: 'refused', fetched: 'refused' });
  expect(problems.every((problem) => problem.includes('Content Security Policy'))).toBe(true);
});

test('a hostile page in the same browser reads nothing, starts nothing and frames nothing', async () => {
  const { viewer, runs, origin } = await viewHostileRuns();
  const hostile = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>hostile</title>');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void hostile.close());
  await new Promise((done) => hostile.once('listening', done));
  const { port } = hostile.address() as AddressInfo;
  const { page } = await open(`http://127.0.0.1:${String(port)}/`);
  const got = await page.evaluate(async (target) => {
    const told = (sent: Promise<Response>): Promise<string> =>
      sent.then(
        (response) => `${response.type} ${String(response.status)}`,
        () => 'refused',
      );
    const order = JSON.stringify({ test: 'greeting', variables: {} });
    const loads = (element: HTMLImageElement | HTMLScriptElement, path: string): Promise<string> =>
      new Promise((done) => {
        element.addEventListener('load', () => done('loaded'));
        element.addEventListener('error', () => done('refused'));
        element.src = `${target}${path}`;
        document.body.append(element);
      });
    const events = new EventSource(`${target}/api/runs/latest/live`);
    const followed = new Promise((done) => {
      events.addEventListener('open', () => done('open'));
      events.addEventListener('error', () => done('refused'));
    });
    const socket = new WebSocket(target.replace('http', 'ws'));
    const connected = new Promise((done) => {
      socket.addEventListener('open', () => done('open'));
      socket.addEventListener('error', () => done('refused'));
    });
    const frame = document.createElement('iframe');
    frame.src = `${target}/`;
    const framed = new Promise((done) => frame.addEventListener('load', () => done(frame.contentDocument)));
    document.body.append(frame);
    return {
      read: await told(fetch(`${target}/api/runs`)),
      start: await told(
        fetch(`${target}/api/runs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: order,
        }),
      ),
      form: await told(fetch(`${target}/api/runs`, { method: 'POST', mode: 'no-cors', body: order })),
      image: await loads(new Image(), '/api/runs'),
      script: await loads(document.createElement('script'), '/api/runs'),
      followed: await followed,
      connected: await connected,
      framed: await framed,
    };
  }, origin);
  expect(got).toEqual({
    read: 'refused',
    start: 'refused',
    form: 'refused',
    image: 'refused',
    script: 'refused',
    followed: 'refused',
    connected: 'refused',
    framed: null,
  });
  // The frame has the error page of the browser, not the viewer.
  const texts = await Promise.all(page.frames().map(async (frame) => frame.locator('#app').count()));
  expect(texts).toEqual([0, 0]);
  const { body } = await viewer.get('/api/runs');
  expect((body as { runs: { run_id: string }[] }).runs.map(({ run_id }) => run_id).sort()).toEqual(runs);
  expect((await viewer.get('/api/about')).body).toMatchObject({ started: [] });
});
