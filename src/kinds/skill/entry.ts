// Prepares a test file for the runner.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, RuntimeError } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import type { RunOptions } from './types.ts';

/** The file that the runner imports. */
export type Entry = {
  /** The test file, or its bundle if it is TypeScript. */
  file: string;
  language: 'javascript' | 'typescript';
};

/** The runner is built beside the file that contains this code. */
const RUNNER = fileURLToPath(new URL('./skill-runner.js', import.meta.url));

/** Throws if the file does not exist, if its TypeScript cannot be compiled, or if the run is stopped already. */
export async function prepareEntry(testFile: string, { root, signal }: RunOptions): Promise<Entry> {
  if (signal?.aborted === true) throw new RuntimeError(`was stopped: ${messageOf(signal.reason)}`);
  const file = resolve(testFile);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new RuntimeError(`no such file: ${displayPath(file, process.cwd())}`);
  if (!stats.isFile()) throw new RuntimeError(`not a file: ${displayPath(file, process.cwd())}`);
  if (!/\.[cm]?ts$/.test(file)) return { file, language: 'javascript' };

  const { bundleModule } = await import('../../compile/bundle.ts');
  const { cacheDirectory } = await import('../../compile/bundle-cache.ts');
  const cwd = process.cwd();
  const bundle = await bundleModule(file, { cacheDir: cacheDirectory(root ?? cwd), cwd });
  return { file: bundle.file, language: 'typescript' };
}

/** The command-line arguments of the runner. */
export function runnerArguments(host: 'process' | 'thread', token: string, entry: Entry): string[] {
  return [token, host, entry.file, entry.language];
}

/** The built runner, unless a test of this package passes another. */
export function runnerFile(runner: string | undefined): string {
  return runner ?? RUNNER;
}
