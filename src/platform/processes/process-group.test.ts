import type { SpawnOptions } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startGroup } from './process-group.ts';
import { until } from '../../../test/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-group-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A shell that ignores SIGTERM and has a child that does, too; both print their process id. */
const STUBBORN = `trap '' TERM; echo $$; (trap '' TERM; sh -c 'echo $PPID'; while :; do sleep 1; done) & while :; do sleep 1; done`;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

async function untilGone(pids: number[]): Promise<void> {
  await until(() => pids.every((pid) => !isRunning(pid)));
}

async function readPids(stream: NodeJS.ReadableStream | null, wanted: number): Promise<number[]> {
  let text = '';
  while (text.split('\n').length <= wanted) {
    const [chunk] = (await once(stream ?? process.stdin, 'data')) as [Buffer];
    text += chunk.toString();
  }
  return text.trim().split('\n').map(Number);
}

test('passes options through and tells when the program cannot be started', async () => {
  const group = startGroup('sh', ['-c', 'echo $PWD $WORD; echo more >&3'], {
    cwd: folder,
    env: { ...process.env, WORD: 'word' },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [out] = (await once(group.child.stdout ?? process.stdin, 'data')) as [Buffer];
  expect(out.toString()).toBe(`${folder} word\n`);
  await group.kill();

  const missing = startGroup('no-such-program', []);
  const [error] = (await once(missing.child, 'error')) as [NodeJS.ErrnoException];
  expect([error.code, missing.pid]).toEqual(['ENOENT', undefined]);
  await missing.kill();
});

test('a polite program ends by SIGTERM, well before the grace is over', async () => {
  const group = startGroup('sleep', ['100']);
  const started = performance.now();
  await group.kill(5000);
  expect(performance.now() - started).toBeLessThan(1000);
  expect([group.child.signalCode, isRunning(group.pid ?? 0)]).toEqual(['SIGTERM', false]);
});

test('a program that ignores SIGTERM is killed after the grace, with its grandchild', async () => {
  const group = startGroup('sh', ['-c', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pids = await readPids(group.child.stdout, 2);
  expect(pids.map(isRunning)).toEqual([true, true]);
  const started = performance.now();
  await group.kill(200);
  const elapsed = performance.now() - started;
  expect(elapsed).toBeGreaterThan(190);
  expect(elapsed).toBeLessThan(1500);
  expect(group.child.signalCode).toBe('SIGKILL');
  expect(pids.map(isRunning)).toEqual([false, false]);
});

test('a second kill without grace is at once', async () => {
  const group = startGroup('sh', ['-c', STUBBORN], { stdio: ['ignore', 'pipe', 'inherit'] });
  await readPids(group.child.stdout, 2);
  const started = performance.now();
  const ended = group.kill(10_000);
  await Promise.all([group.kill(0), ended]);
  expect(performance.now() - started).toBeLessThan(1500);
});

test('what a program leaves behind when it ends by itself is killed', async () => {
  const group = startGroup(
    'sh',
    [
      '-c',
      `(trap '' TERM; sh -c 'echo $PPID' > left; exec sleep 100) & until [ -s left ]; do sleep 0.01; done; cat left; exit 3`,
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const pids = await readPids(group.child.stdout, 1);
  if (group.child.exitCode === null) await once(group.child, 'exit');
  expect(group.child.exitCode).toBe(3);
  await untilGone(pids);
});

/** A Node program that prints the id of a detached child and then ends or waits. */
function escaping(env: object, then: string): string[] {
  const code = `
    const { spawn } = require('node:child_process');
    const child = spawn('sh', ['-c', 'echo $$; trap "" TERM; while :; do sleep 1; done'],
      { detached: true, stdio: ['ignore', 'inherit', 'inherit'], env: ${JSON.stringify(env)} });
    child.unref();
    ${then}`;
  return ['-e', code];
}

const PIPED: SpawnOptions = { stdio: ['ignore', 'pipe', 'inherit'] };
const WAIT = 'setInterval(() => {}, 1000)';

test.skipIf(process.platform !== 'linux')(
  'what left a group and its session is killed with it, and nothing of another group',
  async () => {
    const ends = startGroup(process.execPath, escaping({ PATH: process.env['PATH'] }, ''), PIPED);
    const other = startGroup(process.execPath, escaping({ PATH: process.env['PATH'] }, WAIT), PIPED);
    const marked = startGroup('sh', ['-c', 'setsid sh -c "echo \\$\\$; exec sleep 100"'], PIPED);
    const [orphan = 0] = await readPids(ends.child.stdout, 1);
    const [stranger = 0] = await readPids(other.child.stdout, 1);
    const [daemon = 0] = await readPids(marked.child.stdout, 1);
    await untilGone([orphan]);
    expect([stranger, daemon].map(isRunning)).toEqual([true, true]);
    await marked.kill(50);
    expect([stranger, daemon].map(isRunning)).toEqual([true, false]);
    await other.kill(0);
    expect(isRunning(stranger)).toBe(false);
  },
);

test('killing a group that is gone does nothing', async () => {
  const group = startGroup('true', []);
  await once(group.child, 'exit');
  expect(await group.kill()).toBeUndefined();
});

test('no group outlives this process, not even after SIGKILL, and the reaper goes, too', async () => {
  const module = join(folder, 'process-group.mjs');
  const source = new URL('process-group.ts', import.meta.url).pathname;
  await build({ entryPoints: [source], outfile: module, bundle: true, platform: 'node', format: 'esm' });
  const program = join(folder, 'parent.mjs');
  writeFileSync(
    program,
    `import { startGroup } from './process-group.mjs';
     const first = startGroup('true', []);
     await new Promise((resolve) => first.child.once('exit', resolve));
     startGroup('sh', ['-c', ${JSON.stringify(STUBBORN)}], { stdio: ['ignore', 'inherit', 'inherit'] });
     startGroup('sh', ['-c', ${JSON.stringify(STUBBORN)}], { stdio: ['ignore', 'inherit', 'inherit'] });
     startGroup(process.execPath, ${JSON.stringify(escaping({ PATH: process.env['PATH'] }, WAIT))}, { stdio: ['ignore', 'inherit', 'inherit'] });`,
  );
  const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pids = await readPids(parent.stdout, 5);
  // The reaper, and the program that has started a detached one.
  const others = childrenOf(parent.pid ?? 0).filter((pid) => !pids.includes(pid));
  expect([...pids, ...others].map(isRunning)).toEqual(Array.from({ length: 7 }, () => true));
  parent.kill('SIGKILL');
  await untilGone([...pids, ...others]);
});

test('the reaper does not keep a process alive', () => {
  const program = join(folder, 'short.mjs');
  writeFileSync(program, `import { startGroup } from './process-group.mjs'; startGroup('true', []);`);
  const started = performance.now();
  const { status } = spawnSync(process.execPath, [program], { timeout: 5000 });
  expect(status).toBe(0);
  expect(performance.now() - started).toBeLessThan(2000);
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
}
