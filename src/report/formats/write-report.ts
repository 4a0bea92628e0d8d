// Writes a report to a file or to stdout.

import type { FileHandle } from 'node:fs/promises';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RuntimeError, messageOf } from '../../errors.ts';
import type { EventSource } from '../../model/sink.ts';
import type { Format } from '../registry.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { beginReplacement, removeLeftovers } from '../../platform/replace-file.ts';

/** The part of a writable stream that is used here. */
export type TextStream = {
  write(text: string, done: (error?: Error | null) => void): boolean;
  on?(event: 'error', listener: (error: Error) => void): unknown;
  off?(event: 'error', listener: (error: Error) => void): unknown;
};

/**
 * Writes a report to a path, or to stdout for `-`. A file is replaced atomically once the report is complete, so that
 * an incomplete report never replaces a complete one.
 */
export async function writeReport(
  source: EventSource,
  format: Format,
  destination: string,
  { stdout }: { stdout: TextStream },
): Promise<void> {
  if (destination === '-') return writeToStream(format(source), stdout);
  const target = await attemptTo(destination, () => resolveTarget(destination));
  if (!target.isReplaceable) return writeToFile(format(source), destination, target.path);

  removeLeftovers(dirname(target.path));
  const { temporary, commit, discard } = beginReplacement(target.path);
  try {
    await writeToFile(format(source), destination, temporary);
    await attemptTo(destination, async () => commit());
  } catch (error) {
    discard();
    throw error;
  }
}

/** Follows links, so that the file is replaced and not the link. Devices and pipes are not replaced. */
async function resolveTarget(path: string): Promise<{ path: string; isReplaceable: boolean }> {
  makeFolder(dirname(path));
  try {
    const real = await realpath(path);
    return { path: real, isReplaceable: (await stat(real)).isFile() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { path, isReplaceable: true };
    throw error;
  }
}

async function writeToFile(chunks: AsyncIterable<string>, destination: string, path: string): Promise<void> {
  const file: FileHandle = await attemptTo(destination, () => open(path, 'w'));
  try {
    for await (const chunk of chunks) await attemptTo(destination, () => file.writeFile(chunk));
  } finally {
    await attemptTo(destination, () => file.close());
  }
}

/** A reader that closes the pipe early (`| head`) is not an error. */
async function writeToStream(chunks: AsyncIterable<string>, stream: TextStream): Promise<void> {
  const ignore = () => {};
  stream.on?.('error', ignore);
  try {
    for await (const chunk of chunks) {
      const error = await new Promise<Error | null | undefined>(
        (resolve) => void stream.write(chunk, resolve),
      );
      if (error === undefined || error === null) continue;
      if ('code' in error && error.code === 'EPIPE') return;
      throw new RuntimeError(`cannot write the report to stdout: ${error.message}`, { cause: error });
    }
  } finally {
    stream.off?.('error', ignore);
  }
}

async function attemptTo<T>(destination: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new RuntimeError(`cannot write the report ${destination}: ${messageOf(cause)}`, { cause });
  }
}
