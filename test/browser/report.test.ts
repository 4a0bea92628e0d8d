// The HTML report as people use it: the verdict, the table, a case and its runs, exports.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay } from '../e2e/support/assay.ts';
import { openReport, textsOf, useBrowser } from './browser.ts';
import { supportRun } from './sample-run.ts';

useBrowser();

test('the verdict comes first: how many, how sure, why, and what is worth a look', async () => {
  const { page, requests, problems } = await openReport(supportRun());
  await page.waitForSelector('.verdict');
  expect({
    title: await page.title(),
    heading: await textsOf(page, 'h1'),
    verdict: await textsOf(page, '.verdict p'),
    figures: await textsOf(page, '.tiles li'),
    causes: await textsOf(page, '.causes > li'),
    unstable: await textsOf(page, '.two section:nth-child(1) .short > li > a'),
    slowest: await textsOf(page, '.two section:nth-child(2) .short > li > .note'),
  }).toEqual({
    title: 'Agent Test: support',
    heading: ['Agent Test: support'],
    verdict: [
      '4 of 5 cases did not pass',
      'Pass rate 33.3 %; for cases like these between 8.7 and 72.5 % with 95 % certainty (5 cases, 3 runs each)',
    ],
    figures: [
      '6 total',
      '1 passed',
      '3 failed',
      '1 errors',
      '1 skipped',
      '12.3s duration',
      '15 runs',
      '1 stable',
      '30 / 12 tokens in / out',
      '$0.0030 cost',
    ],
    causes: [
      '✗ Failed 2 cases expected 10 but got 11 refunds 10 refunds 20',
      '✗ Failed 1 case expected "shipped" but got "lost" finds the order',
      '! Error 1 case TypeError: cart is undefined crashes',
    ],
    unstable: ['finds the order'],
    slowest: ['400ms', '102ms', '12ms', '12ms', '5ms'],
  });
  expect({ requests, problems }).toEqual({ requests: [], problems: [] });
});

const NAMES = '.rows .name a';

test('the table is searched, filtered and sorted, and its address brings the same back', async () => {
  const { page, url } = await openReport(supportRun(), { hash: '#/results' });
  await page.waitForSelector(NAMES);
  const names = async (): Promise<string[]> => textsOf(page, NAMES);
  const all = ['greets', 'finds the order', 'refunds 10', 'refunds 20', 'crashes', 'later'];
  expect(await names()).toEqual(all);

  await page.keyboard.press('/');
  await page.keyboard.type('REFUND got');
  await page.waitForFunction(() => document.querySelectorAll('.rows .name a').length === 2);
  expect(await names()).toEqual(['refunds 10', 'refunds 20']);
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('button', { name: 'Failed 3' }).click();
  await page.getByRole('button', { name: 'Error 1' }).click();
  expect(await names()).toEqual(['finds the order', 'refunds 10', 'refunds 20', 'crashes']);
  await page.locator('.select', { hasText: 'Tag' }).locator('select').selectOption('orders');
  expect(await names()).toEqual(['finds the order', 'refunds 10', 'refunds 20']);
  await page.getByRole('button', { name: 'Name' }).click();
  await page.getByRole('button', { name: 'Name' }).click();
  expect(await names()).toEqual(['refunds 20', 'refunds 10', 'finds the order']);
  expect(await textsOf(page, 'p[role=status]')).toEqual(['3 of 6 cases']);

  const hash = new URL(page.url()).hash;
  expect(hash).toBe('#/results?status=failed%2Cerror&tag=orders&sort=-name');
  await page.goto('about:blank');
  await page.goto(`${url}${hash}`);
  await page.waitForSelector(NAMES);
  expect(await names()).toEqual(['refunds 20', 'refunds 10', 'finds the order']);
});

test('columns can be chosen, and what failed for one reason can be listed', async () => {
  const { page, url } = await openReport(supportRun(), { hash: '#/results' });
  await page.waitForSelector(NAMES);
  const heads = async (): Promise<string[]> => {
    const texts = await textsOf(page, '[role=columnheader]');
    return texts.map((text) => text.replace(/ [⇅▾▴]$/u, ''));
  };
  expect(await heads()).toEqual(['Status', 'Name', 'Duration', 'Pass rate', 'Runs', 'Input']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Input').uncheck();
  await page.getByLabel('Cost').check();
  expect(await heads()).toEqual(['Status', 'Name', 'Duration', 'Pass rate', 'Runs', 'Cost']);
  expect(await textsOf(page, '.row .cost')).toEqual(['$0.0030', '–', '–', '–', '–', '–']);

  const cause = 'failed  expected # but got #';
  await page.goto(`${url}#/results?cause=${encodeURIComponent(cause)}`);
  await page.waitForFunction(() => document.querySelectorAll('.rows .name a').length === 2);
  expect(await textsOf(page, 'p[role=status]')).toEqual(['2 of 6 cases with the same cause']);
});

test('a row opens to what went in and what came out', async () => {
  const { page } = await openReport(supportRun(), { hash: '#/results?q=greets' });
  const button = page.getByRole('button', { name: 'Details of greets' });
  await button.click();
  await expect.poll(() => textsOf(page, '.preview pre')).toEqual(['Hello there', 'Good day!']);
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await button.click();
  await expect.poll(() => page.locator('.preview').count()).toBe(0);
});

test('a case: the conversation, tools, assertions side by side, and its runs to step through', async () => {
  const { page, problems } = await openReport(supportRun(), { hash: '#/results?status=failed' });
  await page.getByRole('link', { name: 'finds the order' }).first().click();
  await page.waitForSelector('.conversation');
  expect({
    heading: await textsOf(page, 'article h2'),
    run: await textsOf(page, '.attempt > h3'),
    why: await textsOf(page, '.reasons p'),
    said: await textsOf(page, '.said'),
    call: await textsOf(page, '.calls li'),
    diff: await textsOf(page, '.diff tbody tr'),
    command: await textsOf(page, '.command code'),
  }).toEqual({
    heading: ['✗ Failed finds the order'],
    run: ['Run 2 ✗ Failed'],
    why: ['json_path $.state: expected "shipped" but got "lost"'],
    said: ['user Where is order A-1? Copy', 'assistant It is on its way. Copy'],
    call: ['find_order 7ms Arguments { "order": "A-1" } Copy Result { "state": "shipped" } Copy'],
    diff: ['{ {', '"state": "shipped", "state": "lost",', '"order": "A-1" "order": "A-1"', '} }'],
    command: [`assay test -i tests/inputs.jsonl --run '^finds the order$' --runs 3 -n support`],
  });

  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.attempt > h3')?.textContent?.includes('Run 3'));
  await page.waitForSelector('.verdicts');
  expect(await textsOf(page, '.verdicts li')).toEqual(['✓ Passed json_path $.state']);
  await page.locator('.strip a').first().click();
  await page.waitForFunction(() => document.querySelector('.attempt > h3')?.textContent?.includes('Run 1'));
  expect(new URL(page.url()).hash).toBe('#/case/1?run=1');

  // Through the list one came from, which has only what failed.
  await page.keyboard.press('j');
  await page.waitForFunction(() => document.querySelector('article h2')?.textContent?.includes('refunds 10'));
  await page.keyboard.press('Escape');
  await page.waitForSelector(NAMES);
  expect(await textsOf(page, NAMES)).toEqual(['finds the order', 'refunds 10', 'refunds 20']);
  expect(problems).toEqual([]);
});

test('a crash shows its stack and what was logged', async () => {
  const { page } = await openReport(supportRun(), { hash: '#/case/4' });
  await page.waitForSelector('.reasons');
  expect(await textsOf(page, '.attempt section h3')).toEqual(['Conversation', 'Stack', 'Logs']);
  expect((await textsOf(page, '.attempt pre')).slice(1)).toEqual([
    'TypeError: cart is undefined at total (assistants/support/src/cart.ts:4:10)',
    'fetching the cart it is empty',
  ]);
});

test('exports are what the program itself writes', async () => {
  const { page, folder } = await openReport(supportRun());
  await page.waitForSelector('.verdict');
  for (const [label, extension] of [
    ['JSON', 'json'],
    ['CSV', 'csv'],
    ['Markdown', 'md'],
    ['Run log (JSONL)', 'jsonl'],
  ] as const) {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: label, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`assay-01939f0a.${extension}`);
    const saved = readFileSync((await download.path()) ?? '', 'utf8');
    if (extension === 'jsonl') {
      expect(saved).toBe(readFileSync(join(folder, 'log.jsonl'), 'utf8'));
      continue;
    }
    const made = await assay(['report', 'log.jsonl', '-o', `made.${extension}`], { cwd: folder });
    expect(made.exitCode).toBe(0);
    expect(saved).toBe(readFileSync(join(folder, `made.${extension}`), 'utf8'));
  }
});
