// The packed program in a project of its own: four commands from nothing to a passing test.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder, logIn, readLog } from '../support/assay.ts';

const MAX_MEGABYTES = 90;

/** Runs a command like a user, and gives what it printed without the warnings about settings of this machine. */
function run(cwd: string, command: string, ...args: string[]): { status: number | null; lines: string[] } {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => !/^npm warn Unknown .*config/.test(line));
  return { status, lines };
}

function bytesBelow(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}

/** The registry is needed: without it, there is nothing to install from. */
const hasRegistry = spawnSync('npm', ['ping', '--fetch-timeout=5000', '--fetch-retries=0']).status === 0;

test.runIf(hasRegistry)(
  'pack, install, init and test: no warning, no large files, all pass',
  () => {
    const place = folder({ 'app/package.json': { name: 'app', private: true } });
    const app = join(place, 'app');
    // The end-to-end tests have built the program; building it again would take it away from tests that are running.
    execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
      stdio: 'pipe',
    });
    const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '';

    const installed = run(app, 'npm', 'install', '--save-dev', '--no-audit', '--no-fund', `../${tarball}`);
    expect([installed.status, installed.lines.filter((line) => /warn|deprecated/i.test(line))]).toEqual([
      0,
      [],
    ]);
    const manifest = JSON.parse(readFileSync(join(app, 'node_modules/assay/package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(
      Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name)),
    ).toEqual([]);
    expect(bytesBelow(join(app, 'node_modules')) / 1024 / 1024).toBeLessThan(MAX_MEGABYTES);

    const init = run(app, 'npx', 'assay', 'init', '--yes');
    expect([init.status, init.lines.filter((line) => /^Next:|warn/.test(line))]).toEqual([
      0,
      ['Next: npx assay test'],
    ]);
    const tested = run(app, 'npx', 'assay', 'test');
    expect([tested.status, tested.lines.filter((line) => /warn/i.test(line))]).toEqual([0, []]);
    expect(readLog(logIn(app)).results.map(({ id, status }) => [id, status])).toEqual([
      ['refund', 'passed'],
      ['opening-hours', 'passed'],
    ]);
    const history = run(app, 'npx', 'assay', 'history', '--json');
    expect([history.status, (JSON.parse(history.lines.join('\n')) as unknown[]).length]).toEqual([0, 1]);
  },
  180_000,
);

test('the programs of esbuild are those of the version that is copied', () => {
  const read = (file: string): Record<string, Record<string, string>> =>
    JSON.parse(readFileSync(resolve(file), 'utf8')) as Record<string, Record<string, string>>;
  expect(read('package.json')['optionalDependencies']).toEqual(
    read('node_modules/esbuild/package.json')['optionalDependencies'],
  );
});
