// A look at the beginning of a file: is it the log of a run, is it text?

import { closeSync, openSync, readSync } from 'node:fs';

const LOOKED_AT = 64 * 1024;

/** True for a file that begins as a run log does, whatever its name. */
export function isRunLogFile(file: string): boolean {
  const [first = ''] = firstLines(file);
  return /^\uFEFF?\{\s*"type"\s*:\s*"start"/.test(first) && first.includes('"run_id"');
}

/** True if a line near the beginning of a file is plain text, as of a message or a table. */
export function isTextLine(file: string, line: number): boolean {
  const text = firstLines(file)[line - 1] ?? '';
  return /^[^\s{[]/.test(text.replace(/^\uFEFF/, '').trimStart()) && !text.includes('\0');
}

/** The lines in the first 64 KB of a file; none if it cannot be read, which is told when it is read as a whole. */
function firstLines(file: string): string[] {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const bytes = Buffer.alloc(LOOKED_AT);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, LOOKED_AT, 0)).split('\n');
  } catch {
    return [];
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
