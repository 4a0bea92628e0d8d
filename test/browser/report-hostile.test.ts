// Answers are hostile until proven otherwise: whatever they hold is text, wherever it is shown.

import { expect, test } from 'vitest';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { open, openAll, openReport, textsOf, useBrowser, writeReport } from './browser.ts';
import { hostileRun, lookAt } from './hostile-run.ts';

useBrowser();

test('on every page of a report it is text, and runs nothing', async () => {
  const { page, requests, problems, url } = await openReport(hostileRun());
  await page.waitForSelector('.verdict');
  const title = await page.title();
  expect(title.startsWith('Agent Test: </script><script>')).toBe(true);
  for (const hash of ['#/', '#/results', '#/case/0', '#/case/1', '#/charts', '#/facts']) {
    await page.goto(`${url}${hash}`);
    await page.waitForSelector('main h2');
    if (hash === '#/results') await page.locator('.disclose').first().click();
    if (hash === '#/case/0') await page.waitForSelector('.verdicts');
    await openAll(page);
    expect({ hash, ...(await lookAt(page)) }).toEqual({
      hash,
      foreign: 0,
      scripts: ['application/x-assay-events', 'application/x-assay-rows', 'module'],
      title,
      hidden: [],
    });
  }
  await page.goto(`${url}#/case/0`);
  await page.waitForSelector('.conversation');
  const said = await page.locator('.said pre').first().innerText();
  expect(said.split('\n')).toEqual([
    '</script><script>document.title="owned"</script>',
    '<img src=x onerror="document.title=\'owned\'">',
    '<a href="javascript:document.title=1">javascript:alert(1)</a>',
    '<style>*{display:none}</style><iframe src="https://example.com"></iframe>',
    '<svg onload=alert(1)>',
    String.raw`\x1b[31mred\x1b[0m \x1b]8;;http://evil\x07`,
    String.raw`null\x00byte \u202eright-to-left\u202c \ud800 lone`,
    '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
    '![x](https://evil.example/x.png) [x](https://evil.example/)',
    '=cmd|calc!A1',
  ]);
  expect({ requests, problems }).toEqual({ requests: [], problems: [] });
});

test('the policy of the file stops what should ever get through', async () => {
  const { page, problems } = await openReport(hostileRun());
  await page.waitForSelector('.verdict');
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.owned = true';
    document.body.append(script);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<p style="color:red" onclick="window.owned=true" id="bad">x</p>',
    );
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
  expect(problems.length).toBeGreaterThanOrEqual(4);
});

test('lines of five megabytes are shown in part, and the page stays quick', async () => {
  const long = 'x'.repeat(5 * 1024 * 1024);
  const events = [
    startEvent(),
    resultEvent('T001', { status: 'failed', input: long, output: long, error: long, logs: [long] }),
    summaryEvent({ exit_code: 1 }),
  ];
  const { page, problems } = await openReport(events, { hash: '#/case/0' });
  await page.waitForSelector('.conversation');
  const lengths = await page.locator('pre').evaluateAll((all) => all.map((one) => one.textContent?.length));
  expect(lengths).toEqual([20_000, 20_000, 20_000]);
  expect(await textsOf(page, '.block-tools button:first-child')).toEqual(
    Array.from({ length: 3 }, () => 'Show more (5,222,880 characters left)'),
  );
  await page.getByRole('button', { name: 'Show more' }).first().click();
  expect(
    await page
      .locator('pre')
      .first()
      .evaluate((one) => one.textContent?.length),
  ).toBe(100_000);
  expect(problems).toEqual([]);
});

test('a report whose data is damaged says so', async () => {
  const { folder, url } = await writeReport(hostileRun());
  const { readFileSync, writeFileSync } = await import('node:fs');
  const html = readFileSync(`${folder}/report.html`, 'utf8');
  writeFileSync(`${folder}/report.html`, html.replace(/(x-assay-rows">)[A-Za-z0-9+/]{40}/, '$1AAAA'));
  const { page } = await open(url);
  await page.waitForFunction(() => document.body.innerText.includes('damaged'));
  expect((await textsOf(page, 'p[role=status]'))[0]).toMatch(
    /^This report is damaged: its data cannot be read \(/,
  );
});
