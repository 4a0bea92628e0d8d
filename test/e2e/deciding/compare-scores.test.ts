// Scores of two runs, compared metric by metric: from logs, from the history, and while a run is on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ComparedMetric } from '../../../src/model/comparison.ts';
import { assay, readLog, write } from '../support/assay.ts';
import { scored, SCORED } from '../support/scored-agent.ts';

/** Ten cases that score 1 before and 0.8 after. Both pass. */
const SCORES = '1111111111';
const METRIC: ComparedMetric = {
  metric: 'similar',
  cases: 10,
  before: 1,
  after: 0.8,
  difference: -0.2,
  low: -0.2,
  high: -0.2,
  // Only one of the 1,024 choices of signs is as low, and one as high.
  p: 2 / 1024,
  p_adjusted: 2 / 1024,
  verdict: 'worse',
};
const SENTENCE =
  'Score similar: worse. It fell by 0.2, from 1 to 0.8. With 95% certainty the drop is between 0.2 and 0.2 (p 0.002, 10 cases).';

const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'];

test('logs and the history give the same comparison, which fails nothing by itself', async () => {
  const cwd = scored(SCORES);
  await assay([...ARGS, '-o', 'before.jsonl'], { cwd });
  write(join(cwd, 'answers.json'), { Healed: 'Sealed' });
  await assay([...ARGS, '-o', 'after.jsonl'], { cwd });
  const compared = async (...sides: string[]) => {
    const { exitCode, stdout } = await assay(['compare', ...sides, '--json'], { cwd });
    return { exitCode, metrics: (JSON.parse(stdout) as { metrics: unknown }).metrics };
  };
  expect(await compared('before.jsonl', 'after.jsonl')).toEqual({ exitCode: 0, metrics: [METRIC] });
  expect(await compared('--latest')).toEqual({ exitCode: 0, metrics: [METRIC] });
  const text = await assay(['compare', 'before.jsonl', 'after.jsonl'], { cwd });
  expect({ exitCode: text.exitCode, lines: text.stdout.split('\n') }).toMatchObject({
    exitCode: 0,
    lines: expect.arrayContaining([SENTENCE]) as string[],
  });
  await assay(['compare', 'before.jsonl', 'after.jsonl', '-o', 'c.md', '-o', 'c.html'], { cwd });
  expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toContain(`\n\n${SENTENCE}\n`);
  expect(readFileSync(join(cwd, 'c.html'), 'utf8')).toContain(`<p>${SENTENCE}</p>`);
});

test('a run that is compared while it is on has the scores in its summary', async () => {
  const cwd = scored(SCORES);
  await assay([...ARGS, '-o', 'before.jsonl', '--no-history'], { cwd });
  write(join(cwd, 'answers.json'), { Healed: 'Sealed' });
  const { exitCode, stdout } = await assay([...SCORED, '--against', 'before.jsonl', '--runs', '1'], { cwd });
  const { summary } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, metrics: summary?.comparison?.metrics }).toEqual({ exitCode: 0, metrics: [METRIC] });
  expect(stdout).toContain(SENTENCE);
  expect(stdout).toContain(' Scores: similar worse (−0.2).');
  const report = await assay(['report', 'log.jsonl'], { cwd });
  expect(report.stdout).toContain(' Scores: similar worse (−0.2).');
});
