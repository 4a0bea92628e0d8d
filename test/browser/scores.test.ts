// Scores on the pages: a chart of each metric, and the scores of a case.

import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent } from '../fixtures/logs/agent-log.ts';
import { openReport, textsOf, useBrowser } from './browser.ts';

useBrowser();

/** Ten cases of two runs; the metric is named like a tag, which must stay text. */
function scoredRun(): RunEvent[] {
  const results = Array.from({ length: 10 }, (_, at) =>
    [1, 2].map((run) =>
      resultEvent(`c${String(at)}`, {
        run,
        key: `c${String(at)}-${String(run)}`,
        verdicts: [
          { type: 'similar', status: 'passed', score: 1 },
          { type: 'agent', metric: '<b>tone', status: 'passed', score: at < 5 ? 0.2 * run : 0.95 },
        ],
      }),
    ),
  );
  return [startEvent({ total_cases: 10, runs_per_case: 2, flags: { runs: 2 } }), ...results.flat()];
}

test('the overview and the charts show each metric with its numbers', async () => {
  const { page, problems, requests } = await openReport(scoredRun());
  const figure = page.getByRole('figure', { name: 'Scores' });
  await figure.waitFor();
  expect(await textsOf(page, '.scores li')).toEqual(['<b>tone 0.63', 'similar 1']);
  expect(
    await figure.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
  ).toEqual(['0.63, interval 0.36–0.83, 10 cases', '1, interval 0.72–1, 10 cases']);
  await figure.getByText('Table').click();
  expect(await textsOf(page, '.numbers tbody tr')).toEqual([
    '<b>tone 0.63 0.36–0.83 10 0.3 0.95 0 0 0 5 0 0 0 0 0 5',
    'similar 1 0.72–1 10 1 1 0 0 0 0 0 0 0 0 0 10',
  ]);
  await page.getByRole('link', { name: 'Charts' }).click();
  await page.waitForFunction(() => location.hash.includes('charts'));
  await figure.waitFor();
  expect(await textsOf(page, '.scores li')).toEqual(['<b>tone 0.63', 'similar 1']);
  expect({ problems, requests }).toEqual({ problems: [], requests: [] });
});

test('a case has its mean scores, and each verdict its own', async () => {
  const { page, problems } = await openReport(scoredRun(), { hash: '#/case/0' });
  await page.waitForSelector('.verdicts');
  expect(await textsOf(page, 'p.scores')).toEqual(['Scores (mean of its runs): <b>tone 0.3, similar 1']);
  expect(await textsOf(page, '.verdicts li .note')).toEqual(['score 1.00', 'score 0.20 · metric <b>tone']);
  expect(problems).toEqual([]);
});
