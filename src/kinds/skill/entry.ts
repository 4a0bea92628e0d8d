// Prepares a test file for the runner.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, RuntimeError } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import type { Framework } from './find-framework.ts';
import { findFramework } from './find-framework.ts';
import { findVitest, vitestRoot } from './find-vitest.ts';
import type { RunOptions } from './types.ts';

/** The file that the runner imports. */
export type Entry = {
  /** The test file, or its bundle if it is TypeScript. */
  file: string;
  language: 'javascript' | 'typescript';
  framework: Framework;
  /** For vitest: its node API, and the folder with its configuration. */
  vitest?: { path: string; root: string };
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
  const { framework } = await findFramework(file);
  if (framework === 'vitest') {
    const vitest = { path: findVitest(file, root ?? process.cwd()), root: vitestRoot(file) };
    return { file, language: 'javascript', framework, vitest };
  }
  if (!/\.[cm]?ts$/.test(file)) return { file, language: 'javascript', framework };

  const { bundleModule } = await import('../../compile/bundle.ts');
  const { cacheDirectory } = await import('../../compile/bundle-cache.ts');
  const cwd = process.cwd();
  const bundle = await bundleModule(file, { cacheDir: cacheDirectory(root ?? cwd), cwd });
  return { file: bundle.file, language: 'typescript', framework };
}

/** The command-line arguments of the runner. */
export function runnerArguments(host: 'process' | 'thread', token: string, entry: Entry): string[] {
  const { file, language, framework, vitest } = entry;
  return [
    token,
    host,
    file,
    language,
    framework,
    ...(vitest === undefined ? [] : [vitest.path, vitest.root]),
  ];
}

/** The built runner, unless a test of this package passes another. */
export function runnerFile(runner: string | undefined): string {
  return runner ?? RUNNER;
}
