// Collects output of any length in bounded memory.

import { groupDigits } from '../text/group-digits.ts';

/** The default limit of an answer or a log, in bytes. */
export const OUTPUT_LIMIT = 10 * 1024 * 1024;

/** Keeps the first and the last half of `limit`; bytes between are only counted. */
export class BoundedOutput {
  readonly limit: number;
  readonly #half: number;
  #head = Buffer.alloc(0);
  #headLength = 0;
  /** A ring buffer: the oldest byte follows the newest. */
  #tail = Buffer.alloc(0);
  #tailEnd = 0;
  #length = 0;

  constructor(limit: number = OUTPUT_LIMIT) {
    this.limit = limit;
    this.#half = Math.floor(limit / 2);
  }

  /** The number of bytes pushed. */
  get length(): number {
    return this.#length;
  }

  get truncated(): boolean {
    return this.#length > this.#half * 2;
  }

  push(chunk: Uint8Array): void {
    this.#length += chunk.length;
    const room = this.#half - this.#headLength;
    if (room > 0) this.#pushHead(chunk.subarray(0, room));
    if (chunk.length > room) this.#pushTail(chunk.subarray(Math.max(room, 0)));
  }

  /** The kept bytes as text; a line in the middle says how much is missing. */
  text(): string {
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tailBytes();
    if (!this.truncated) return Buffer.concat([head, tail]).toString('utf8');
    const start = withoutTornEnd(head);
    const end = withoutTornStart(tail);
    const left = this.#length - start.length - end.length;
    const note = `… [${count(this.#length)} bytes, ${count(left)} left out] …`;
    return `${start.toString('utf8')}\n${note}\n${end.toString('utf8')}`;
  }

  /** The kept bytes as lines. As JSON they are about as long as the limit at most, although JSON escapes some characters. */
  lines(): string[] {
    const text = this.text();
    const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
    const size = text.length * 6 > this.limit ? JSON.stringify(lines).length : 0;
    if (size <= this.limit * 1.25) return lines;
    const smaller = new BoundedOutput(Math.floor((this.limit * this.limit) / size));
    smaller.push(Buffer.from(text));
    smaller.#length = this.#length;
    return smaller.text().split(/\r?\n/);
  }

  #pushHead(bytes: Uint8Array): void {
    const needed = this.#headLength + bytes.length;
    if (needed > this.#head.length) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(needed, this.#head.length * 2, 1024), this.#half));
      this.#head.copy(grown, 0, 0, this.#headLength);
      this.#head = grown;
    }
    this.#head.set(bytes, this.#headLength);
    this.#headLength = needed;
  }

  #pushTail(bytes: Uint8Array): void {
    if (this.#tail.length === 0) this.#tail = Buffer.allocUnsafe(this.#half);
    const kept = bytes.subarray(Math.max(bytes.length - this.#half, 0));
    const first = kept.subarray(0, this.#half - this.#tailEnd);
    this.#tail.set(first, this.#tailEnd);
    this.#tail.set(kept.subarray(first.length), 0);
    this.#tailEnd = (this.#tailEnd + kept.length) % this.#half;
  }

  #tailBytes(): Buffer {
    const inTail = this.#length - this.#headLength;
    if (inTail < this.#half) return this.#tail.subarray(0, inTail);
    return Buffer.concat([this.#tail.subarray(this.#tailEnd), this.#tail.subarray(0, this.#tailEnd)]);
  }
}

/** A size for people: `1.0 GB`, `12.5 MB`, `300 bytes`. */
export function formatBytes(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 'bytes';
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return unit === 'bytes' ? `${String(bytes)} bytes` : `${value.toFixed(1)} ${unit}`;
}

function count(value: number): string {
  return groupDigits(value);
}

/** Drops an incomplete UTF-8 character at the end. */
function withoutTornEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return width > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Drops an incomplete UTF-8 character at the start. */
function withoutTornStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
