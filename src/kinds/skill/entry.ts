// A test file, made ready for the runner.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, RuntimeError } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import type { RunOptions } from './types.ts';

/** What the runner is given. */
export type Entry = {
  /** Imported by the runner: the test file, or what TypeScript became. */
  file: string;
  language: 'javascript' | 'typescript';
};

/** It lies beside the file this one is built into. */
const RUNNER = fileURLToPath(new URL('./skill-runner.js', import.meta.url));

/** Throws if there is no such file, if it is TypeScript that cannot be compiled, or if the run is already stopped. */
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

/** The arguments of the runner after its own file. */
export function runnerArguments(place: 'process' | 'thread', token: string, entry: Entry): string[] {
  return [token, place, entry.file, entry.language];
}

/** The runner, as it was built or as a test of this package built it. */
export function runnerFile(runner: string | undefined): string {
  return runner ?? RUNNER;
}
