// Scores of verdicts: averaged per metric, in the log and in every report.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { scored, SCORED } from '../support/scored-agent.ts';

const METRIC = {
  metric: 'similar',
  mean: 0.71,
  interval: { low: 0.483, high: 0.865 },
  cases: 20,
  min: 0,
  max: 1,
};
const TEXT = 'similar: 0.71 (mean of 20 cases, 0 to 1; cases like these: 0.48 to 0.86)';
/** Five cases with 0, four with 0.8, the others with 1; another one gives no answer. */
const SCORES = '00000....11111111111E';

test('the log, the terminal and all reports have the mean of each metric', async () => {
  const cwd = scored(SCORES);
  const { stdout } = await assay(SCORED, { cwd });
  expect(stdout).toContain(`\n  Score: ${TEXT}\n`);
  expect(readLog(join(cwd, 'log.jsonl')).summary?.metrics).toEqual([METRIC]);

  const outputs = ['-o', 'report.json', '-o', 'report.md', '-o', 'report.csv'];
  await assay(['report', 'log.jsonl', ...outputs], { cwd });
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  const json = JSON.parse(text('report.json')) as {
    summary: { metrics: unknown };
    results: { id: string; scores?: unknown }[];
  };
  expect(json.summary?.metrics).toEqual([METRIC]);
  expect(
    json.results.filter((_, at) => at === 0 || at === 5 || at === 20).map(({ scores }) => scores),
  ).toEqual([{ similar: 0 }, { similar: 0.8 }, undefined]);
  expect(text('report.md')).toMatch(
    /\n\| Score +\| similar: 0\.71 \(mean of 20 cases, 0 to 1; cases like these: 0\.48 to 0\.86\) +\|\n/,
  );
  expect(text('report.md')).toContain('\n\nScores: similar 0.8.\n\n');
  const lines = text('report.csv').trimEnd().split('\r\n');
  expect([lines[0], lines[1], lines[6], lines[21]].map((line) => line?.split(',').at(-1))).toEqual([
    'score:similar',
    '0',
    '0.8',
    '',
  ]);
  const { stdout: brief } = await assay(['report', 'log.jsonl'], { cwd });
  expect(brief).toContain(`\nScore: ${TEXT}\n`);
});

test('related cases widen the interval, in the run and in a report', async () => {
  const cwd = scored(SCORES);
  await assay(SCORED, { cwd });
  const grouped = await assay(['report', 'log.jsonl', '--cluster', 'tag:template', '--json'], { cwd });
  const { metrics } = (JSON.parse(grouped.stdout) as { summary: { metrics: (typeof METRIC)[] } }).summary;
  expect(metrics).toEqual([{ ...METRIC, interval: { low: 0.147, high: 0.972 } }]);
  await assay([...SCORED, '--cluster', 'tag:template'], { cwd });
  expect(readLog(join(cwd, 'log.jsonl')).summary?.metrics).toEqual(metrics);
});

test('a resumed run has the scores that it keeps', async () => {
  const cwd = scored(SCORES);
  const log = join(cwd, 'log.jsonl');
  await assay([...SCORED, '--runs', '2'], { cwd });
  // As if it had been killed after nine results.
  writeFileSync(log, `${readFileSync(log, 'utf8').split('\n').slice(0, 10).join('\n')}\n`);
  const { stdout } = await assay(['test', '--resume', 'log.jsonl', '--no-history'], { cwd });
  expect(stdout).toContain(`  Score: ${TEXT}\n`);
  expect(readLog(log).summary?.metrics).toEqual([METRIC]);
  const { stdout: brief } = await assay(['report', 'log.jsonl'], { cwd });
  expect(brief).toContain(`\nScore: ${TEXT}\n`);
});

test('a run without scores says nothing of them', async () => {
  const cwd = folder({
    'agent.mjs': 'export default ([{ content }]) => content;\n',
    'cases.jsonl': [{ id: 'a', input: 'x', expected: 'x' }],
  });
  const { stdout } = await assay(SCORED, { cwd });
  expect(stdout).not.toContain('Score');
  expect(readLog(join(cwd, 'log.jsonl')).summary).not.toHaveProperty('metrics');
});
