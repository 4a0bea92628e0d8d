// --cluster: the interval of the pass rate for groups of related cases.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog, write } from '../support/assay.ts';

/** Twenty cases of four templates; all of the first fail. */
function application(): string {
  const cases = Array.from({ length: 20 }, (_, at) => ({
    id: `c${at}`,
    input: at < 5 ? 'bad' : 'good',
    expected: 'good',
    tags: ['smoke', `template:${Math.floor(at / 5)}`],
  }));
  return folder({ 'agent.mjs': 'export default ([{ content }]) => content;\n', 'cases.jsonl': cases });
}

const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--no-history'];
const PLAIN = { low: 53.1, high: 88.8 };
const GROUPED = { low: 16.3, high: 97.9 };
const CLUSTERS = { by: 'tag:template', groups: 4, cases: 20 };

test('the summary, the log and reports have the interval for groups', async () => {
  const cwd = application();
  const { exitCode, stdout } = await assay([...ARGS, '--cluster', 'tag:template'], { cwd });
  expect([exitCode, /Pass rate.*/.exec(stdout)?.[0]]).toEqual([
    1,
    'Pass rate: 75% (mean of 20 cases); cases like these, in 4 groups: 16.3% to 97.9%',
  ]);
  const { start, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(start.flags['cluster']).toBe('tag:template');
  expect(summary).toMatchObject({ pass_rate_interval: GROUPED, clusters: CLUSTERS });

  const json = async (...more: string[]): Promise<unknown> => {
    const { stdout: text } = await assay(['report', 'log.jsonl', '--json', ...more], { cwd });
    return (JSON.parse(text) as { summary: unknown }).summary;
  };
  expect(await json()).toMatchObject({ pass_rate_interval: GROUPED, clusters: CLUSTERS });
  expect(await json('--cluster', 'test')).toMatchObject({ clusters: { by: 'test', groups: 1, cases: 20 } });
});

test('a report can group a run that was not, and says if no case has such a tag', async () => {
  const cwd = application();
  await assay(ARGS, { cwd });
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ pass_rate_interval: PLAIN });
  const grouped = await assay(['report', 'log.jsonl', '--cluster', 'tag:template', '--k', '1'], { cwd });
  expect(grouped.stdout).toContain('Pass rate: 75% (cases like these, in 4 groups: 16.3% to 97.9%)\n');
  expect(grouped.stdout).toContain('cases like these, in 4 groups: 16.3% to 97.9%)\npass^1');
  const unknown = await assay(['report', 'log.jsonl', '--cluster', 'tag:templte'], { cwd });
  expect(unknown.stdout).toContain(
    'Pass rate: 75% (cases like these: 53.1% to 88.8%)\n--cluster tag:templte: no case has such a tag, so each is a group of its own\n',
  );
});

test('a resumed run counts the cases that it keeps', async () => {
  const cwd = application();
  const log = join(cwd, 'log.jsonl');
  await assay([...ARGS, '--cluster', 'tag:template'], { cwd });
  // As if it had been killed after eight cases.
  write(log, `${readFileSync(log, 'utf8').split('\n').slice(0, 9).join('\n')}\n`);
  await assay(['test', '--resume', 'log.jsonl', '--no-history'], { cwd });
  expect(readLog(log).summary).toMatchObject({
    failed: 5,
    pass_rate_interval: GROUPED,
    clusters: CLUSTERS,
  });
});

test('other groups are refused', async () => {
  const cwd = application();
  const { exitCode, stderr } = await assay([...ARGS, '--cluster', 'template'], { cwd });
  expect([exitCode, stderr]).toEqual([
    2,
    '--cluster: must be tag:<prefix>, test or variable:<name>, not "template"\n',
  ]);
  await assay(ARGS, { cwd });
  const report = await assay(['report', 'log.jsonl', '--cluster', 'template'], { cwd });
  expect([report.exitCode, report.stderr]).toEqual([
    2,
    '--cluster must be tag:<prefix>, test or variable:<name>, not "template"\n',
  ]);
});
