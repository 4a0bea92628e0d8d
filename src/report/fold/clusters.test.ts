import { expect, test } from 'vitest';
import type { ResultEvent, RunEvent } from '../../model/event.ts';
import { resultEvent, sourceOf, startEvent, summaryEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { clusterNote, likeTheseText } from '../text/run-words.ts';
import { foldK } from './k-figures.ts';
import { readOverview } from './overview.ts';

/** Twelve cases in four templates: those of the first fail; two more cases have no template. */
function results(runs = 1): ResultEvent[] {
  return Array.from({ length: 14 }, (_, at) =>
    Array.from({ length: runs }, (__, run) =>
      resultEvent(`c${at}`, {
        key: `${at} ${run}`,
        run: run + 1,
        status: at < 3 ? 'failed' : 'passed',
        tags: at < 12 ? ['smoke', `template:${Math.floor(at / 3)}`] : ['smoke'],
      }),
    ),
  ).flat();
}

async function overview(cluster: string | undefined, events: readonly RunEvent[], runs = 1) {
  const flags = cluster === undefined ? {} : { cluster };
  const source = sourceOf([startEvent({ flags, runs_per_case: runs, total_cases: 14 }), ...events]);
  return (await readOverview(source)).counts;
}

test('counts the interval for groups of related cases', async () => {
  const plain = await overview(undefined, results());
  const grouped = await overview('tag:template', results());
  expect([plain.pass_rate_interval, plain.clusters]).toEqual([{ low: 52.4, high: 92.4 }, undefined]);
  expect([grouped.pass_rate_interval, grouped.clusters]).toEqual([
    { low: 30.3, high: 96.9 },
    { by: 'tag:template', groups: 6, cases: 12 },
  ]);
  expect(likeTheseText('case', grouped)).toBe('cases like these, in 6 groups: 30.3% to 96.9%');
});

test('replaces the interval of the summary, whatever groups the run had', async () => {
  const summary = summaryEvent({
    passed: 11,
    failed: 3,
    total: 14,
    pass_rate_interval: { low: 1, high: 2 },
    clusters: { by: 'test', groups: 1, cases: 14 },
  });
  const counts = await overview('tag:template', [...results(), summary]);
  expect([counts.pass_rate_interval, counts.clusters]).toEqual([
    { low: 30.3, high: 96.9 },
    { by: 'tag:template', groups: 6, cases: 12 },
  ]);
  expect((await overview(undefined, [...results(), summary])).pass_rate_interval).toEqual({
    low: 1,
    high: 2,
  });
});

test('a run that was killed counts every case that had a run', async () => {
  // The last case has one of two runs.
  const events = results(2).slice(0, -1);
  const { clusters } = await overview('tag:template', events, 2);
  expect(clusters).toEqual({ by: 'tag:template', groups: 6, cases: 12 });
});

test('groups that no case has are said, and change nothing', async () => {
  const counts = await overview('tag:templte', results());
  expect([counts.pass_rate_interval, counts.clusters]).toEqual([
    { low: 52.4, high: 92.4 },
    { by: 'tag:templte', groups: 14, cases: 0 },
  ]);
  expect(likeTheseText('case', counts)).toBe('cases like these: 52.4% to 92.4%');
  expect(clusterNote(counts, 'case')).toBe(
    '--cluster tag:templte: no case has such a tag, so each is a group of its own',
  );
});

test('pass@k has the same groups', async () => {
  const start = startEvent({ flags: { cluster: 'tag:template', k: [1] }, runs_per_case: 1 });
  const source = sourceOf([start, ...results()]);
  const rate = { value: 78.6, low: 30.3, high: 96.9, cases: 14, groups: 6 };
  expect(await foldK(source, await readOverview(source))).toEqual({
    pass_at_k: { 1: rate },
    pass_hat_k: { 1: rate },
  });
});
