// Reports and the viewer: how large a report is, how fast it is written and opened, how soon the viewer shows a large history.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromiumPackage from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { CLI, measure, median, verdict } from './measure.mjs';
import { runId, writeLog } from './run-logs.mjs';

const ROUNDS = 5;

export async function benchPages({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  mkdirSync(join(folder, 'assistants'));
  const executablePath = process.env.ASSAY_TEST_CHROMIUM ?? (await chromiumPackage.executablePath());
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const results = [
      await benchSize(folder),
      await benchReport(folder, browser, quick ? 20_000 : 100_000),
      await benchView(folder, browser, quick ? 10_000 : 100_000),
    ];
    return results.every(Boolean);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

/** The size of a report without the data of its run. */
async function benchSize(folder) {
  const log = await writeLog(folder, 0, 1000);
  const report = join(folder, 'small.html');
  await assay(folder, ['report', log, '-o', report]);
  const html = readFileSync(report, 'utf8');
  const data = [...html.matchAll(/<script type="application\/x-assay-\w+">([^<]*)</g)].reduce(
    (sum, [, text]) => sum + text.length,
    0,
  );
  const added = (html.length - data) / 1024;
  const facts = `${added.toFixed(0)} KB (log ${kilobytes(log)}, report ${kilobytes(report)})`;
  return verdict('1,000 results: added to their data', facts, added <= 400, 'at most 400 KB');
}

async function benchReport(folder, browser, cases) {
  const log = await writeLog(folder, 1, cases);
  const quarter = await writeLog(folder, 2, cases / 4);
  const report = join(folder, 'large.html');
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1)
    times.push((await assay(folder, ['report', log, '-o', report])).ms);
  const { peakMb } = await assay(folder, ['report', log, '-o', report], { memory: true });
  const { peakMb: less } = await assay(folder, ['report', quarter, '-o', join(folder, 'q.html')], {
    memory: true,
  });
  const name = `${cases.toLocaleString('en')} results`;
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const shown = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto('about:blank');
    const began = performance.now();
    await page.goto(`${pathToFileURL(report).href}#/results`, { waitUntil: 'commit' });
    await page.waitForSelector('.rows .row');
    shown.push(performance.now() - began);
  }
  const frames = await page.evaluate(scrollThrough);
  const search = await page.evaluate(searchFor, `message number ${cases - 1}`);
  await page.close();
  return [
    verdict(
      `${name}: written (log ${kilobytes(log)}, report ${kilobytes(report)})`,
      seconds(median(times)),
      median(times) < 5000,
      'below 5 s',
    ),
    verdict(
      `${name}: memory over that of a quarter`,
      `${(peakMb / less).toFixed(2)}x (${peakMb.toFixed(0)} MB)`,
      peakMb / less < 1.5,
      'flat: below 1.5x',
    ),
    verdict(`${name}: usable in a browser`, seconds(median(shown)), median(shown) < 3000, 'below 3 s'),
    verdict(
      `${name}: a frame while scrolling, 95th percentile`,
      `${frames.toFixed(0)} ms`,
      frames < 100,
      'below 100 ms without a graphics card',
    ),
    verdict(`${name}: a search`, `${search.toFixed(0)} ms`, search < 1000, 'below 1 s'),
  ].every(Boolean);
}

/** In the page: two hundred steps of most of a screen. Returns the 95th percentile of the times between frames. */
async function scrollThrough() {
  const times = [];
  let last = performance.now();
  for (let step = 0; step < 200; step += 1) {
    scrollBy(0, 700);
    await new Promise((done) => requestAnimationFrame(done));
    times.push(performance.now() - last);
    last = performance.now();
  }
  return times.sort((a, b) => a - b)[190];
}

/** In the page: types into the search field and waits for the one row. */
async function searchFor(text) {
  const field = document.querySelector('input[type=search]');
  const began = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  while (document.querySelectorAll('.rows .row').length !== 1) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}

/** From the command to the list of runs on the page, with ten runs of a hundred thousand results in the history. */
async function benchView(folder, browser, cases) {
  const runs = 10;
  const store = join(folder, 'history.db');
  for (let run = 0; run < runs; run += 1) {
    const log = await writeLog(folder, 10 + run, cases);
    await assay(folder, ['import', log, '--store', store]);
    rmSync(log);
  }
  const answered = [];
  const shown = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const { child, url } = await view(folder, store);
    await fetch(new URL('/api/runs', url)).then((answer) => answer.json());
    answered.push(performance.now() - began);
    const page = await browser.newPage({ locale: 'en-US' });
    const opened = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForSelector(`a[href*="${runId(10)}"]`);
    shown.push(performance.now() - opened);
    await page.close();
    child.kill('SIGINT');
    await new Promise((done) => child.on('exit', done));
  }
  const both = median(answered) + median(shown);
  const name = `a history of ${(runs * cases).toLocaleString('en')} results`;
  const facts = `${seconds(both)} (server ${seconds(median(answered))}, page ${seconds(median(shown))})`;
  return verdict(`${name}: assay view until the runs are listed`, facts, both < 1000, 'below 1 s');
}

async function view(cwd, store) {
  const child = spawn(process.execPath, [CLI, 'view', '--port', '0', '--json', '--store', store], { cwd });
  const [line] = await new Promise((done, fail) => {
    child.stdout.once('data', (text) => done(String(text).split('\n')));
    child.once('exit', () => fail(new Error('assay view ended')));
  });
  return { child, url: JSON.parse(line).url };
}

async function assay(cwd, args, options) {
  const measured = await measure(process.execPath, [CLI, ...args], { cwd, ...options });
  if (measured.code !== 0) throw new Error(`${args[0]}: exit ${measured.code} ${measured.stderr}`);
  return measured;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}

function kilobytes(path) {
  return `${Math.round(statSync(path).size / 1024).toLocaleString('en')} KB`;
}
