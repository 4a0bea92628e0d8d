// Writes a report to a file or to stdout.

import { closeSync, openSync, write } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { RuntimeError, messageOf } from '../../errors.ts';
import type { EventSource } from '../../model/sink.ts';
import type { Format } from '../registry.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { isFolder } from '../../platform/file-stats.ts';
import { openSpecial, specialFile } from '../../platform/open-special.ts';
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
  { stdout, special = specialFile(destination) ?? null }: ReportOptions,
): Promise<void> {
  if (destination === '-') return writeToStream(format(source), stdout);
  return writeReportFile(format(source), destination, special);
}

/** The same for a text that is not made of the events of a run. */
export async function writeReportFile(
  chunks: AsyncIterable<string>,
  destination: string,
  special: ReportOptions['special'] = specialFile(destination) ?? null,
): Promise<void> {
  const target = await attemptTo(destination, () => resolveTarget(destination, special));
  if (target.special !== undefined) {
    const { special: expected } = target;
    return writeToFile(chunks, destination, () => openSpecial(destination, expected));
  }

  removeLeftovers(dirname(target.path));
  const { temporary, commit, discard } = beginReplacement(target.path);
  try {
    await writeToFile(chunks, destination, async () => openSync(temporary, 'wx'));
    await attemptTo(destination, async () => commit());
  } catch (error) {
    discard();
    throw error;
  }
}

export type ReportOptions = {
  stdout: TextStream;
  /** The pipe or device that the destination was before any user code ran; null if it was none. By default what it is now. */
  special?: string | null;
};

/** Follows links, so that the file is replaced and not the link. Devices and pipes are not replaced. */
async function resolveTarget(
  path: string,
  special: string | null,
): Promise<{ path: string; special?: string }> {
  makeFolder(dirname(path));
  const now = specialFile(path);
  if (now !== undefined && now !== special)
    throw new Error('a pipe or device is in its place, which was not there when the run began');
  if (now !== undefined) return { path, special: now };
  if (isFolder(path)) throw new Error('it is a folder');
  try {
    return { path: await realpath(path) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { path };
    throw error;
  }
}

async function writeToFile(
  chunks: AsyncIterable<string>,
  destination: string,
  open: () => Promise<number>,
): Promise<void> {
  const file = await attemptTo(destination, open);
  try {
    for await (const chunk of chunks) await attemptTo(destination, () => writeAll(file, Buffer.from(chunk)));
  } finally {
    await attemptTo(destination, async () => closeSync(file));
  }
}

/** A write call may write only a part. */
async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await writeSome(file, bytes, at);
}

const writeBytes = promisify(write);

async function writeSome(file: number, bytes: Buffer, from: number): Promise<number> {
  return (await writeBytes(file, bytes, from, bytes.length - from, null)).bytesWritten;
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
