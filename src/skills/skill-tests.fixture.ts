// Real test files in a folder of their own, and the runner as it is in this tree.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestResult } from './types.ts';

/** A temporary folder with a built runner. */
export async function openWorkshop() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-skills-')));
  const runner = join(folder, 'runner', 'skill-runner.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('runner.ts', import.meta.url))],
    outfile: runner,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const write = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, runner, write, remove };
}

/** A result without what differs from run to run. */
export function withoutDuration({ duration, ...rest }: TestResult): Omit<TestResult, 'duration'> {
  if (!Number.isInteger(duration) || duration < 0) throw new Error(`a strange duration: ${String(duration)}`);
  return rest;
}

/** True as soon as no process of the ones in a file runs any more. */
export async function areGone(pidFile: string): Promise<boolean> {
  const pids = readFileSync(pidFile, 'utf8').trim().split('\n');
  for (let tries = 0; tries < 100; tries += 1) {
    if (pids.every((pid) => !isRunning(pid))) return true;
    await sleep(20);
  }
  return false;
}

function isRunning(pid: string): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
