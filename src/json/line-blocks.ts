// A file in blocks of whole lines: bytes are cut at line breaks only, so a block can be decoded as it is.

import { open } from 'node:fs/promises';
import { refuseDevice } from './text-file.ts';

/** Whole lines, or the first bytes of one line that was too long and was skipped. */
export type LineBlock = {
  kind: 'lines' | 'long';
  bytes: Buffer;
  /** Byte offset in the file after the block. */
  end: number;
  /** True only for the last line of a file without a line break at its end. */
  unterminated: boolean;
};

export type BlockOptions = {
  /** Longer lines are skipped without being kept in memory. */
  maxLineBytes: number;
  chunkBytes?: number;
  /** Sees every byte of the file once, in order; must not keep the buffer. */
  onBytes?: ((bytes: Buffer) => void) | undefined;
};

const LINE_FEED = 10;
const HEAD_BYTES = 256;

/** Reads a file as blocks of whole lines. The bytes of a block are valid only until the next block is requested. */
export async function* readLineBlocks(file: string, options: BlockOptions): AsyncGenerator<LineBlock> {
  const { maxLineBytes, chunkBytes = 256 * 1024, onBytes } = options;
  refuseDevice(file, file);
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let open = new OpenLine(maxLineBytes);
    let offset = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      let chunk = buffer.subarray(0, bytesRead);
      onBytes?.(chunk);

      // 1. complete the line that an earlier chunk left open
      if (!open.isEmpty) {
        const first = chunk.indexOf(LINE_FEED) + 1;
        open.add(first === 0 ? chunk : chunk.subarray(0, first));
        offset += first === 0 ? chunk.length : first;
        if (first === 0) continue;
        yield open.toBlock(offset, false);
        open = new OpenLine(maxLineBytes);
        chunk = chunk.subarray(first);
      }

      // 2. yield the whole lines of this chunk
      const whole = chunk.lastIndexOf(LINE_FEED) + 1;
      if (whole > 0) {
        yield { kind: 'lines', bytes: chunk.subarray(0, whole), end: offset + whole, unterminated: false };
      }

      // 3. keep the rest
      open.add(chunk.subarray(whole));
      offset += chunk.length;
    }
    if (!open.isEmpty) yield open.toBlock(offset, true);
  } finally {
    await handle.close();
  }
}

/** The bytes of a line whose end is not read yet. Stops growing at the limit. */
class OpenLine {
  #parts: Buffer[] = [];
  #length = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const fitted = this.#length <= this.#limit;
    this.#length += bytes.length;
    if (this.#length <= this.#limit) this.#parts.push(Buffer.from(bytes));
    else if (fitted) this.#parts = [Buffer.concat([...this.#parts, bytes]).subarray(0, HEAD_BYTES)];
  }

  toBlock(end: number, unterminated: boolean): LineBlock {
    const kind = this.#length <= this.#limit ? 'lines' : 'long';
    return { kind, bytes: Buffer.concat(this.#parts), end, unterminated };
  }
}
