// The page of flaky cases in `assay view`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder } from '../e2e/support/assay.ts';
import { view } from '../e2e/support/view-server.ts';
import { open, seriousIssues, textsOf, useBrowser } from './browser.ts';

useBrowser();

const AGENT = `
import { readFileSync } from 'node:fs';
export default ([{ content }]) => {
  const n = Number(readFileSync('n.txt', 'utf8'));
  return { flips: n % 3 === 0 ? 'no' : 'yes', broke: n < 4 ? 'yes' : 'no' }[content] ?? 'yes';
};`;

test('flaky cases are listed with their quarantine', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': ['steady', 'flips', 'broke'].map((id) => ({ id, input: id, expected: 'yes' })),
    'quarantine.yml':
      '- { case: cases.jsonl › flips, reason: the bank sleeps, expires: 2999-01-31, owner: maria }\n',
  });
  for (let n = 0; n < 8; n += 1) {
    writeFileSync(join(cwd, 'n.txt'), String(n));
    await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  }
  const viewer = await view(cwd);
  const { page, problems } = await open(`http://127.0.0.1:${String(viewer.port)}/`);
  await page.click('nav >> text=Flaky');
  await page.waitForSelector('table');
  expect(await textsOf(page, 'tbody tr')).toEqual([
    'cases.jsonl › broke changed 4 of 8 flipped once fails no',
    'cases.jsonl › flips flaky 5 of 8 43 in 100 passes until 2999-01-31 the bank sleeps (maria)',
  ]);
  expect(await seriousIssues(page)).toEqual([]);
  await page.click('text=cases.jsonl › flips');
  await page.waitForSelector('h1 >> text=flips');
  expect(problems).toEqual([]);
});
