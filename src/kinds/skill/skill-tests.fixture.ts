// Real test files in a temporary folder, and a runner built from this source tree.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RunOptions, TestResult } from './types.ts';

export type SkillFixture = Awaited<ReturnType<typeof openFixture>>;

/** Options of a run; `name` is the path of the test file. */
export type CodeOptions = RunOptions & { name?: string };

export const PASSED = { success: true, passed: 1, failed: 0, output: '', errors: [] };

export const failed = (...errors: string[]) => ({ success: false, passed: 0, failed: 1, output: '', errors });

/** A temporary folder with a built runner. */
export async function openFixture() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-skills-')));
  const runner = join(folder, 'runner', 'skill-runner.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('process/runner.ts', import.meta.url))],
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
  let count = 0;
  /** Runs a test file with this code; its path becomes FILE in the errors of the result. */
  const run = async (
    runFile: (file: string, options: RunOptions) => Promise<TestResult>,
    code: string,
    { name = `tests/t${String((count += 1))}.tests.mjs`, ...options }: CodeOptions = {},
  ) => {
    const file = write(name, code);
    const result = withoutDuration(await runFile(file, { ...options, runner }));
    return { ...result, errors: result.errors.map((text) => text.replaceAll(file, 'FILE')) };
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, runner, write, run, remove };
}

/** A result without its duration, which differs from run to run. */
export function withoutDuration({ duration, ...rest }: TestResult): Omit<TestResult, 'duration'> {
  if (!Number.isInteger(duration) || duration < 0) throw new Error(`invalid duration: ${String(duration)}`);
  return rest;
}

/** True as soon as all processes whose ids are in a file have ended. */
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
