// Pipes and devices where files are expected: a run never waits for one that an agent puts there.

import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, folder, start } from '../support/assay.ts';

const CASES = [{ id: 'a', input: 'x', expected: 'ok' }];
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--no-history'];
const OK = "export default () => 'ok';";

describe.skipIf(process.platform === 'win32')('pipes and devices', () => {
  test.each(['json', 'md', 'html', 'csv', 'xml'])(
    'an agent that puts a pipe in place of a %s report',
    async (ending) => {
      const cwd = folder({
        'agent.mjs': `import { execSync } from 'node:child_process';
          export default () => { execSync('rm -f r.${ending}; mkfifo r.${ending}'); return 'ok'; };`,
        'cases.jsonl': CASES,
      });
      const { exitCode, stderr } = await assay([...RUN, '-o', `r.${ending}`, '-o', 'log.jsonl'], { cwd });
      expect(exitCode).toBe(3);
      expect(stderr).toContain('a pipe or device is in its place, which was not there when the run began');
    },
    20_000,
  );

  test('a pipe of the user, and standard output under its other name, are written', async () => {
    const cwd = folder({ 'agent.mjs': OK, 'cases.jsonl': CASES });
    execFileSync('mkfifo', [join(cwd, 'r.json'), join(cwd, 'log.jsonl')]);
    const readers = ['r.json', 'log.jsonl'].map((name) => {
      const reader = spawn('cat', [join(cwd, name)]);
      let text = '';
      reader.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      return new Promise<string>((done) => reader.on('close', () => done(text)));
    });
    const report = await assay([...RUN, '-o', 'r.json', '-o', 'own.jsonl'], { cwd });
    const log = await assay([...RUN, '-o', 'log.jsonl'], { cwd });
    expect([report.exitCode, log.exitCode]).toEqual([0, 0]);
    const [json = '', lines = ''] = await Promise.all(readers);
    expect(JSON.parse(json)).toMatchObject({ results: [{ id: 'a', status: 'passed' }] });
    expect(lines).toContain('"type":"summary"');

    symlinkSync('/proc/self/fd/1', join(cwd, 'out.json'));
    // A shell, because the streams of a child of Node are sockets.
    const command = `"${process.execPath}" "${resolve('dist/cli.js')}" report own.jsonl -o out.json | cat`;
    const shown = execFileSync('sh', ['-c', command], { cwd, encoding: 'utf8', timeout: 10_000 });
    expect(shown).toContain('"status": "passed"');
    expect(lstatSync(join(cwd, 'out.json')).isSymbolicLink()).toBe(true);
  }, 30_000);

  test('a device as input is exit 2', async () => {
    const cwd = folder({ 'agent.mjs': OK, 'cases.jsonl': CASES });
    for (const name of ['zero.jsonl', 'zero.json', 'zero.yml']) symlinkSync('/dev/zero', join(cwd, name));
    for (const args of [
      ['report', 'zero.jsonl'],
      [...RUN, '--ctx', 'zero.json'],
      [...RUN, '--var-file', 'zero.yml'],
    ]) {
      const { exitCode, stderr } = await assay(args, { cwd });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining('is a device, not a file'),
      });
    }
  }, 30_000);

  test.each([
    ['a log', [...RUN, '-o', 'pipe.jsonl']],
    ['variables', [...RUN, '--var-file', 'pipe.yml']],
    ['a context', [...RUN, '--ctx', 'pipe.json']],
  ])(
    'a pipe without another end as %s ends with a signal',
    async (_what, args) => {
      const cwd = folder({ 'agent.mjs': OK, 'cases.jsonl': CASES });
      for (const ending of ['jsonl', 'yml', 'json']) execFileSync('mkfifo', [join(cwd, `pipe.${ending}`)]);
      const { child, finished } = start(args, { cwd });
      await new Promise((done) => setTimeout(done, 1500));
      child.kill('SIGTERM');
      const { exitCode, signal } = await finished;
      expect(exitCode === 130 || signal !== null).toBe(true);
    },
    20_000,
  );
});
