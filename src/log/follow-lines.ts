// Reads the complete lines of a file that is still being written.

import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** Follows a file from its beginning; returns complete lines only. */
export class GrowingLines {
  readonly #file: FileHandle;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #rest: Buffer[] = [];

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<GrowingLines> {
    return new GrowingLines(await open(path, 'r'));
  }

  /** The next portion of new lines; undefined at the end of the file. */
  async next(): Promise<string[] | undefined> {
    const { bytesRead } = await this.#file.read(this.#chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return undefined;
    const bytes = this.#chunk.subarray(0, bytesRead);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    const whole = Buffer.concat([...(end === 0 ? [] : this.#rest), bytes.subarray(0, end)]);
    if (end > 0) this.#rest = [];
    if (end < bytesRead) this.#rest.push(Buffer.from(bytes.subarray(end)));
    return whole.length === 0 ? [] : whole.toString('utf8', 0, whole.length - 1).split('\n');
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
