// The report for everybody: other kinds of tests, many results, a phone, paper, a keyboard, a screen reader, no scripts.

import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { mixedRun, resultEvent, startEvent } from '../fixtures/logs/agent-log.ts';
import { matrixRun } from '../fixtures/logs/matrix-log.ts';
import { everyEndRun } from '../fixtures/logs/script-log.ts';
import { until } from '../until.ts';
import { openAll, openReport, seriousIssues, textsOf, useBrowser } from './browser.ts';
import { supportRun } from './sample-run.ts';

useBrowser();

const PAGES = ['#/', '#/results', '#/case/1', '#/charts', '#/facts'];

test.each(['light', 'dark'] as const)('axe finds nothing serious: %s', async (colorScheme) => {
  const { page, url } = await openReport(matrixRun(), { colorScheme });
  for (const hash of PAGES) {
    await page.goto(`${url}${hash}`);
    await page.waitForSelector('main h2');
    await openAll(page);
    expect({ hash, issues: await seriousIssues(page) }).toEqual({ hash, issues: [] });
  }
});

test('on a phone nothing sticks out, and tests with several runs fit, too', async () => {
  const { page, url } = await openReport(supportRun(), { viewport: { width: 360, height: 740 } });
  for (const hash of PAGES) {
    await page.goto(`${url}${hash}`);
    await page.waitForSelector('main h2');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ hash, width }).toEqual({ hash, width: 360 });
  }
  expect(await seriousIssues(page)).toEqual([]);
});

test('everything can be reached by keyboard', async () => {
  const { page } = await openReport(supportRun());
  await page.waitForSelector('.verdict');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.results');
  // The page listens for the key a moment after it has drawn the table.
  const focused = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.tagName.toLowerCase());
  await until(async () => {
    if ((await focused()) !== 'input') await page.keyboard.press('/');
    return (await focused()) === 'input';
  });
  await page.keyboard.type('crashes');
  await page.waitForFunction(() => document.querySelectorAll('.rows .row').length === 1);
  await page.locator('.disclose').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.preview pre');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('article.case');
});

test('a matrix is compared by the values of its variables', async () => {
  const { page } = await openReport(matrixRun());
  await page.waitForSelector('.verdict');
  for (const summary of await page.locator('.numbers > summary').all()) await summary.click();
  await expect
    .poll(() => textsOf(page, 'figure table tr'))
    .toEqual([
      'value pass rate cases like these rank average total passed failed errors timeouts skipped',
      'a 90 % 11.3% to 99.8% 1 to 2 13ms 5 4 1 0 0 0',
      'b 33.3 % 0.1% to 99.5% 1 to 2 263ms 5 1 3 1 1 1',
      'value pass rate cases like these rank average total passed failed errors timeouts skipped',
      '0 75 % 0.7% to 99.9% 1 to 2 15ms 4 3 1 0 0 0',
      '0.7 66.7 % 0.5% to 99.9% 1 to 2 259ms 4 2 2 1 1 0',
      '0.3 50 % 5.5% to 94.5% n/a 20ms 2 0 1 0 0 1',
    ]);
  expect(await textsOf(page, 'figure .best')).toEqual([
    'Not clear: a or b (p 0.5); more runs would hardly decide, more cases might.',
    'Not clear: 0 or 0.7 (p 1); more runs would hardly decide, more cases might.',
  ]);
  expect(await page.locator('p', { hasText: 'May fail only for' }).innerText()).toBe(
    'May fail only for AIConfiguration=b (not proven: 2 runs): greeting/T002',
  );
  await page.locator('.rates a', { hasText: /^b$/ }).click();
  await page.waitForSelector('.rows .row');
  expect(await textsOf(page, 'p[role=status]')).toEqual(['5 of 10 cases']);
  await page.locator('.rows .name a').first().click();
  await page.waitForSelector('article.case');
  expect((await textsOf(page, '[aria-label=Variables] tr')).slice(0, 2)).toEqual([
    'variable value set by',
    'AIConfiguration b run',
  ]);
});

test('script tests have their own words, subtests and places', async () => {
  const { page } = await openReport(everyEndRun());
  await page.waitForSelector('.verdict');
  expect(await textsOf(page, 'h1')).toEqual(['Script Test: scripts.expense.setup']);
  expect((await textsOf(page, '.verdict-line'))[0]).toMatch(/^\d of \d tests did not pass$/);
  await page.locator('.causes a', { hasText: 'TestTotal' }).click();
  await page.waitForSelector('.verdicts');
  expect(await textsOf(page, '.reasons p')).toEqual([
    'assertion failed: sums differ at expense/src/setup_test.ts:20:7',
    'no good at expense/src/setup_test.ts:21:5',
    'TestTotal/empty cart/with tax: assertion failed: tax at expense/src/setup_test.ts:24:9',
  ]);
  expect(await textsOf(page, '.attempt section:has(> h3:text("Subtests")) li')).toEqual([
    '✗ Failed TestTotal/empty cart/with tax 1ms assertion failed: tax',
    '✗ Failed TestTotal/empty cart 2ms assertion failed: tax',
    '✓ Passed TestTotal/one item 1ms',
    '○ Skipped TestTotal/refunds 0ms not yet',
  ]);
  expect(await textsOf(page, '.command code')).toEqual([
    "assay test -i scripts.expense.setup --run '^TestTotal$'",
  ]);
});

function manyCases(count: number): RunEvent[] {
  return [
    startEvent({ total_cases: count }),
    ...Array.from({ length: count }, (_, at) =>
      resultEvent(`T${String(at).padStart(5, '0')}`, {
        output: 'answer',
        line: at + 1,
        duration_ms: at % 997,
      }),
    ),
  ];
}

test('of many results only those in sight exist, and every one can be scrolled to', async () => {
  const { page } = await openReport(manyCases(10_000), { hash: '#/results' });
  await page.waitForSelector('.rows .row');
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
  expect(await page.locator('.rows .row').count()).toBeLessThan(60);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(() => document.querySelector('[aria-rowindex="10001"]') !== null);
  expect(await page.locator('[aria-rowindex="10001"] .name').innerText()).toBe('T09999');
  expect(await page.locator('.rows .row').count()).toBeLessThan(60);
});

test('on paper all rows are there, without what only a screen can use', async () => {
  const { page } = await openReport(manyCases(300), { hash: '#/results' });
  await page.waitForSelector('.rows .row');
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelectorAll('[role=row]').length === 301);
  expect(await page.locator('.filters').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  await page.waitForFunction(() => document.querySelectorAll('[role=row]').length < 80);
});

test('an unfinished run says so, and what could not be measured is no failure', async () => {
  const events = mixedRun().slice(0, -1);
  const { page } = await openReport(events);
  await page.waitForSelector('.verdict');
  expect(await textsOf(page, '.banner')).toEqual([
    'Unfinished: the run stopped early; 5 of 5 cases have a result.',
  ]);
  expect(await textsOf(page, '.verdict p')).toEqual([
    '2 of 4 cases did not pass, and 1 could not be measured',
    'Pass rate 33.3 %; for cases like these between 6.1 and 79.2 % with 95 % certainty (3 cases)',
    '1 case could not be measured; no rate counts them.',
  ]);
});

test('without scripts it still says how the run went', async () => {
  const { page } = await openReport(mixedRun(), { javaScriptEnabled: false });
  expect((await textsOf(page, 'body'))[0]).toBe(
    'Agent Test: keyword 5 cases: 1 passed, 2 failed, 1 skipped, 1 could not be measured. Everything else in this report needs scripts to be allowed. It has its own script and loads nothing.',
  );
});

test('a case shows its score, what is advisory, and the assertions inside of others', async () => {
  const inner = [
    { type: 'contains', status: 'failed' as const, message: 'is not there' },
    { type: 'is_json', status: 'passed' as const },
  ];
  const result = resultEvent('scored', {
    score: 0.8,
    pass_score: 0.75,
    verdicts: [
      { type: 'similar', status: 'passed', score: 0.5, weight: 2, metric: 'wording' },
      { type: 'any_of', status: 'passed', verdicts: inner },
      { type: 'length', status: 'failed', message: 'too long', advisory: true },
    ],
  });
  const { page, url } = await openReport([startEvent({ total_cases: 1 }), result]);
  await page.goto(`${url}#/case/0`);
  await page.waitForSelector('.verdicts');
  await openAll(page);
  expect(await textsOf(page, '.verdicts summary')).toEqual([
    '✓ Passed similar score 0.50 · weight 2 · metric wording',
    '✓ Passed any_of',
    '✗ Failed contains',
    '✓ Passed is_json',
    '✗ Failed length advisory',
  ]);
  expect(await page.textContent('main')).toContain('Score 0.8, wanted at least 0.75');
  expect(await textsOf(page, '.reasons')).toEqual([]);
  expect(await seriousIssues(page)).toEqual([]);
});
