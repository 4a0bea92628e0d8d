// A run that was stopped goes on where it was.

import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';
import { openStore } from '../../../src/history/store/open-store.ts';
import { json, serve } from '../support/http-server.ts';

/** Notes every call; what it answers can be changed from outside through a file. */
const AGENT = `
import { appendFileSync, existsSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (what === 'measure' && !existsSync('measurable')) return { output: 'right' };
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  return what === 'bad' && !existsSync('repaired') ? 'wrong' : 'right';
};
`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function runFolder(inputs: Record<string, string>): string {
  const cases = Object.entries(inputs).map(([id, input]) => ({ id, input, expected: 'right' }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases });
}

/** Runs until `slow` was called and interrupts there. */
async function interrupted(
  cwd: string,
  signal: NodeJS.Signals,
  args: readonly string[] = RUN,
): Promise<number | null> {
  const run = start(args, { cwd });
  // What the worker has settled before may still be on its way to the log.
  const log = join(cwd, 'log.jsonl');
  const before = callsIn(cwd).length;
  const isLogged = (): boolean => {
    const settled = callsIn(cwd).length - before - 1;
    return !existsSync(log) || readFileSync(log, 'utf8').split('"type":"result"').length - 1 >= settled;
  };
  await until(() => callsIn(cwd).includes('slow') && isLogged());
  run.child.kill(signal);
  return (await run.finished).exitCode;
}

test('after Ctrl-C the rest runs, and only the rest', async () => {
  const cwd = runFolder({ one: 'one', bad: 'bad', slow: 'slow 300', four: 'four', five: 'five' });
  expect(await interrupted(cwd, 'SIGINT')).toBe(130);
  const { exitCode, stdout } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  const { start, events, results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(callsIn(cwd)).toEqual(['one', 'bad', 'slow', 'four', 'five']);
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    one: 'passed',
    bad: 'failed | the answer is not the expected one',
    slow: 'passed',
    four: 'passed',
    five: 'passed',
  });
  expect(events.filter((event) => event.type === 'resume')).toEqual([
    { type: 'resume', run_id: start.run_id, timestamp: expect.any(String) },
  ]);
  expect(results).toHaveLength(7);
  expect(summary).toMatchObject({ total: 5, passed: 4, failed: 1, skipped: 0, total_runs: 5, exit_code: 1 });
  expect(stdout).toContain('  Resumed: 3 results stay\n');

  // Its reports know only what counts.
  const report = JSON.parse((await assay(['report', 'log.jsonl', '--json'], { cwd })).stdout);
  expect(report.summary).toMatchObject({ total: 5, passed: 4, failed: 1, skipped: 0 });
  expect(report.results.map((result: { id: string }) => result.id).sort()).toEqual([
    'bad',
    'five',
    'four',
    'one',
    'slow',
  ]);
  expect(report.skipped_cases).toEqual([]);

  // Finished now: nothing is executed, and the exit code is that of the run.
  const size = statSync(join(cwd, 'log.jsonl')).size;
  const again = await assay(['test', '--resume', 'last'], { cwd });
  expect(again).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: 'Nothing left to do: the run in log.jsonl is finished.\n',
  });
  expect(statSync(join(cwd, 'log.jsonl')).size).toBe(size);
  expect(callsIn(cwd)).toHaveLength(5);
});

test('a run that Ctrl-C met in its last case has the exit code of its results once it is resumed', async () => {
  const cwd = runFolder({ one: 'fine', two: 'slow 400' });
  expect(await interrupted(cwd, 'SIGINT')).toBe(130);
  const { exitCode } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect([exitCode, callsIn(cwd), readLog(join(cwd, 'log.jsonl')).summary?.exit_code]).toEqual([
    0,
    ['fine', 'slow'],
    0,
  ]);
});

test('after kill -9, with and without a torn last line', async () => {
  const cwd = runFolder({ one: 'one', two: 'two', slow: 'slow 60000', four: 'four' });
  const log = join(cwd, 'log.jsonl');
  await interrupted(cwd, 'SIGKILL');
  expect(endsIn(log)).toEqual({ one: 'passed', two: 'passed' });

  // Cut into the last line by hand.
  truncateSync(log, statSync(log).size - 20);
  write(join(cwd, 'cases.jsonl'), readFileSync(join(cwd, 'cases.jsonl'), 'utf8'));
  const run = start(['test', '--resume', 'log.jsonl', '--timeout', '300ms'], { cwd });
  const { exitCode } = await run.finished;
  expect({ exitCode, ...endsIn(log) }).toEqual({
    exitCode: 1,
    one: 'passed',
    two: 'passed',
    slow: 'timeout | timeout after 300ms',
    four: 'passed',
  });
  expect(callsIn(cwd)).toEqual(['one', 'two', 'slow', 'two', 'slow', 'four']);
  expect(readLog(log).summary).toMatchObject({ total: 4, passed: 3, failed: 1, timeouts: 1 });
});

test.each([1, 5, 60])('a log that lost its last %i bytes, wherever that cuts', async (bytes) => {
  const cwd = runFolder({ one: 'one', two: 'two', three: 'three' });
  const log = join(cwd, 'log.jsonl');
  await assay(RUN, { cwd });
  const whole = statSync(log).size;
  truncateSync(log, whole - bytes);
  const { exitCode } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({ exitCode, calls: callsIn(cwd), ...endsIn(log) }).toEqual({
    exitCode: 0,
    calls: ['one', 'two', 'three'],
    one: 'passed',
    two: 'passed',
    three: 'passed',
  });
  expect(readLog(log).summary).toMatchObject({ total: 3, passed: 3, exit_code: 0 });
});

test('a changed case file or agent is refused, unless --force', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 300', three: 'three' });
  await interrupted(cwd, 'SIGINT');
  appendFileSync(join(cwd, 'cases.jsonl'), '{"id": "new", "input": "new"}\n');
  appendFileSync(join(cwd, 'agent.mjs'), '// changed\n');
  const hint = '  hint: start a new run, or --force to go on with what is there now\n';
  expect(await assay(['test', '--resume', 'log.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      `cases.jsonl: the case file has changed since the run began\n${hint}` +
      `agent agent.mjs has changed since the run began\n${hint}`,
  });
  expect(callsIn(cwd)).toEqual(['one', 'slow']);
  const { exitCode } = await assay(['test', '--resume', 'log.jsonl', '--force'], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 0, calls: ['one', 'slow', 'three', 'new'] });
});

test('unmeasured cases run again, and so do cases that fail-fast skipped', async () => {
  const cwd = folder({
    'assay.config.json': '{}',
    'agent.mjs': AGENT,
    'scripts/test.ts': `import { existsSync } from 'node:fs';\nfunction Check() { if (!existsSync('measurable')) throw new Error('no judge'); return true; }\n`,
    'cases.jsonl': [
      { id: 'one', input: 'one' },
      { id: 'unclear', input: 'unclear', assert: { type: 'script', script: 'scripts.test.Check' } },
      { id: 'three', input: 'three' },
      { id: 'never', input: 'never', skip: true },
    ],
  });
  const log = join(cwd, 'log.jsonl');
  const first = await assay([...RUN, '--fail-fast', '--retries', '0'], { cwd });
  expect({ exitCode: first.exitCode, ...endsIn(log) }).toEqual({
    exitCode: 3,
    one: 'passed',
    unclear: 'error | judge | no judge',
    three: 'skipped | fail_fast',
    never: 'skipped | skip',
  });
  write(join(cwd, 'measurable'), '');
  const second = await assay(['test', '--resume', 'log.jsonl'], { cwd });
  expect({ exitCode: second.exitCode, ...endsIn(log) }).toEqual({
    exitCode: 0,
    one: 'passed',
    unclear: 'passed',
    three: 'passed',
    never: 'skipped | skip',
  });
  expect(callsIn(cwd)).toEqual(['one', 'unclear', 'unclear', 'three']);
  expect(readLog(log).summary).toMatchObject({
    total: 4,
    passed: 3,
    failed: 0,
    skipped: 1,
    errors: 0,
    exit_code: 0,
  });
  expect((await assay(['test', '--resume', 'log.jsonl'], { cwd })).stderr).toContain('Nothing left to do');
});

test('a run may be interrupted and resumed again and again, runs per case and flags included', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 250', three: 'three' });
  const log = join(cwd, 'log.jsonl');
  const calls = (): number => callsIn(cwd).filter((call) => call === 'slow').length;
  const run = start([...RUN, '--runs', '3', '-u', 'ada', '-o', 'r.json'], { cwd });
  await until(() => calls() === 1);
  run.child.kill('SIGINT');
  await run.finished;
  const second = start(['test', '--resume', 'last'], { cwd });
  await until(() => calls() === 2);
  second.child.kill('SIGKILL');
  await second.finished;
  const { exitCode } = await assay(['test', '--resume', 'last'], { cwd });
  const { results, summary } = readLog(log);
  const counting = new Map(
    results.map((result) => [result.key, `${result.id} ${String(result.run)} ${result.status}`]),
  );
  expect(exitCode).toBe(0);
  expect([...counting.values()].sort()).toEqual(
    ['one', 'slow', 'three'].flatMap((id) => [1, 2, 3].map((number) => `${id} ${String(number)} passed`)),
  );
  expect(summary).toMatchObject({ total: 3, passed: 3, total_runs: 9, runs_per_case: 3, exit_code: 0 });
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({
    summary: { total: 3, passed: 3, total_runs: 9 },
    environment: { user_id: 'ada' },
  });
});

test('--resume with flags of a new run, or without a log', async () => {
  const cwd = runFolder({ one: 'one' });
  const { exitCode, stderr } = await assay(['test', '--resume', 'log.jsonl', '--tag', 'x', '-i', 'x y'], {
    cwd,
  });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      '--resume cannot be combined with --input, --tag\n  hint: the log already says what the run consists of\n',
  });
  expect(await assay(['test', '--resume', 'none.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: `run log ${join(cwd, 'none.jsonl')} does not exist\n  hint: give the .jsonl file of an earlier run, or "last" for the last one here\n`,
  });
  expect((await assay(['test', '--resume', 'last'], { cwd })).stderr).toMatch(/^there is no earlier run in /);
  expect(await assay(['test', '--resume', 'cases.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/cases\.jsonl/),
  });
});

test('a run is resumed from any folder: its paths start where it began', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 300', three: 'three' });
  await interrupted(cwd, 'SIGINT', [...RUN, '-o', 'reports/r.json']);
  const elsewhere = folder();
  const { exitCode } = await assay(['test', '--resume', join(cwd, 'log.jsonl')], { cwd: elsewhere });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    one: 'passed',
    slow: 'passed',
    three: 'passed',
  });
  expect(existsSync(join(elsewhere, 'reports'))).toBe(false);
  const report = JSON.parse(readFileSync(join(cwd, 'reports/r.json'), 'utf8'));
  expect(report.summary).toMatchObject({ total: 3, passed: 3, skipped: 0 });
});

test('the agent of a resumed run works in the folder the run began in', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 300', three: 'three' });
  await interrupted(cwd, 'SIGINT');
  await assay(['test', '--resume', join(cwd, 'log.jsonl')], { cwd: folder() });
  expect(callsIn(cwd)).toEqual(['one', 'slow', 'three']);
});

test('cases from stdin can be resumed too', async () => {
  const cwd = runFolder({ one: 'one', slow: 'slow 300', three: 'three' });
  const input = readFileSync(join(cwd, 'cases.jsonl'), 'utf8');
  const run = start(['test', '-i', '-', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd, input });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGINT');
  await run.finished;
  const { exitCode } = await assay(['test', '--resume', 'last'], { cwd });
  expect({ exitCode, calls: callsIn(cwd), ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    calls: ['one', 'slow', 'three'],
    one: 'passed',
    slow: 'passed',
    three: 'passed',
  });
});

test('a pass rate that resume changes is the one that reports go by', async () => {
  const cwd = folder({
    'agent.mjs': `import { existsSync, writeFileSync } from 'node:fs';
export default async () => {
  if (existsSync('called')) {
    await new Promise((done) => setTimeout(done, 200));
    return 'ok';
  }
  writeFileSync('called', '');
  return 'wrong';
};`,
    'cases.jsonl': [{ id: 'a', input: 'hi', expected: 'ok' }],
  });
  const log = join(cwd, 'log.jsonl');
  const { child, finished } = start([...RUN, '--runs', '4', '--parallel', '1'], { cwd });
  await until(() => {
    try {
      return readLog(log).results.length >= 2;
    } catch {
      return false;
    }
  });
  child.kill('SIGINT');
  await finished;
  const resumed = await assay(
    ['test', '--resume', 'log.jsonl', '--min-pass-rate', '50', '-o', 'report.json'],
    {
      cwd,
    },
  );
  expect(resumed.exitCode).toBe(0);
  expect(readLog(log).summary).toMatchObject({ passed: 1, failed: 0, min_pass_rate: 50 });
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    summary: { passed: 1, failed: 0 },
    results: [{ id: 'a', status: 'passed', pass_rate: 75 }],
  });
});

test('--failed and --resume need the address again, and take it', async () => {
  const { url } = await serve((_request, response) => json(response, 'wrong'));
  const address = url.replace('://', '://tok_12345678@');
  const cwd = folder({ 'cases.jsonl': [{ id: 'T1', input: 'x', expected: 'right' }] });
  await assay(['test', '-i', 'cases.jsonl', '-n', address, '-o', 'log.jsonl'], { cwd });
  const text = readFileSync(join(cwd, 'log.jsonl'), 'utf8');
  expect(text).not.toContain('tok_12345678');
  writeFileSync(join(cwd, 'cut.jsonl'), `${text.split('\n')[0] ?? ''}\n`);

  for (const again of [
    ['--failed', 'log.jsonl'],
    ['--resume', 'cut.jsonl'],
  ]) {
    const refused = await assay(['test', ...again], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('give the address again with -n');
  }
  const other = await assay(['test', '--resume', 'cut.jsonl', '-n', `${address}/other`], { cwd });
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain('has changed since the run began');
  expect((await assay(['test', '--resume', 'cut.jsonl', '-n', address], { cwd })).exitCode).toBe(1);
  expect((await assay(['test', '--failed', 'log.jsonl', '-n', address], { cwd })).exitCode).toBe(1);
  expect(readLog(join(cwd, 'cut.jsonl')).results).toHaveLength(1);
});

test.each(['--resume', '--failed'])('%s: a log that lacks what another run needs', async (flag) => {
  const cwd = folder({
    'cases.jsonl': [{ id: 'T1', input: 'hello' }],
    'log.jsonl': [{ type: 'start', run_id: 'x', log_version: 1, total_cases: 0, version: '0' }],
  });
  const { exitCode, stderr } = await assay(['test', flag, 'log.jsonl'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('log.jsonl:1: "inputs" is missing\n');
});

test('every execution of an attempt is counted, over all parts of a run and in what is made of it', async () => {
  let isUp = false;
  const server = await serve((_request, response) =>
    isUp ? json(response, { output: 'right' }) : void response.writeHead(503).end(),
  );
  const cwd = folder({ 'cases.jsonl': [{ id: 'T1', input: 'x' }], 'assay.config.json': '{}' });
  const log = join(cwd, 'log.jsonl');
  const retriesIn = (): (number | undefined)[] => readLog(log).results.map(({ retries }) => retries);
  const run = ['test', '-i', 'cases.jsonl', '-n', server.url, '-o', 'log.jsonl', '--retries', '1'];
  expect((await assay(run, { cwd })).exitCode).toBe(3);
  expect((await assay(['test', '--resume', 'log.jsonl'], { cwd })).exitCode).toBe(3);
  isUp = true;
  const end = await assay(['test', '--resume', 'log.jsonl', '-o', 'r.json', '-o', 'r.md'], { cwd });
  expect({ exitCode: end.exitCode, retries: retriesIn() }).toEqual({ exitCode: 0, retries: [1, 3, 4] });
  expect(end.stdout).toContain('tried 5 times');
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).results[0]).toMatchObject({ retries: 4 });
  expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toContain('tried 5 times');
  await assay(['import', 'log.jsonl', '--store', 'other.db'], { cwd });
  const store = await openStore(join(cwd, 'other.db'));
  const { results } = await store.results('latest');
  await store.close();
  expect(results.map(({ id, status, retries }) => [id, status, retries])).toEqual([['T1', 'passed', 4]]);
});
