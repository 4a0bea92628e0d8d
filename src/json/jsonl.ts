// JSONL files in, batches of objects with line numbers out: streaming, in constant memory.

import { isUtf8 } from 'node:buffer';
import { ConfigError } from '../errors.ts';
import type { ParsedObject } from './json-objects.ts';
import { createObjectParser } from './json-objects.ts';
import { parseJson } from './parse-json.ts';
import { binaryProblem } from './text-file.ts';
import { readLineBlocks } from './line-blocks.ts';

export type { ParsedObject } from './json-objects.ts';

export type ReadOptions = {
  /** Longer objects are reported as a problem and skipped without being kept in memory. */
  maxObjectBytes?: number;
  chunkBytes?: number;
  /** Sees every byte of the file once, in order. */
  onBytes?: (bytes: Buffer) => void;
};

const MEGABYTE = 1024 * 1024;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Reads the objects of a file written by people: blank lines and lines that start with `//` or `#` are skipped, and an
 * object may span several lines. After a broken object, reading continues at the next line that starts with `{`.
 */
export async function* readObjects(file: string, options: ReadOptions = {}): AsyncGenerator<ParsedObject[]> {
  const { maxObjectBytes = 16 * MEGABYTE, chunkBytes, onBytes } = options;
  const tooLong = `the object is larger than ${formatSize(maxObjectBytes)}: use a file:// source for large data`;
  let batch: ParsedObject[] = [];
  const parser = createObjectParser((parsed) => batch.push(parsed), { maxLength: maxObjectBytes, tooLong });
  const blockOptions = {
    maxLineBytes: maxObjectBytes,
    onBytes,
    ...(chunkBytes === undefined ? {} : { chunkBytes }),
  };
  let line = 1;

  for await (const block of readLineBlocks(file, blockOptions)) {
    if (block.bytes.includes(0)) {
      yield [...batch, { problem: binaryProblem(block.bytes), line: line + countLines(block.bytes) }];
      return;
    }
    if (block.kind === 'long') {
      parser.takeLong(block.bytes.toString(), line++);
    } else if (isUtf8(block.bytes)) {
      line = takeLines(block.bytes.toString(), line, parser.take);
    } else {
      line = takeLinesSeparately(block.bytes, line, parser);
    }
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
  }
  parser.end();
  if (batch.length > 0) yield batch;
}

function takeLines(text: string, firstLine: number, take: (text: string, line: number) => void): number {
  let line = firstLine;
  let start = line === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    take(text.slice(start, end), line++);
    start = end + 1;
  }
  return line;
}

function takeLinesSeparately(
  bytes: Buffer,
  firstLine: number,
  parser: { take(text: string, line: number): void; takeBroken(problem: string, line: number): void },
): number {
  let line = firstLine;
  let start = 0;
  while (start < bytes.length) {
    const found = bytes.indexOf(10, start);
    const end = found === -1 ? bytes.length : found;
    const content = bytes.subarray(start, end);
    if (isUtf8(content)) takeLines(content.toString(), line, parser.take);
    else parser.takeBroken('the line is not valid UTF-8: save the file as UTF-8', line);
    line++;
    start = end + 1;
  }
  return line;
}

/** Counts the line breaks before the first NUL byte. */
function countLines(bytes: Buffer): number {
  const stop = bytes.indexOf(0);
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1 && at < stop; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function formatSize(bytes: number): string {
  return bytes >= MEGABYTE ? `${Math.floor(bytes / MEGABYTE)} MB` : `${bytes} bytes`;
}

/** A batch of lines with their values, and the byte offset after the last complete line. */
export type JsonLines = { values: unknown[]; lines: string[]; end: number };

/**
 * Reads a file written by a program, one JSON value per line. Drops a torn last line; the last `end` is the offset to
 * truncate the file at. With `unterminated: 'keep'`, a valid last line without a line break counts.
 */
export async function* readJsonLines(
  file: string,
  options: { unterminated?: 'drop' | 'keep'; chunkBytes?: number } = {},
): AsyncGenerator<JsonLines> {
  const { unterminated = 'drop', chunkBytes } = options;
  const blockOptions = { maxLineBytes: 256 * MEGABYTE, ...(chunkBytes === undefined ? {} : { chunkBytes }) };
  let line = 1;
  /** The first line that is not JSON. If it is the last line it is torn, otherwise the file is damaged. */
  let brokenLine = 0;

  for await (const block of readLineBlocks(file, blockOptions)) {
    if (block.unterminated && unterminated === 'drop') return;
    const firstLine = line;
    const values: unknown[] = [];
    const lines: string[] = [];
    // A line beyond the limit is treated as a broken line.
    const text = block.kind === 'long' ? '{\n' : block.bytes.toString();
    line = takeLines(text, firstLine, (content, number) => {
      if (isBlank(content)) return;
      if (brokenLine > 0) throw damagedLogError(file, brokenLine);
      const parsed = parseJson(content);
      if (parsed === undefined) brokenLine = number;
      else {
        values.push(parsed.value);
        lines.push(content);
      }
    });
    if (values.length === 0) continue;
    const start = block.end - block.bytes.length;
    yield {
      values,
      lines,
      end: brokenLine === 0 ? block.end : start + lineOffset(block.bytes, brokenLine - firstLine),
    };
  }
}

function lineOffset(bytes: Buffer, index: number): number {
  let offset = 0;
  for (let passed = 0; passed < index; passed++) offset = bytes.indexOf(10, offset) + 1;
  return offset;
}

function isBlank(text: string): boolean {
  return text.length === 0 || text.trim() === '';
}

function damagedLogError(file: string, line: number): ConfigError {
  return new ConfigError('the line is not JSON, so this is not a run log or it is damaged', {
    at: `${file}:${line}`,
  });
}
