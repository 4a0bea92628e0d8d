// A file with one JSON list in, its elements with their lines out: streaming, in constant memory.

import { open } from 'node:fs/promises';
import { BadJson, parseOrExplain } from './json-error.ts';
import type { ParsedObject } from './json-objects.ts';
import type { ReadOptions } from './jsonl.ts';
import { binaryProblem, brokenLine, refuseDevice } from './text-file.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_ELEMENT = 16 * 1024 * 1024;
const BYTE_ORDER_MARK = 0xfeff;

const [QUOTE, BACKSLASH, COMMA, SLASH, HASH, LINE_FEED] = [34, 92, 44, 47, 35, 10] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125] as const;

/** True if the first character of a file that is neither space nor comment opens a list. */
export async function isJsonList(file: string): Promise<boolean> {
  refuseDevice(file, file);
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    return /^(?:\s|\/\/.*(?:\n|$)|#.*(?:\n|$))*\[/.test(text);
  } finally {
    await handle.close();
  }
}

/** Reads the elements of a list. After a broken element, reading continues with the next one. */
export async function* readJsonList(file: string, options: ReadOptions = {}): AsyncGenerator<ParsedObject[]> {
  const { chunkBytes = CHUNK_BYTES, maxObjectBytes = MAX_ELEMENT, onBytes } = options;
  refuseDevice(file, file);
  const handle = await open(file, 'r');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const splitter = new ListSplitter(maxObjectBytes);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      const bytes = buffer.subarray(0, bytesRead);
      if (bytesRead > 0) onBytes?.(bytes);
      if (bytes.includes(0)) {
        yield [...splitter.take(), { problem: binaryProblem(bytes), line: splitter.line }];
        return;
      }
      let text: string;
      try {
        text = decoder.decode(bytes, { stream: bytesRead > 0 });
      } catch {
        const problem = 'the file is not valid UTF-8: save it as UTF-8';
        yield [...splitter.take(), { problem, line: splitter.line - 1 + brokenLine(bytes) }];
        return;
      }
      splitter.push(text);
      if (bytesRead === 0) splitter.end();
      const found = splitter.take();
      if (found.length > 0) yield found;
      if (bytesRead === 0) return;
    }
  } finally {
    await handle.close();
  }
}

/** Splits the text of a list into the texts of its elements, whatever is inside them. */
class ListSplitter {
  /** The line that is being read. */
  line = 1;
  #found: ParsedObject[] = [];
  #state: 'before' | 'in' | 'after' = 'before';
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isComment = false;
  /** The element that is being read, and the line it begins on. */
  #element = '';
  #elementLine = 0;
  #isTooLong = false;
  #isFirst = true;
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  push(text: string): void {
    let start = this.#isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    if (text !== '') this.#isFirst = false;
    for (let index = start; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code === LINE_FEED) this.line += 1;
      if (this.#isComment) {
        if (code === LINE_FEED) this.#isComment = false;
        start = index + 1;
      } else if (this.#elementLine === 0) {
        this.#between(code, text.charCodeAt(index + 1));
        start = this.#elementLine === 0 ? index + 1 : index;
        if (this.#elementLine !== 0) this.#inside(code);
      } else if (this.#inside(code)) {
        this.#extend(text.slice(start, index));
        this.#finish();
        this.#between(code, 0);
        start = index + 1;
      }
    }
    if (this.#elementLine !== 0) this.#extend(text.slice(start));
  }

  end(): void {
    const isOpen = this.#elementLine !== 0 && (this.#depth > 0 || this.#isInText);
    if (this.#elementLine !== 0 && !isOpen) this.#finish();
    if (isOpen)
      this.#found.push({ problem: 'the list or an object in it is not closed', line: this.#elementLine });
    else if (this.#state === 'in')
      this.#found.push({ problem: 'the list is not closed: "]" is missing', line: this.line });
  }

  /** The elements since the last call. */
  take(): ParsedObject[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** A character outside of all elements. */
  #between(code: number, next: number): void {
    if (code <= 32 || (code === COMMA && this.#state === 'in')) return;
    if (code === HASH || (code === SLASH && (next === SLASH || Number.isNaN(next)))) this.#isComment = true;
    else if (this.#state === 'before' && code === OPEN_LIST) this.#state = 'in';
    else if (this.#state === 'in' && code === CLOSE_LIST) this.#state = 'after';
    else if (this.#state === 'in') {
      this.#elementLine = this.line;
      this.#depth = 0;
      this.#isInText = false;
      this.#isTooLong = false;
      this.#element = '';
    } else if (this.#state === 'after') {
      this.#found.push({ problem: 'there is more text after the end of the list', line: this.line });
      // Said once.
      this.#isComment = true;
    }
  }

  /** A character of an element; true if it is the first one behind it. */
  #inside(code: number): boolean {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      // No text runs over a line: a missing quote damages one line.
      else if (code === QUOTE || code === LINE_FEED) this.#isInText = false;
      return false;
    }
    if (code === QUOTE) this.#isInText = true;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) this.#depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (this.#depth === 0) return true;
      this.#depth -= 1;
    } else if (code === COMMA && this.#depth === 0) return true;
    return false;
  }

  #extend(text: string): void {
    if (this.#isTooLong) return;
    this.#element += text;
    if (this.#element.length <= this.#maxLength) return;
    this.#isTooLong = true;
    this.#element = '';
  }

  #finish(): void {
    const line = this.#elementLine;
    this.#elementLine = 0;
    if (this.#isTooLong) {
      this.#found.push({ problem: 'the object is too large: use a file:// source for large data', line });
      return;
    }
    const value = parseOrExplain(this.#element);
    this.#found.push(value instanceof BadJson ? { problem: value.describe(line), line } : { value, line });
  }
}
