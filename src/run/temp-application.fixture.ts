// An application in a temporary folder, and what planning needs of the outside world.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Io } from './io.ts';

export type TempApplication = {
  root: string;
  io: Io;
  /** Absolute path of a file. */
  at(name: string): string;
  write(name: string, text: string): void;
  /** Everything that was written to stderr. */
  told(): string;
};

/** Writes the files; the folder is removed when the test is over. */
export function tempApplication(files: Record<string, string> = {}, stdin = ''): TempApplication {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'assay-planning-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (name: string): string => join(root, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);

  const stderr = new PassThrough({ encoding: 'utf8' });
  // The stages read from the one and write to the others; nothing else of a terminal is used.
  const io = {
    cwd: root,
    env: {},
    stdin: Readable.from([stdin]),
    stdout: new PassThrough(),
    stderr,
    interrupt: new AbortController().signal,
    version: '0.0.0',
  } as unknown as Io;
  return { root, io, at, write, told: () => String(stderr.read() ?? '') };
}

/** The settings if nothing is set. */
export const NOTHING_SET = {
  inputs: [],
  outputs: [],
  tags: [],
  runs: 1,
  retries: 2,
  fail_fast: false,
  isolate: false,
  allow_empty: false,
  require_tests: false,
  verbose: false,
};
