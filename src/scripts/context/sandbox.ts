// `ctx.sandbox`: a folder of the attempt, with files and programs.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { ContextData } from '../../model/context.ts';
import { isInside } from '../../platform/paths.ts';
import { sessionOf } from './session.ts';
import { strict } from './strict.ts';

const OUTPUT_LIMIT = 10 * 1024 * 1024;
const PREFIX = 'assay-sandbox-';

type Sandbox = {
  readonly workdir: string;
  ReadFile(path: string): unknown;
  WriteFile(path: string, content: unknown): unknown;
  ListDir(path?: string): unknown;
  Exec(argv: unknown): unknown;
};

/** Mocks answer in place of members. The folder is created on first use and removed when the attempt ends. */
export function createSandbox(data: ContextData): Sandbox {
  const answer = (member: string, args: unknown[], live: () => unknown): unknown => {
    const { mocks } = sessionOf(data);
    const name = `sandbox.${member}`;
    if (mocks?.has(name) === true) return mocks.answer(name, args);
    try {
      return live();
    } catch (error) {
      throw new Error(`ctx.${name}: ${messageOf(error)}`, { cause: error });
    }
  };
  const place = (path: unknown): string => {
    const folder = workdirOf(data);
    const file = resolve(folder, String(path));
    if (isInside(folder, file)) return file;
    throw new Error(`${String(path)} is outside of the sandbox`);
  };
  return strict('ctx.sandbox', {
    get workdir() {
      return workdirOf(data);
    },
    ReadFile: (path: string) => answer('ReadFile', [path], () => readFileSync(place(path), 'utf8')),
    WriteFile: (path: string, content: unknown) =>
      answer('WriteFile', [path, content], () => {
        const file = place(path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      }),
    ListDir: (path = '.') => answer('ListDir', [path], () => listFolder(place(path))),
    Exec: (argv: unknown) => answer('Exec', [argv], () => execute(argv, workdirOf(data))),
  });
}

function listFolder(folder: string): { name: string; size: number; is_dir: boolean }[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return { name, size: stats?.size ?? 0, is_dir: stats?.isDirectory() === true };
    });
}

/** The output of a program. Throws if it fails. */
function execute(argv: unknown, cwd: string): string {
  const isList = Array.isArray(argv) && argv.length > 0 && argv.every((part) => typeof part === 'string');
  if (!isList) throw new Error('needs a list of a program and its arguments: ["ls", "-l"]');
  const [program = '', ...args] = argv;
  // Loaded on demand: every worker loads this file.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: OUTPUT_LIMIT });
  if (done.error !== undefined) throw done.error;
  if (done.status === 0) return done.stdout;
  const how = done.signal === null ? `exited with ${String(done.status)}` : `was ended by ${done.signal}`;
  throw new Error(`${program} ${how}: ${(done.stderr || done.stdout).trim()}`);
}

function workdirOf(data: ContextData): string {
  const session = sessionOf(data);
  if (session.workdir === undefined) {
    removeStale();
    const folder = mkdtempSync(join(realpathSync(tmpdir()), `${PREFIX}${String(process.pid)}-`));
    session.workdir = folder;
    session.dispose = () => rmSync(folder, { recursive: true, force: true });
  }
  return session.workdir;
}

let hasLooked = false;

/** Removes the folders of workers that were killed. */
function removeStale(): void {
  if (hasLooked) return;
  hasLooked = true;
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^assay-sandbox-(\d+)-/.exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
