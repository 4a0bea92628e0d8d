// Looks at reports and at the viewer the way a person does: a real Chromium, on a page of the built program.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { assay } from '../e2e/support/assay.ts';

let browser: Browser | undefined;

/** Gives this file of tests a browser. */
export function useBrowser(): void {
  beforeAll(async () => {
    // Tests may run as root, where there is no sandbox. Everything else is as people have it, the browser's own defences above all.
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: inject('chromium'), args, headless: true });
  });
  afterAll(async () => browser?.close());
}

export type Watched = {
  page: Page;
  /** What the page asked the network for, besides itself. */
  requests: string[];
  /** What went wrong in it: exceptions, and what its policy refused. */
  problems: string[];
};

/** Opens a page and writes down everything that it should not do. */
export async function open(url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  if (browser === undefined) throw new Error('useBrowser() comes first');
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  onTestFinished(async () => context.close());
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) requests.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, problems };
}

/** A folder with the log of these events and the report that the program makes of it. */
export async function writeReport(events: readonly RunEvent[]): Promise<{ folder: string; url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-browser-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  writeFileSync(join(folder, 'log.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const made = await assay(['report', 'log.jsonl', '-o', 'report.html'], { cwd: folder });
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  return { folder, url: pathToFileURL(join(folder, 'report.html')).href };
}

/** Opens the report of these events. */
export async function openReport(
  events: readonly RunEvent[],
  { hash = '', ...options }: BrowserContextOptions & { hash?: string } = {},
): Promise<Watched & { folder: string; url: string }> {
  const { folder, url } = await writeReport(events);
  return { ...(await open(`${url}${hash}`, options)), folder, url };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious or worse: the rule, and where. */
export async function seriousIssues(page: Page): Promise<string[]> {
  // The page's own policy forbids a script of somebody else, but not one that the debugger evaluates.
  await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[];
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** The texts of all elements that a selector finds, with white space as people see it. */
export async function textsOf(page: Page, selector: string): Promise<string[]> {
  const texts = await page.locator(selector).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** Opens everything that can be opened. */
export async function openAll(page: Page): Promise<void> {
  await page.locator('main details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '');
  });
}
