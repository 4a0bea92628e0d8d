// Answers are hostile until proven otherwise: whatever they hold is text, wherever it is shown.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { open, openAll, openReport, textsOf, useBrowser, writeReport } from './browser.ts';

useBrowser();

const HOSTILE = [
  '</script><script>document.title="owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '<a href="javascript:document.title=1">javascript:alert(1)</a>',
  '<style>*{display:none}</style><iframe src="https://example.com"></iframe>',
  '<svg onload=alert(1)>',
  '\u001b[31mred\u001b[0m \u001b]8;;http://evil\u0007',
  'null\u0000byte \u202eright-to-left\u202c \ud800 lone',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)}',
  '=cmd|calc!A1',
].join('\n');

function hostileRun(): RunEvent[] {
  return [
    startEvent({
      agent_id: HOSTILE,
      connector: HOSTILE,
      suite: HOSTILE,
      runs_per_case: 2,
      total_cases: 2,
      cwd: HOSTILE,
      matrix: { [HOSTILE]: [HOSTILE, 'b'] },
      resolved_variables: { values: { [HOSTILE]: HOSTILE }, sources: { [HOSTILE]: HOSTILE } },
    }),
    ...[1, 2].map((run) =>
      resultEvent(HOSTILE, {
        run,
        test_id: HOSTILE,
        status: 'failed',
        input: HOSTILE,
        output: { [HOSTILE]: HOSTILE },
        expected: HOSTILE,
        description: HOSTILE,
        tags: [HOSTILE],
        variables: { [HOSTILE]: HOSTILE },
        error: HOSTILE,
        stack: HOSTILE,
        logs: [HOSTILE],
        messages: [{ role: HOSTILE, content: HOSTILE, [HOSTILE]: HOSTILE }],
        tool_calls: [{ name: HOSTILE, arguments: HOSTILE, error: HOSTILE, result: HOSTILE }],
        verdicts: [
          { type: HOSTILE, status: 'failed', message: HOSTILE, expected: HOSTILE, actual: 'x', at: HOSTILE },
          { type: 'agent', status: 'failed', reason: HOSTILE, diff: `- ${HOSTILE}` },
        ],
        subtests: [{ name: HOSTILE, status: 'failed', duration_ms: 1, error: HOSTILE }],
        checkpoints: [{ id: HOSTILE, required: true, reached: false }],
      }),
    ),
    resultEvent('later', { status: 'skipped', reason: 'skip', skip_message: HOSTILE }),
    summaryEvent({ exit_code: 1, runs_per_case: 2 }),
  ];
}

// The point of it is to name control characters.
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Elements that only markup of an answer could have brought: the app has none of these. */
const FOREIGN =
  'img, iframe, object, embed, link, a[href^="javascript"], a[target], form[action], svg[onload]';

async function lookAt(
  page: Page,
): Promise<{ foreign: number; scripts: string[]; title: string; hidden: string[] }> {
  const text = await page.locator('#app').innerText();
  return {
    foreign: await page.locator(FOREIGN).count(),
    scripts: await page.evaluate(() =>
      [...new Set([...document.querySelectorAll('script')].map(({ type }) => type))].toSorted((a, b) =>
        a < b ? -1 : 1,
      ),
    ),
    title: await page.title(),
    // Nothing that cannot be seen, colours or reorders is left in what is shown.
    hidden: [...new Set(text.match(UNSEEN) ?? [])],
  };
}

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
