// `assay view` as people use it: look at runs, compare them, start one, watch it, change a suite.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { assay } from '../e2e/support/assay.ts';
import { application } from '../e2e/support/definition-files.ts';
import type { View } from '../e2e/support/view-server.ts';
import { files, view } from '../e2e/support/view-server.ts';
import type { Watched } from './browser.ts';
import { open, openAll, seriousIssues, textsOf, useBrowser } from './browser.ts';

useBrowser();

const MOODY = (answer: string): string => `export default () => ${JSON.stringify(answer)};\n`;

/** An application with a test that passes or not, whatever its agent says at the time. */
const moody = {
  'tests/moody.mjs': MOODY('good'),
  'tests/moody.test.json': {
    id: 'moody',
    name: 'Moody',
    type: 'agent-eval',
    agent: './moody.mjs',
    cases: [
      { id: 'is good', input: 'How are you?', expected: 'good' },
      { id: 'answers', input: 'Are you there?', assert: { type: 'regex', value: '.' } },
    ],
  },
};

/** Opens a page of the viewer, with the token unless said otherwise. */
async function openViewer(
  viewer: View,
  hash = '#/',
  { hasToken = true } = {},
): Promise<Watched & { go: Go }> {
  const origin = `http://127.0.0.1:${String(viewer.port)}/`;
  const watched = await open(hasToken ? `${origin}#token=${viewer.token}` : origin);
  const go: Go = async (next) => {
    await watched.page.goto(`${origin}${next}`);
    await watched.page.waitForSelector('h1');
  };
  await watched.page.waitForSelector('h1');
  if (hash !== '#/') await go(hash);
  return { ...watched, go };
}

type Go = (hash: string) => Promise<void>;

async function runMoody(cwd: string, answers: readonly string[]): Promise<void> {
  for (const answer of answers) {
    writeFileSync(join(cwd, 'tests/moody.mjs'), MOODY(answer));
    const { exitCode } = await assay(['run', 'moody'], { cwd });
    expect(exitCode).toBe(answer === 'good' ? 0 : 1);
  }
}

test('runs are listed, opened and compared, with what regressed first', async () => {
  const cwd = application({ files: moody });
  await runMoody(cwd, ['good', 'bad', 'good', 'bad']);
  const viewer = await view(cwd);
  const { page, problems, requests } = await openViewer(viewer);
  await page.waitForSelector('.run-row');
  expect(new URL(page.url()).hash).toBe('#/');
  expect(await textsOf(page, '.run-row .run-verdict')).toEqual([
    '✗ Failed',
    '✓ Passed',
    '✗ Failed',
    '✓ Passed',
  ]);
  expect(await page.locator('figure canvas').count()).toBe(1);
  await page.locator('figure summary').click();
  await expect
    .poll(async () => (await textsOf(page, 'figure tbody tr')).map((row) => row.replace(/^.*Moody/, 'Moody')))
    .toEqual([
      expect.stringMatching(/^Moody 50 % \d+ms$/),
      expect.stringMatching(/^Moody 100 % \d+ms$/),
      expect.stringMatching(/^Moody 50 % \d+ms$/),
      expect.stringMatching(/^Moody 100 % \d+ms$/),
    ]);

  await page.locator('.run-row input').nth(0).check();
  await page.locator('.run-row input').nth(1).check();
  await page.getByText('Compare the two').click();
  await page.waitForSelector('table.changes');
  expect(await textsOf(page, '.tiles li')).toEqual(['0 regressed', '1 suspected', '1 unchanged']);
  expect(await textsOf(page, '.banner > p:first-child')).toEqual([
    'Undecided. The pass rate went from 100% to 50% (−50 points), but anything from −100 to +100 fits (95% interval): a drop of more than 5 points (--margin) is not ruled out. 12 runs of every case with each version would decide, 4 times in 5; the runs so far count.',
  ]);
  expect((await textsOf(page, 'table.changes tbody tr'))[0]).toMatch(
    /^is good moody chance spreads 1 pass in 2 runs like this 50 of 100 times ✓ Passed 100 %, \d+ms ✗ Failed 0 %, \d+ms$/,
  );
  await page.locator('table.changes td a').nth(1).click();
  await page.waitForSelector('.verdicts');
  expect(await textsOf(page, '.reasons p')).toEqual([
    expect.stringContaining('the answer is not the expected one'),
  ]);
  expect(await textsOf(page, '.command code')).toEqual(["assay run moody --run '^is good$'"]);

  await page.goto(page.url().replace(/#.*/, '#/test?test=moody'));
  await page.waitForSelector('.grid');
  expect((await textsOf(page, '.grid tbody tr'))[0]).toMatch(
    /^is good .*flaky.* ✓ Passed ✗ Failed ✓ Passed ✗ Failed$/,
  );
  await page.getByRole('button', { name: 'Only flaky' }).click();
  await expect.poll(() => page.locator('.grid tbody tr').count()).toBe(1);
  await page.locator('.grid tbody a').first().click();
  await page.waitForSelector('figure');
  expect(await textsOf(page, 'h1')).toEqual([expect.stringContaining('is good')]);
  expect(problems).toEqual([]);
  expect(requests.every((url) => url.startsWith(`http://127.0.0.1:${String(viewer.port)}/api/`))).toBe(true);
});

test('a case that did not run is neither passed nor unchanged', async () => {
  const cwd = application({ files: moody });
  await runMoody(cwd, ['good']);
  const definition = moody['tests/moody.test.json'];
  const skip = async (ids: readonly string[]): Promise<void> => {
    const cases = definition.cases.map((one) => ({ ...one, skip: ids.includes(one.id) }));
    writeFileSync(join(cwd, 'tests/moody.test.json'), JSON.stringify({ ...definition, cases }));
    expect((await assay(['run', 'moody'], { cwd })).exitCode).toBe(0);
  };
  await skip(['answers']);
  await skip(['answers', 'is good']);
  const viewer = await view(cwd);
  const { page } = await openViewer(viewer);
  await page.waitForSelector('.run-row');
  expect(await textsOf(page, '.run-row .run-verdict')).toEqual(['○ Nothing ran', '✓ Passed', '✓ Passed']);
  const compare = page.getByRole('link', { name: /^compare with the one before/ });
  expect(await compare.count()).toBe(2);
  await compare.nth(1).click();
  await page.waitForSelector('table.changes');
  expect(await textsOf(page, '.tiles li')).toEqual([
    '0 regressed',
    '1 not measured in one of them',
    '1 unchanged',
  ]);
  expect(await textsOf(page, 'h2')).toContain('Not measured in one of them 1');
});

const field = (name: string): string => `[data-variable="${name}"]`;

test('a run is started with a bad value, then with a good one, and watched to its end', async () => {
  const slow = { ...files['tests/slow.test.json'], type: 'tone' };
  const cwd = application({ files: { ...files, 'tests/slow.test.json': slow } });
  const viewer = await view(cwd);
  const { page, problems } = await openViewer(viewer, '#/start?test=slow');
  await page.waitForSelector('form.start');
  await page.fill(field('Count'), 'many');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => textsOf(page, '.banner.bad li')).toEqual(['Count: expected a number, got "many"']);
  expect(await page.locator(field('Count')).getAttribute('aria-invalid')).toBe('true');
  await page.waitForFunction(() => document.activeElement?.className === 'banner bad');

  await page.fill(field('Count'), '3');
  await page.selectOption(field('Language'), 'fr');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.live-bar');
  await page.waitForFunction(() => {
    const [bar, verdict] = ['.live-bar', '.verdict-line'].map(
      (one) => document.querySelector(one)?.textContent,
    );
    return /[1-5] of 6 results/.test(bar ?? '') && verdict?.endsWith(' passed so far') === true;
  });
  await page.waitForSelector('.live-bar', { state: 'detached' });
  expect(await textsOf(page, '.verdict-line')).toEqual(['All 6 cases passed']);
  await page.getByRole('link', { name: 'About this run' }).click();
  await page.waitForSelector('[aria-label="Variables of the run"]');
  expect((await textsOf(page, '[aria-label="Variables of the run"] tbody tr')).slice(0, 2)).toEqual([
    'Language fr run',
    'Count 3 run',
  ]);

  await page.getByRole('link', { name: 'Start again' }).click();
  await page.waitForSelector(field('Count'));
  expect(await page.inputValue(field('Count'))).toBe('3');
  expect(await page.inputValue(field('Language'))).toBe('fr');
  expect(await page.inputValue('#runs')).toBe('');
  expect(problems).toEqual([]);
});

test('a run can be stopped; the same page of somebody without the token cannot', async () => {
  const cwd = application({ files });
  const viewer = await view(cwd);
  const { page } = await openViewer(viewer, '#/start?test=slow');
  await page.fill('#runs', '20');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.live-bar button');
  const other = await openViewer(viewer, new URL(page.url()).hash, { hasToken: false });
  await other.page.waitForSelector('.live-bar button');
  expect(await other.page.locator('.live-bar button').isDisabled()).toBe(true);
  await page.locator('.live-bar button').click();
  await page.waitForSelector('.live-bar', { state: 'detached' });
  await page.waitForFunction(() => document.title.includes('stopped'));
  await other.page.waitForSelector('.live-bar', { state: 'detached' });
  await other.go('#/start?test=slow');
  await other.page.waitForSelector('form.start');
  expect(await other.page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true);
  expect(await textsOf(other.page, '.banner')).toEqual([
    'Open the address that assay view printed to start runs from here.',
  ]);
});

test('values of a suite are saved in its file, unless that has changed', async () => {
  const cwd = application({ files });
  const file = join(cwd, 'tests/nightly.suite.yml');
  const viewer = await view(cwd);
  const { page } = await openViewer(viewer, '#/suite/nightly');
  const save = page.getByRole('button', { name: 'Save to tests/nightly.suite.yml' });
  await page.fill(field('Count'), 'x');
  await save.click();
  await expect.poll(() => textsOf(page, '.banner.bad li')).toEqual(['Count: expected a number, got "x"']);
  await page.fill(field('Count'), '7');
  // The page reads the file again, and must have done so before somebody else writes it.
  const reread = page.waitForResponse((response) => response.url().endsWith('/api/definitions'));
  await save.click();
  await page.getByText('Saved.').waitFor();
  await reread;
  const saved = readFileSync(file, 'utf8');
  expect(saved).toBe(`${files['tests/nightly.suite.yml'].trimEnd()}\n    Count: 7\n`);

  writeFileSync(file, `${saved}# by somebody else\n`);
  await page.fill(field('Count'), '8');
  await save.click();
  await page.getByText('changed meanwhile').waitFor();
  expect(readFileSync(file, 'utf8')).toBe(`${saved}# by somebody else\n`);
});

test('an unknown run and a server that is gone are reported', async () => {
  const cwd = application({ files: moody });
  await runMoody(cwd, ['good']);
  const viewer = await view(cwd);
  const { page } = await openViewer(viewer);
  await page.waitForSelector('.run-row');
  await page.goto(page.url().replace(/#.*/, '#/run/xyz'));
  await page.waitForSelector('.banner.bad');
  expect((await textsOf(page, '.banner.bad p'))[0]).toMatch(/^There is no run xyz in the history/);
  await viewer.stop();
  await page.getByRole('link', { name: 'Tests' }).click();
  await page.getByText('The viewer has stopped').first().waitFor();
  expect(await page.getByText('assay view').first().isVisible()).toBe(true);
});

test('axe finds nothing serious on any page of the viewer, on a phone either', async () => {
  const cwd = application({ files: { ...files, ...moody } });
  await runMoody(cwd, ['good', 'bad']);
  const viewer = await view(cwd);
  const { page, go } = await openViewer(viewer);
  await page.waitForSelector('.run-row');
  const { runs } = (await viewer.get('/api/runs')).body as { runs: { run_id: string }[] };
  const [after, before] = runs.map(({ run_id }) => run_id);
  const pages = [
    '#/',
    `#/run/${after ?? ''}`,
    `#/compare/${before ?? ''}/${after ?? ''}`,
    '#/tests',
    '#/test?test=moody',
    '#/case-history?test=moody&case=is%20good',
    '#/start?suite=nightly',
    '#/suite/nightly',
    '#/nowhere',
  ];
  for (const hash of pages) {
    await go(hash);
    await settled(page);
    await openAll(page);
    expect({ hash, issues: await seriousIssues(page) }).toEqual({ hash, issues: [] });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  for (const hash of pages) {
    await go(hash);
    await settled(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ hash, width }).toEqual({ hash, width: 360 });
  }
});

/** Waits until nothing is being read any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.body.innerText.includes('Reading'));
}
