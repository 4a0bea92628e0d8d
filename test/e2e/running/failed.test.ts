// --failed runs again the cases that did not pass.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';

/** Notes every call, and answers `bad` wrongly until the file `repaired` is there. */
const AGENT = `
import { appendFileSync, existsSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  return what === 'bad' && !existsSync('repaired') ? 'wrong' : 'right';
};
`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function runFolder(inputs: Record<string, string>): string {
  const cases = Object.entries(inputs).map(([id, input]) => ({ id, input, expected: 'right' }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
}

test('--failed runs what did not pass in a log, or in the last one', async () => {
  const cwd = runFolder({ one: 'one', bad: 'bad', two: 'two' });
  const { exitCode, stdout } = await assay(RUN, { cwd });
  expect(exitCode).toBe(1);
  expect(stdout).toContain('  Run again what failed: assay test --failed log.jsonl\n');

  const named = await assay(['test', '--failed', 'log.jsonl', '-o', 'second.jsonl'], { cwd });
  expect({ exitCode: named.exitCode, ...endsIn(join(cwd, 'second.jsonl')) }).toEqual({
    exitCode: 1,
    bad: 'failed | the answer is not the expected one',
  });

  write(join(cwd, 'repaired'), '');
  const last = await assay(['test', '--failed', '-o', 'third.jsonl'], { cwd });
  expect({ exitCode: last.exitCode, ...endsIn(join(cwd, 'third.jsonl')) }).toEqual({
    exitCode: 0,
    bad: 'passed',
  });
  expect(callsIn(cwd)).toEqual(['one', 'bad', 'two', 'bad', 'bad']);

  const nothing = await assay(['test', '--failed'], { cwd });
  expect(nothing).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: 'Nothing to run again: every case of the last log passed.\n',
  });
});

test('--failed of a run that was killed does not pretend that the rest passed', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 5000', three: 'three' });
  const run = start(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGKILL');
  await run.finished;
  expect(await assay(['test', '--failed', 'log.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /is unfinished: 2 of 3 cases have no result\n {2}hint: go on with it first: assay test --resume /,
    ),
  });
});

test('a case that was interrupted between its runs did not pass and runs again with --failed', async () => {
  const cwd = folder({
    'agent.mjs': `export default async () => { await new Promise((done) => setTimeout(done, 150)); return 'ok'; };`,
    'cases.jsonl': [{ id: 'a', input: 'hi' }],
  });
  const log = join(cwd, 'log.jsonl');
  const { child, finished } = start([...RUN, '--runs', '50', '--parallel', '1', '-o', 'report.json'], {
    cwd,
  });
  await until(() => {
    try {
      return readLog(log).results.length >= 2;
    } catch {
      return false;
    }
  });
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
  const { summary } = readLog(log);
  expect(summary).toMatchObject({ total: 1, passed: 0, failed: 0, skipped: 1, stable_cases: 0 });
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    results: [],
    skipped_cases: [{ id: 'a', reason: 'interrupted' }],
  });
  const again = await assay(['test', '--failed', 'log.jsonl', '--runs', '1', '-o', 'again.jsonl'], { cwd });
  expect(again.exitCode).toBe(0);
  expect(endsIn(join(cwd, 'again.jsonl'))).toEqual({ a: 'passed' });
});
