// What surrounds a run can be slow, full, gone or hostile; results and exit codes stay right.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCommand } from '../../../src/agents/command.ts';
import { openDirectory } from '../../../src/agents/directory.ts';
import { secretsInUrl } from '../../../src/secrets/secrets.ts';
import { openLogWriter } from '../../../src/log/writer.ts';
import { assay, callsIn, folder, readLog, start, until } from '../support/assay.ts';
import { json, serve } from '../support/http-server.ts';

const CLI = resolve('dist/cli.js');
const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  appendFileSync('calls.txt', 'called\\n');
  return messages[0].content;
};
`;
const FILES = { 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'T1', input: 'hello' }] };
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

/** Runs a line of shell in which `$ASSAY` is the program; gives what a shell sees. */
function shell(line: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, ASSAY: `${process.execPath} ${CLI}` };
  return new Promise((done) => {
    const child = spawn('bash', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

describe('output', () => {
  test('a slow reader gets everything', async () => {
    const cwd = folder({ 'agent.mjs': 'export default () => "x".repeat(300_000);' });
    const { stdout } = await shell('$ASSAY test -i hello -n ./agent.mjs | (sleep 2; wc -c)', cwd);
    expect(stdout.trim()).toBe('300001');
  });

  test('a reader that leaves ends the wait', async () => {
    const cwd = folder({ 'agent.mjs': 'export default () => "x".repeat(3_000_000);' });
    const line = '$ASSAY test -i hello -n ./agent.mjs | (sleep 2; head -c 5); echo " ${PIPESTATUS[0]}"';
    expect((await shell(line, cwd)).stdout).toBe('xxxxx 0\n');
  });

  test.skipIf(!existsSync('/dev/full')).each([
    ['the screen', ''],
    ['a report', '-o -'],
    ['a report', '--json'],
  ])('stdout on a full disk, for %s: told once, exit 3, the log is complete', async (_what, more) => {
    const cwd = folder(FILES);
    const { code, stderr } = await shell(`$ASSAY ${RUN.join(' ')} ${more} >/dev/full`, cwd);
    expect(code).toBe(3);
    expect(stderr.match(/ENOSPC/g)).toHaveLength(1);
    expect(stderr).not.toContain('    at ');
    expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ passed: 1, exit_code: 0 });
  });

  test('a message: logs and errors cannot touch the terminal, the answer is as it is', async () => {
    const cwd = folder({
      'bad.mjs': `export default () => { console.log('a\\x1b[2Jb'); throw new Error('c\\x1b]0;d\\x07'); };`,
      'good.mjs': `export default () => 'a\\x1b[1mb';`,
    });
    const { stderr } = await assay(['test', '-i', 'hi', '-n', './bad.mjs'], { cwd });
    expect(stderr).toContain(String.raw`a\x1b[2Jb`);
    expect(stderr).toContain(String.raw`error: c\x1b]0;d\x07`);
    expect(stderr).not.toContain('\x1b');
    expect((await assay(['test', '-i', 'hi', '-n', './good.mjs'], { cwd })).stdout).toBe('a\x1b[1mb\n');
  });

  test('--dry-run spells out control characters', async () => {
    const cwd = folder({
      ...FILES,
      'cases.jsonl': [{ id: 'a\x1b[2J', input: 'x', description: 'b\x1b[2J', tags: ['c\x1b[2J'] }],
    });
    const { stdout } = await assay([...RUN.slice(0, 5), '--dry-run'], { cwd });
    expect(stdout).not.toContain('\x1b');
    expect(stdout).toContain(String.raw`a\x1b[2J`);
  });

  test('a report for which the log is gone: exit 3, nothing is thrown', async () => {
    const cwd = folder({
      ...FILES,
      'agent.mjs': `import { rmSync } from 'node:fs';\nexport default () => { rmSync('log.jsonl'); return 'x'; };`,
    });
    const { exitCode, stderr } = await assay([...RUN, '-o', 'a.json', '-o', 'b.md'], { cwd });
    expect(exitCode).toBe(3);
    expect(stderr.match(/log\.jsonl does not exist/g)).toHaveLength(2);
  });

  test('a report that names a folder is refused before the run', async () => {
    const cwd = folder(FILES);
    mkdirSync(join(cwd, 'dir.json'));
    const { exitCode, stderr } = await assay([...RUN, '-o', 'dir.json'], { cwd });
    expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 3, calls: [] });
    expect(stderr).toContain('dir.json: it is a folder');
  });

  test('two runs with one log never write into each other’s lines', () => {
    const path = join(folder(), 'log.jsonl');
    const [first, second] = [openLogWriter(path), openLogWriter(path)];
    // Only the lines matter to the writer.
    const batch = (line: string) => [{ event: {} as never, line }];
    first.write(batch('first, long'));
    second.write(batch('second'));
    first.write(batch('first'));
    expect(readFileSync(path, 'utf8')).toBe('first, long\nsecond\nfirst\n');
  });
});

describe('Ctrl-C before anything runs ends the program', () => {
  test('while stdin is open', async () => {
    const child = spawn(process.execPath, [CLI, 'test', '-i', '-', '-n', './agent.mjs'], {
      cwd: folder(FILES),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    setTimeout(() => child.kill('SIGINT'), 1500);
    expect(await new Promise((done) => child.on('close', done))).toBe(130);
  });

  test.each([
    ['a pipe without a writer as input', ['-i', 'pipe.jsonl']],
    ['a pipe without a writer as context', ['-i', 'cases.jsonl', '--ctx', 'pipe.jsonl']],
  ])('with %s', async (_what, args) => {
    const cwd = folder(FILES);
    execFileSync('mkfifo', [join(cwd, 'pipe.jsonl')]);
    const run = start(['test', ...args, '-n', './agent.mjs'], { cwd });
    await new Promise((done) => setTimeout(done, 1500));
    run.child.kill('SIGINT');
    // A shell shows the signal as 130.
    expect(await run.finished).toMatchObject({ exitCode: null, signal: 'SIGINT' });
  });

  test('while the configuration hangs', async () => {
    const cwd = folder({
      ...FILES,
      'assay.config.ts': `import { writeFileSync } from 'node:fs';
        writeFileSync(${JSON.stringify('loading.txt')}, '');
        await new Promise(() => setInterval(() => {}, 1000));
        export default {};`,
    });
    const run = start(RUN, { cwd });
    await until(() => existsSync(join(cwd, 'loading.txt')));
    run.child.kill('SIGINT');
    expect((await run.finished).exitCode).toBe(130);
  });
});

describe('secrets in an address', () => {
  test('a user without a password, query and fragment', () => {
    expect(secretsInUrl('http://tok_12345678@host/')).toContain('tok_12345678');
    expect(secretsInUrl('http://host/?api_key=key-12345678&page=long-enough')).toEqual(['key-12345678']);
    expect(secretsInUrl('http://host/#token=a%2Fb-12345678')).toEqual(['a%2Fb-12345678', 'a/b-12345678']);
    expect(secretsInUrl('http://host/#section-of-a-page')).toEqual([]);
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
});

describe('the set-up', () => {
  test.each(['export const timeout = "1s";', 'export default () => ({ runs: 2 });'])(
    'a configuration without an object as its default export is refused: %s',
    async (source) => {
      const cwd = folder({ ...FILES, 'assay.config.ts': source });
      const { exitCode, stderr } = await assay(RUN, { cwd });
      expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 2, calls: [] });
      expect(stderr).toContain('assay.config.ts: ');
    },
  );

  test('--runs and --parallel have limits', async () => {
    const cwd = folder(FILES);
    const { exitCode, stderr } = await assay([...RUN, '--runs', '1000001', '--parallel', '1001'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        '--runs: must be at most 1,000,000, not "1000001"\n--parallel: must be at most 1,000, not "1001"\n',
    });
  });

  test.each(['--resume', '--failed'])('%s: a log that lacks what another run needs', async (flag) => {
    const cwd = folder({
      ...FILES,
      'log.jsonl': [{ type: 'start', run_id: 'x', log_version: 1, total_cases: 0, version: '0' }],
    });
    const { exitCode, stderr } = await assay(['test', flag, 'log.jsonl'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('log.jsonl:1: the start line has no usable inputs, flags, cwd\n');
  });
});

test('what a program wrote to stderr goes with the reason of its end', async () => {
  const cwd = folder();
  const agent = openCommand(
    {
      id: 'slow',
      run: { type: 'command', command: ['/bin/sh', '-c', 'echo started >&2; touch ready; sleep 60'], cwd },
    },
    { root: cwd, directory: openDirectory({ root: cwd, cwd: cwd, env: {}, learn: () => undefined }) },
  );
  const controller = new AbortController();
  const reason = new Error('too late');
  const env = { PATH: process.env['PATH'] ?? '' };
  const work = (await agent).run(
    [{ role: 'user', content: 'x' }],
    {} as never,
    {
      env,
      signal: controller.signal,
    } as never,
  );
  await until(() => existsSync(join(cwd, 'ready')));
  await new Promise((done) => setTimeout(done, 100));
  controller.abort(reason);
  await expect(work).rejects.toBe(reason);
  expect(reason).toMatchObject({ logs: ['started'] });
});
