// A log has one writer, and a run whose log does not survive says so.

import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../until.ts';
import type { Finished, Running } from '../support/assay.ts';
import { assay, callsIn, folder, logIn, readLog, start } from '../support/assay.ts';
import { application, RUN as HOOKED_RUN } from '../support/hook-files.ts';

/** Waits with `slow` until the test lets it go on. */
const AGENT = `
import { appendFileSync, existsSync } from 'node:fs';
export default async (messages) => {
  const what = messages[0].content;
  appendFileSync('calls.txt', what + '\\n');
  while (what === 'slow' && !existsSync('go')) await new Promise((done) => setTimeout(done, 20));
  return 'right';
};
`;
const INPUT = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs'];
const RUN = [...INPUT, '-o', 'log.jsonl'];

function runFolder(): string {
  const cases = ['one', 'slow', 'three'].map((id) => ({ id, input: id, expected: 'right' }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
}

/** Starts a run and waits until `slow` waits. */
async function live(cwd: string, args: readonly string[] = RUN): Promise<Running> {
  const before = callsIn(cwd).filter((call) => call === 'slow').length;
  const run = start(args, { cwd });
  await until(() => callsIn(cwd).filter((call) => call === 'slow').length > before);
  return run;
}

async function letGo(cwd: string, run: Running): Promise<Finished> {
  writeFileSync(join(cwd, 'go'), '');
  return run.finished;
}

const refusal = (pid: number | undefined, path: string): Partial<Finished> => ({
  exitCode: 2,
  stdout: '',
  stderr: `process ${String(pid)} is writing the run log ${path}\n  hint: wait until that run has ended, or choose another file with -o\n`,
});

test('a second writer of a live log is refused, whichever way it names the log, and nothing is lost', async () => {
  const cwd = runFolder();
  const log = join(cwd, 'log.jsonl');
  const run = await live(cwd);
  mkdirSync(join(cwd, 'sub'));
  symlinkSync(log, join(cwd, 'link.jsonl'));
  linkSync(log, join(cwd, 'sub', 'hard.jsonl'));
  const { pid } = run.child;
  const before = readFileSync(log, 'utf8');
  for (const name of ['log.jsonl', './sub/../log.jsonl', 'link.jsonl', 'sub/hard.jsonl']) {
    const path = join(cwd, name);
    expect(await assay([...INPUT, '-o', name], { cwd })).toMatchObject(refusal(pid, path));
    expect(await assay(['test', '--resume', name], { cwd })).toMatchObject(refusal(pid, path));
  }
  expect(await assay(['test', '--resume', 'last'], { cwd })).toMatchObject(refusal(pid, log));
  // Neither does a copy replace it.
  expect(await assay([...INPUT, '-o', 'other.jsonl', '-o', 'log.jsonl'], { cwd })).toMatchObject(
    refusal(pid, log),
  );
  expect(await assay(['report', 'log.jsonl', '-o', 'log.jsonl'], { cwd })).toMatchObject(refusal(pid, log));
  expect({ content: readFileSync(log, 'utf8'), calls: callsIn(cwd) }).toEqual({
    content: before,
    calls: ['one', 'slow'],
  });

  expect(await letGo(cwd, run)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readLog(log).results.map(({ id }) => id)).toEqual(['one', 'slow', 'three']);
  expect(readdirSync(cwd).toSorted()).toEqual([
    '.assay',
    'agent.mjs',
    'calls.txt',
    'cases.jsonl',
    'go',
    'link.jsonl',
    'log.jsonl',
    'sub',
  ]);
  expect((await assay(RUN, { cwd })).exitCode).toBe(0);
});

test('a refused run calls no hook, and a run whose first hook fails leaves an old log as it is', async () => {
  const cwd = application([{ id: 'one', input: 'hang' }]);
  const log = join(cwd, 'log.jsonl');
  const run = start(HOOKED_RUN, { cwd });
  await until(() => callsIn(cwd).includes('agent hang'));
  const hooked = [...HOOKED_RUN, '--before-all', 'env_test.BeforeAll'];
  expect(await assay(hooked, { cwd })).toMatchObject(refusal(run.child.pid, log));
  run.child.kill('SIGKILL');
  await run.finished;
  const content = readFileSync(log, 'utf8');
  const { exitCode } = await assay([...HOOKED_RUN, '--before-all', 'env_test.Broken'], { cwd });
  expect({ exitCode, calls: callsIn(cwd), content: readFileSync(log, 'utf8') }).toEqual({
    exitCode: 3,
    calls: ['agent hang'],
    content,
  });
});

test('of three runs that begin the same new log at once, one goes on', async () => {
  const cwd = runFolder();
  const codes: (number | null)[] = [];
  const runs = [1, 2, 3].map(async () => codes.push((await assay(RUN, { cwd })).exitCode));
  await until(() => codes.length === 2);
  writeFileSync(join(cwd, 'go'), '');
  await Promise.all(runs);
  expect(codes).toEqual([2, 2, 0]);
  expect(readLog(join(cwd, 'log.jsonl')).results.map(({ id }) => id)).toEqual(['one', 'slow', 'three']);
});

test('the logs that Assay names itself are locked as well', async () => {
  const cwd = runFolder();
  const run = await live(cwd, INPUT);
  const log = logIn(cwd);
  expect(await assay(['test', '--resume', 'last'], { cwd })).toMatchObject(refusal(run.child.pid, log));
  await letGo(cwd, run);
  rmSync(join(cwd, 'go'));
  const hidden = await live(cwd, [...INPUT, '-o', 'report.json']);
  const [id = ''] = readdirSync(join(cwd, '.assay/runs'));
  const inState = join(cwd, '.assay/runs', id);
  expect(await assay(['test', '--resume', 'last'], { cwd })).toMatchObject(
    refusal(hidden.child.pid, inState),
  );
  await letGo(cwd, hidden);
});

test('after kill -9 nothing is locked and nothing is left; of two resumes at once one goes on', async () => {
  const cwd = runFolder();
  for (let round = 0; round < 3; round += 1) {
    const run = await live(cwd, round === 0 ? RUN : ['test', '--resume', 'log.jsonl']);
    run.child.kill('SIGKILL');
    await run.finished;
    expect(readdirSync(cwd).toSorted()).toEqual([
      '.assay',
      'agent.mjs',
      'calls.txt',
      'cases.jsonl',
      'log.jsonl',
    ]);
  }
  writeFileSync(join(cwd, 'go'), '');
  const ends = await Promise.all([1, 2, 3].map(() => assay(['test', '--resume', 'log.jsonl'], { cwd })));
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  // Those that come late find a run in progress, one that wrote in the meantime, or a finished run.
  expect(ends.filter(({ exitCode }) => exitCode === 0).length).toBeGreaterThan(0);
  expect(ends.every(({ exitCode }) => exitCode === 0 || exitCode === 2)).toBe(true);
  expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'one passed',
    'slow passed',
    'three passed',
  ]);
  expect(summary).toMatchObject({ total: 3, passed: 3, exit_code: 0 });
});

const LOSSES = {
  removed: { change: (log: string) => rmSync(log), told: 'was removed or moved while the run was on' },
  moved: {
    change: (log: string) => renameSync(log, `${log}.old`),
    told: 'was removed or moved while the run was on',
  },
  replaced: {
    change: (log: string) => {
      rmSync(log);
      writeFileSync(log, 'mine');
    },
    told: 'was replaced by another file while the run was on',
  },
};

test.each(Object.entries(LOSSES))(
  'a log that was %s is exit 3, and its results are saved',
  async (_name, { change, told }) => {
    const cwd = runFolder();
    const run = await live(cwd, [...RUN, '-o', 'report.json']);
    change(join(cwd, 'log.jsonl'));
    const { exitCode, stderr } = await letGo(cwd, run);
    const [name = ''] = readdirSync(join(cwd, '.assay/runs'));
    const saved = `.assay/runs/${name}`;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: `the run log log.jsonl ${told}; its results are in ${saved}\n`,
    });
    expect(readLog(join(cwd, saved)).results.map(({ id }) => id)).toEqual(['one', 'slow', 'three']);
    expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')).summary).toMatchObject({
      total: 3,
      passed: 3,
    });
    expect((await assay(['history'], { cwd })).stdout).toContain('3 passed');
    expect((await assay(['test', '--resume', 'last'], { cwd })).exitCode).toBe(0);
  },
);

test('a log that was cut, or that another program wrote to, is exit 3; one that was not asked for is told', async () => {
  const cwd = runFolder();
  const cut = await live(cwd);
  truncateSync(join(cwd, 'log.jsonl'), 10);
  expect(await letGo(cwd, cut)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining(
      'the run log log.jsonl was cut while the run was on: results are missing in it; reports and the history are not made from it\n',
    ),
  });
  rmSync(join(cwd, 'go'));
  const mixed = await live(cwd, [...INPUT, '-o', 'mixed.jsonl']);
  writeFileSync(join(cwd, 'mixed.jsonl'), '{"type":"note"}\n', { flag: 'a' });
  expect(await letGo(cwd, mixed)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringMatching(
      /^the run log mixed\.jsonl has lines of another program, which wrote to it while the run was on; its results are in \.assay\/runs\/\S+\n$/,
    ),
  });
  rmSync(join(cwd, 'go'));
  const implicit = await live(cwd, INPUT);
  rmSync(logIn(cwd));
  const { exitCode, stderr } = await letGo(cwd, implicit);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(
      /^the run log output-\d+\.jsonl was removed or moved while the run was on; its results are in \.assay\/runs\/\S+\n$/,
    ),
  });
});

/** Forges a result after the first one is in the log; the second case lets it happen while the history is being recorded. */
const FORGER = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const results = () => readFileSync('log.jsonl', 'utf8').trim().split('\\n').map(JSON.parse).filter(({ type }) => type === 'result');
export default async ([{ content }]) => {
  if (content === 'one') return 'wrong';
  while (results().length === 0) await new Promise((done) => setTimeout(done, 20));
  const [{ error, verdicts, ...forged }] = results();
  FORGE
  await new Promise((done) => setTimeout(done, 2000));
  return 'right';
};`;
const FORGERIES = {
  'the same attempt': "appendFileSync('log.jsonl', JSON.stringify({ ...forged, status: 'passed' }) + '\\n');",
  'another attempt':
    "appendFileSync('log.jsonl', JSON.stringify({ ...forged, key: 'x', id: 'x', status: 'passed' }) + '\\n');",
  'the same attempt in its place': `const text = readFileSync('log.jsonl', 'utf8');
    writeFileSync('log.jsonl', text.replace('"status":"failed"', '"status":"passed"'));`,
};

test.each(Object.entries(FORGERIES))(
  'a forged result of %s is in no report and not in the history',
  async (_name, forge) => {
    const cases = ['one', 'two'].map((id) => ({ id, input: id, expected: 'right' }));
    const cwd = folder({ 'agent.mjs': FORGER.replace('FORGE', forge), 'cases.jsonl': cases });
    const args = [...RUN, '--parallel', '1', '--store', 'h.db', '-o', 'report.json'];
    const { exitCode, stderr } = await assay(args, { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^the run log log\.jsonl /),
    });
    if (existsSync(join(cwd, 'report.json')))
      expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')).summary).toMatchObject({
        total: 2,
        passed: 1,
        failed: 1,
      });
    const { stdout } = await assay(['history', '--store', 'h.db'], { cwd });
    expect(stdout).toMatch(/1 passed, 1 failed|no runs|No runs/);
    const shown = await assay(['show', 'latest', '--store', 'h.db'], { cwd });
    expect(shown.stdout).not.toMatch(/passed +(one|x) /);
    // Of a log that was changed in place, nothing else has the results.
    if (!forge.includes('writeFileSync'))
      expect((await assay(['test', '--failed', 'last', '--dry-run'], { cwd })).stdout).toContain('one');
  },
);

test('resuming a finished run writes the reports that are asked for and executes nothing', async () => {
  const cwd = runFolder();
  writeFileSync(join(cwd, 'go'), '');
  await assay(RUN, { cwd });
  const size = readFileSync(join(cwd, 'log.jsonl'), 'utf8').length;
  const outputs = ['report.html', 'junit.xml', 'copy.jsonl'].flatMap((name) => ['-o', name]);
  expect(await assay(['test', '--resume', 'last', ...outputs], { cwd })).toEqual({
    exitCode: 0,
    signal: null,
    stdout: '',
    stderr:
      'Nothing left to do: the run in log.jsonl is finished.\n  Report: report.html\n  Report: junit.xml\n  Report: copy.jsonl\n',
  });
  expect(callsIn(cwd)).toEqual(['one', 'slow', 'three']);
  expect(readFileSync(join(cwd, 'copy.jsonl'), 'utf8')).toBe(readFileSync(join(cwd, 'log.jsonl'), 'utf8'));
  expect(readFileSync(join(cwd, 'junit.xml'), 'utf8')).toContain('tests="3"');
  const { stdout } = await assay(['test', '--resume', 'last', '--json'], { cwd });
  expect(JSON.parse(stdout).summary).toMatchObject({ total: 3, passed: 3 });
  expect((await assay(['test', '--resume', 'last', '-o', '-'], { cwd })).stdout).toHaveLength(size);
  // It is in the history, even if it was killed before it got there.
  rmSync(join(cwd, '.assay/history.db'), { force: true });
  rmSync(join(cwd, '.assay/waiting'), { recursive: true, force: true });
  await assay(['test', '--resume', 'log.jsonl', '--store', 'store.db'], { cwd });
  await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect((await assay(['history'], { cwd })).stdout).toContain('3 passed');
  expect((await assay(['history', '--store', 'store.db'], { cwd })).stdout).toContain('3 passed');
  const unwritable = await assay(['test', '--resume', 'last', '-o', 'agent.mjs/report.html'], { cwd });
  expect(unwritable.exitCode).toBe(3);
});
