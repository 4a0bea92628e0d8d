// The git repository around a folder: its commit is read from its files, which takes no process.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A repository, and whether files of it differ from the commit; undefined if that cannot be found out. */
export type Repository = Head & { top: string; dirty: Promise<boolean | undefined> };

/** What is checked out; no branch if that is a commit or a tag. */
type Head = { commit: string; branch?: string };

const LIMIT_MS = 20_000;

/** Finds the repository of a folder and starts to look for changes; undefined outside a repository. */
export function lookUpGit(folder: string): Repository | undefined {
  const top = topOf(folder);
  if (top === undefined) return undefined;
  const head = readHead(join(top, '.git'));
  return head === undefined ? undefined : { top, ...head, dirty: isDirty(top) };
}

/** The folder upward that has a `.git`. */
export function topOf(folder: string): string | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return top;
    if (dirname(top) === top) return undefined;
  }
}

function readHead(git: string): Head | undefined {
  try {
    // A worktree and a submodule have a file that says where their folder is.
    const pointed = statSync(git).isFile()
      ? /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1]
      : undefined;
    const folder = pointed === undefined ? git : resolve(dirname(git), pointed);
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    const commit = ref === undefined ? head : readRef(folder, ref);
    if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
    const branch = /^refs\/heads\/(.+)$/.exec(ref ?? '')?.[1];
    return { commit, ...(branch !== undefined && { branch }) };
  } catch {
    return undefined;
  }
}

function readRef(folder: string, ref: string): string | undefined {
  const shared = join(folder, 'commondir');
  const folders = existsSync(shared)
    ? [folder, resolve(folder, readFileSync(shared, 'utf8').trim())]
    : [folder];
  for (const place of folders)
    if (existsSync(join(place, ref))) return readFileSync(join(place, ref), 'utf8').trim();
  const packed = readFileSync(join(folders.at(-1) ?? folder, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

/** Untracked files do not count: the log of the last run is no change. */
function isDirty(top: string): Promise<boolean | undefined> {
  const args = ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=no'];
  return new Promise((done) => {
    const options = { cwd: top, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile('git', args, options, (error, output) =>
      done(error === null ? output !== '' : undefined),
    );
    // It must not keep the process alive when the run is over.
    child.unref();
  });
}
