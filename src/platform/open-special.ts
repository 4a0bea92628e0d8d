// Pipes and devices as outputs: they are written as they are, and only those that were there before.

import type { BigIntStats } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Identifies a pipe or device; undefined for files, folders and paths that do not exist. Follows links. */
export function specialFile(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    return stats.isFile() || stats.isDirectory() ? undefined : identify(stats);
  } catch {
    return undefined;
  }
}

/**
 * Opens a pipe or device for writing; sockets cannot be opened. A pipe waits for its reader without blocking, so that a signal can end the process.
 * Throws if the path has become another one.
 */
export async function openSpecial(path: string, expected: string, flags = 0): Promise<number> {
  const check = (file: number): number => {
    if (identify(fstatSync(file, { bigint: true })) === expected) return file;
    closeSync(file);
    throw new Error('it was replaced by something that is no regular file');
  };
  for (;;) {
    let waiting: number;
    try {
      waiting = check(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | flags));
    } catch (error) {
      if (!isWithoutReader(error) || !statSync(path).isFIFO() || specialFile(path) !== expected) throw error;
      await sleep(POLL_MS);
      continue;
    }
    // The reader is there, so that this one does not wait; its writes do, if the pipe is full.
    try {
      return check(openSync(path, constants.O_WRONLY | flags));
    } finally {
      closeSync(waiting);
    }
  }
}

function isWithoutReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENXIO';
}

function identify({ dev, ino, rdev, mode }: BigIntStats): string {
  return [dev, ino, rdev, mode & BigInt(constants.S_IFMT)].join(' ');
}
