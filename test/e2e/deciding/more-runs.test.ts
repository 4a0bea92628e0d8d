// `--resume` with a larger `--runs` adds runs to every case of a log.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, folder, readLog } from '../support/assay.ts';

/** Notes every call, and answers wrong on the calls of "bad" after the first. */
const AGENT = `
import { appendFileSync, readFileSync } from 'node:fs';
export default ([{ content }]) => {
  appendFileSync('calls.txt', content + '\\n');
  const calls = readFileSync('calls.txt', 'utf8').split('\\n').filter((call) => call === content).length;
  return content === 'bad' && calls > 1 ? 'wrong' : 'right';
};
`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function application(): {
  cwd: string;
  log: string;
  resume: (...more: string[]) => ReturnType<typeof assay>;
} {
  const cases = ['good', 'bad'].map((id) => ({ id, input: id, expected: 'right' }));
  const cwd = folder({ 'assay.config.json': '{}', 'agent.mjs': AGENT, 'cases.jsonl': cases });
  const resume = (...more: string[]): ReturnType<typeof assay> =>
    assay(['test', '--resume', 'log.jsonl', ...more], { cwd });
  return { cwd, log: join(cwd, 'log.jsonl'), resume };
}

test('a finished run gets more runs, and everything that reads its log knows them all', async () => {
  const { cwd, log, resume } = application();
  expect((await assay([...RUN, '--runs', '2'], { cwd })).exitCode).toBe(1);
  const { exitCode, stdout } = await resume('--runs', '4');
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 1,
    calls: ['good', 'bad', 'good', 'bad', 'good', 'bad', 'good', 'bad'],
  });
  expect(stdout).toContain('Runs: 4 per case');
  expect(stdout).toContain('Resumed: 4 results stay');
  const { start, events, results, summary } = readLog(log);
  expect({ runs: start.runs_per_case, resumed: events.find(({ type }) => type === 'resume') }).toMatchObject({
    runs: 2,
    resumed: { type: 'resume', runs: 4 },
  });
  expect(results.map(({ id, run }) => `${id} ${String(run)}`).join(', ')).toBe(
    'good 1, bad 1, good 2, bad 2, good 3, bad 3, good 4, bad 4',
  );
  expect(summary).toMatchObject({ total: 2, passed: 1, failed: 1, total_runs: 8, runs_per_case: 4 });

  const { stdout: json } = await assay(['report', 'log.jsonl', '--json'], { cwd });
  expect(JSON.parse(json)).toMatchObject({
    summary: { runs_per_case: 4, total_runs: 8 },
    results: [
      { id: 'good', runs: 4, passed: 4, stable: true },
      { id: 'bad', runs: 4, passed: 1 },
    ],
  });
  const { stdout: shown } = await assay(['show', 'latest', '--json'], { cwd });
  expect(JSON.parse(shown)).toMatchObject({ run: { runs_per_case: 4, summary: { total_runs: 8 } } });
  const again = await assay(['test', '--failed', 'log.jsonl', '--dry-run', '--json'], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({ runs_per_case: 4 });
  expect((await resume()).stderr).toMatch(/^Nothing left to do/);
});

test('a run that was cut off in the middle of more runs goes on with them', async () => {
  const { cwd, log, resume } = application();
  await assay(RUN, { cwd });
  await resume('--runs', '3');
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  // Without the summary and the last result, as after a kill.
  writeFileSync(log, `${lines.slice(0, -2).join('\n')}\n`);
  const { stdout } = await assay(['report', 'log.jsonl', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    results: [
      { id: 'good', runs: 3 },
      { id: 'bad', status: 'failed' },
    ],
  });
  const { exitCode } = await resume();
  expect({ exitCode, calls: callsIn(cwd).length }).toEqual({ exitCode: 1, calls: 7 });
  expect(readLog(log).summary).toMatchObject({ total_runs: 6, runs_per_case: 3 });
});

test('tests that say how often they run get more runs, too', async () => {
  const definition = {
    id: 'moody',
    name: 'Moody',
    type: 'agent-eval',
    agent: '../agent.mjs',
    options: { runs: 2 },
    cases: [{ id: 'good', input: 'good', expected: 'right' }],
  };
  const cwd = folder({
    'assay.config.json': '{}',
    'agent.mjs': AGENT,
    'tests/moody.test.json': definition,
  });
  await assay(['run', 'moody', '-o', 'log.jsonl'], { cwd });
  const more = await assay(['test', '--resume', 'log.jsonl', '--runs', '5'], { cwd });
  expect({ exitCode: more.exitCode, stderr: more.stderr, calls: callsIn(cwd).length }).toEqual({
    exitCode: 0,
    stderr: '',
    calls: 5,
  });
  const { stderr } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect(stderr).toMatch(/^Nothing left to do/);
});

test('as many runs as there are change nothing, and fewer or no number are refused', async () => {
  const { cwd, resume } = application();
  await assay([...RUN, '--runs', '2'], { cwd });
  const [same, fewer, word] = [
    await resume('--runs', '2'),
    await resume('--runs', '1'),
    await resume('--runs', 'auto'),
  ];
  expect(same.stderr).toMatch(/^Nothing left to do/);
  expect([fewer.exitCode, word.exitCode, callsIn(cwd).length]).toEqual([2, 2, 4]);
  expect(fewer.stderr).toMatch(/--runs 1: the run in .*log.jsonl has 2 runs of a case/);
  expect(fewer.stderr).toContain('give more than 2 to add runs, or start a new run');
  expect(word.stderr).toContain('--resume with --runs adds a number of runs to every case, not "auto"');
});
