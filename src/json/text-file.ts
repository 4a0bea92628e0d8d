// Files of users as text: UTF-8, or an error that says what to do.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ConfigError, messageOf } from '../errors.ts';
import { statsOf } from '../platform/file-stats.ts';

/** The content of a file; throws a ConfigError that calls it `name`. */
export function readTextFile(file: string, name: string): string {
  refuseDevice(file, name);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { at: name, cause: error });
  }
  return decodeText(bytes, name);
}

/** The same for a file that a user names, which may be a pipe: does not block, so that Ctrl-C ends the wait for its writer. */
export async function readGivenFile(file: string, name: string, missing?: string): Promise<string> {
  let bytes: Buffer;
  try {
    refuseDevice(file, name);
    bytes = await readFile(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const message = isMissing && missing !== undefined ? missing : `cannot be read: ${messageOf(error)}`;
    throw new ConfigError(message, { at: name, cause: error });
  }
  return decodeText(bytes, name);
}

/** A device may never end. Throws a ConfigError; the empty one is fine. */
export function refuseDevice(file: string, name: string): void {
  const stats = statsOf(file);
  const isDevice = stats?.isCharacterDevice() === true || stats?.isBlockDevice() === true;
  if (!isDevice || stats?.rdev === statsOf('/dev/null')?.rdev) return;
  throw new ConfigError('is a device, not a file', { at: name });
}

/** Decodes UTF-8, without its byte order mark; throws a ConfigError for any other content. */
export function decodeText(bytes: Buffer, name: string): string {
  const nul = bytes.indexOf(0);
  if (nul !== -1) throw new ConfigError(binaryProblem(bytes), { at: `${name}:${lineAt(bytes, nul)}` });
  const isMarkedUtf16 = bytes[0] === 0xff || bytes[0] === 0xfe;
  if (!isUtf8(bytes)) {
    const message = isMarkedUtf16
      ? binaryProblem(bytes)
      : 'the line is not valid UTF-8: save the file as UTF-8';
    throw new ConfigError(message, { at: `${name}:${lineAt(bytes, findBrokenLine(bytes))}` });
  }
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The line of the first bytes that are no UTF-8, from 1. */
export function brokenLine(bytes: Buffer): number {
  return lineAt(bytes, findBrokenLine(bytes));
}

/** Says what a file with NUL bytes is. Text in UTF-16 has many of them, on even or on odd positions only. */
export function binaryProblem(bytes: Buffer): string {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const [even, odd] = countNuls(bytes.subarray(0, 1000));
  const isUtf16 = isMarked || (Math.max(even, odd) > 2 * Math.min(even, odd) && even + odd >= 3);
  return isUtf16
    ? 'the file is UTF-16: save it as UTF-8'
    : 'the file is binary (it holds NUL bytes), not text in UTF-8';
}

function countNuls(bytes: Buffer): [number, number] {
  const counts: [number, number] = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) counts[at % 2 === 0 ? 0 : 1] += 1;
  return counts;
}

/** The start of the first line that is not UTF-8; no character runs over the end of a line. */
function findBrokenLine(bytes: Buffer): number {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (!isUtf8(bytes.subarray(start, end === -1 ? bytes.length : end))) return start;
    if (end === -1) break;
    start = end + 1;
  }
  return 0;
}

/** The line of a position, from 1. */
function lineAt(bytes: Buffer, position: number): number {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < position; at = bytes.indexOf(LINE_FEED, at + 1))
    line += 1;
  return line;
}

const LINE_FEED = 10;
