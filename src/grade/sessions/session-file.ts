// A file of sessions in, its JSON values out: one per line, or those of one document.

import { readFile, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { BadJson, parseOrExplain } from '../../json/json-error.ts';
import { readLineBlocks } from '../../json/line-blocks.ts';
import { parseJson } from '../../json/parse-json.ts';
import { binaryProblem, decodeText } from '../../json/text-file.ts';
import { statsOf } from '../../platform/file-stats.ts';

export type Fields = Record<string, unknown>;

/** Where a value of a file is, to read it again. */
export type ValuePlace = { offset: number; length: number };

export type FileValue = { value: Fields; line: number; place: ValuePlace | undefined };

const MEGABYTE = 1024 * 1024;
const LONGEST_LINE = 64 * MEGABYTE;
const LARGEST_DOCUMENT = 256 * MEGABYTE;
const EXPECTED = 'a recording is JSON: one document, or one object per line';

/** A file with JSON values. */
export class SessionFile {
  readonly path: string;
  /** How people know it. */
  readonly name: string;
  readonly #warn: (text: string) => void;
  #isNoted = false;

  constructor(path: string, name: string, warn: (text: string) => void) {
    this.path = path;
    this.name = name;
    this.#warn = warn;
  }

  /** The name without folder and ending. */
  get title(): string {
    return basename(this.path).replace(/\.(?:jsonl?|ndjson)$/i, '');
  }

  /** An error about a line. */
  problem(line: number, message: string, hint?: string): ConfigError {
    return new ConfigError(message, { at: `${this.name}:${line}`, ...(hint !== undefined && { hint }) });
  }

  /** Tells something about the file that is no problem. */
  note(text: string): void {
    this.#warn(`${this.name}: ${text}`);
  }

  /** Throws ConfigError for what is no JSON. A torn last line is one that is still being written: it is noted. */
  async *values(): AsyncGenerator<FileValue> {
    if (await this.#isDocument()) {
      for (const value of await this.#document()) yield { value, line: 1, place: undefined };
      return;
    }
    let broken: { line: number; problem: string } | undefined;
    for await (const { text, line, place } of this.#lines()) {
      if (broken !== undefined) throw this.problem(broken.line, broken.problem, EXPECTED);
      const parsed = text === undefined ? undefined : parseJson(text);
      if (parsed === undefined) {
        const problem =
          text === undefined
            ? `the line is longer than ${LONGEST_LINE / MEGABYTE} MB`
            : 'the line is not JSON';
        broken = { line, problem };
      } else if (isObject(parsed.value)) yield { value: parsed.value, line, place };
      else throw this.problem(line, 'the line is not a JSON object', EXPECTED);
    }
    if (broken === undefined) return;
    if (broken.line === 1 || broken.problem !== 'the line is not JSON')
      throw this.problem(broken.line, broken.problem, EXPECTED);
    if (!this.#isNoted) this.#warn(`${this.name}:${broken.line}: the last line is incomplete and left out`);
    this.#isNoted = true;
  }

  /** Reads a value again. */
  async valueAt({ offset, length }: ValuePlace): Promise<Fields> {
    const handle = await open(this.path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(length);
      await handle.read(bytes, 0, length, offset);
      const value = parseJson(bytes.toString())?.value;
      if (!isObject(value)) throw new Error(`${this.name} has changed while it was graded`);
      return value;
    } finally {
      await handle.close();
    }
  }

  /** A document over several lines begins with a line that is no JSON by itself, and goes on inside of an object or a list. */
  async #isDocument(): Promise<boolean> {
    let isOpen = false;
    for await (const { text } of this.#lines()) {
      if (text === undefined) return false;
      const start = text.trim();
      if (!isOpen && !/^[[{]/.test(start)) throw this.problem(1, 'the file is not JSON', EXPECTED);
      if (isOpen) return !start.startsWith('{');
      const parsed = parseJson(text);
      if (parsed !== undefined) return Array.isArray(parsed.value);
      if (start === '[' || start === '{') return true;
      isOpen = true;
    }
    if (isOpen) return true;
    throw new ConfigError('the file is empty', { at: this.name, hint: EXPECTED });
  }

  async #document(): Promise<Fields[]> {
    if ((statsOf(this.path)?.size ?? 0) > LARGEST_DOCUMENT)
      throw this.problem(
        1,
        `the document is larger than ${LARGEST_DOCUMENT / MEGABYTE} MB`,
        'export it as JSON lines, one object per line',
      );
    const text = decodeText(await readFile(this.path), this.name);
    const value = parseOrExplain(text);
    if (value instanceof BadJson) {
      const message = value.describe(1);
      const line = /\(line (\d+)/.exec(message)?.[1];
      throw this.problem(line === undefined ? text.split('\n').length : Number(line), message, EXPECTED);
    }
    const all: unknown[] = Array.isArray(value) ? value : [value];
    if (!all.every(isObject)) throw this.problem(1, 'a list must consist of objects', EXPECTED);
    return all;
  }

  /** Lines that are not blank; without a text if a line is too long. */
  async *#lines(): AsyncGenerator<{ text: string | undefined; line: number; place: ValuePlace }> {
    let line = 0;
    for await (const { kind, bytes, end } of readLineBlocks(this.path, { maxLineBytes: LONGEST_LINE })) {
      if (bytes.includes(0)) throw this.problem(line + 1, binaryProblem(bytes), EXPECTED);
      const first = end - bytes.length;
      for (let from = 0; from < bytes.length;) {
        const found = kind === 'long' ? -1 : bytes.indexOf(10, from);
        const to = found === -1 ? bytes.length : found;
        line += 1;
        const mark = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
        const text = kind === 'long' ? undefined : bytes.toString('utf8', from + mark, to);
        const place = { offset: first + from + mark, length: to - from - mark };
        if (text === undefined || text.trim() !== '') yield { text, line, place };
        from = to + 1;
      }
    }
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
