// Is this a run log? Answered for a name, for the beginning of a file and for its first line.

import { closeSync, openSync, readSync, statSync } from 'node:fs';

const HEAD_BYTES = 64 * 1024;
/** The names that the program itself gives to logs beside a case file. */
const NAME = /^output-\d{14}.*\.jsonl$/;
const BEGINNING = /^\{\s*"type"\s*:\s*"start"/;

/** True for the name of a log that Assay wrote beside a case file. */
export function hasRunLogName(fileName: string): boolean {
  return NAME.test(fileName);
}

/** True for a file that begins like a run log, whatever its name. */
export function isRunLogFile(file: string): boolean {
  return beginsRunLog(readHead(file));
}

/** True if a file with this beginning is a run log. */
export function beginsRunLog(head: string): boolean {
  const [first = ''] = head.trimStart().split('\n', 1);
  return BEGINNING.test(first) && first.includes('"run_id"');
}

/** True for the parsed first line of a run log. */
export function isRunStart(value: unknown): value is { type: 'start'; run_id: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'start' &&
    'run_id' in value &&
    typeof value.run_id === 'string'
  );
}

/** True if a line near the beginning of a file is plain text, such as a message or a table. */
export function isTextLine(file: string, line: number): boolean {
  const text = readHead(file).split('\n')[line - 1] ?? '';
  return /^[^\s{[]/.test(text.trimStart()) && !text.includes('\0');
}

/** The first 64 KB of a file; empty if it is no file or cannot be read. Code that needs the file reports the error. */
export function readHead(file: string): string {
  let handle: number | undefined;
  try {
    // Opening a pipe would wait for a writer.
    if (!statSync(file).isFile()) return '';
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, HEAD_BYTES, 0)).replace(/^\uFEFF/, '');
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
