// Parses an HTTP/1 response from chunks of bytes into its head and text.

import { StringDecoder } from 'node:string_decoder';
import type { ResponseListener } from './http-exchange.ts';
import { parseHead } from './plain-head.ts';

type Stage =
  'head' | 'length' | 'close' | 'chunk size' | 'chunk' | 'chunk end' | 'trailers' | 'done' | 'malformed';

const HEAD_LIMIT = 64 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const CHUNK_SIZE = /^([\da-f]{1,12})[\t ]*(?:;.*)?$/i;

export class PlainResponse {
  readonly #listener: Pick<ResponseListener, 'head' | 'data'>;
  #stage: Stage = 'head';
  /** Bytes of the body or chunk that are still missing. */
  #missing = 0;
  /** The beginning of an incomplete head or line. */
  #rest = '';
  #trailersLength = 0;
  #decoder: StringDecoder | undefined;
  /** At least one byte has arrived. */
  hasBegun = false;
  /** The listener has received the head. */
  hasHead = false;
  /** The connection can be reused. */
  isKept = false;
  /** The problem of a malformed head. */
  problem: string | undefined;

  constructor(listener: Pick<ResponseListener, 'head' | 'data'>) {
    this.#listener = listener;
  }

  get isDone(): boolean {
    return this.#stage === 'done';
  }

  get isMalformed(): boolean {
    return this.#stage === 'malformed';
  }

  /** Parses the next bytes; returns how many of them belong to the response. */
  push(bytes: Buffer): number {
    this.hasBegun = true;
    let at = 0;
    while (at < bytes.length && this.#stage !== 'done' && this.#stage !== 'malformed') {
      if (this.#stage === 'head') at = this.#readHead(bytes, at);
      else if (this.#stage === 'length' || this.#stage === 'chunk') at = this.#readPart(bytes, at);
      else if (this.#stage === 'close') at = this.#readText(bytes, at, bytes.length);
      else at = this.#readLine(bytes, at);
    }
    return at;
  }

  /** Call at the end of the connection; returns whether the response is complete. */
  close(): boolean {
    if (this.#stage === 'close') this.#finish();
    return this.#stage === 'done';
  }

  #readHead(bytes: Buffer, start: number): number {
    let at = start;
    if (this.#rest === '') while (bytes[at] === CARRIAGE_RETURN || bytes[at] === LINE_FEED) at += 1;
    const known = this.#rest.length;
    // One character is one byte.
    const text = this.#rest + bytes.toString('latin1', at);
    const end = findHeadEnd(text, Math.max(0, known - 2));
    const length = end?.index ?? text.length;
    if (!'HTTP/1.'.startsWith(text.slice(0, 7))) this.#refuse(text);
    else if (length > HEAD_LIMIT) this.#refuse(text, 'sent more than 64 kB of headers');
    if (this.isMalformed) return at;
    if (end === undefined) {
      this.#rest = text;
      return bytes.length;
    }
    this.#rest = '';
    this.#takeHead(text.slice(0, end.index));
    return at + end.next - known;
  }

  #takeHead(text: string): void {
    const head = parseHead(text);
    if (typeof head === 'string') return this.#refuse(head);
    // Assay never requests a protocol upgrade.
    if (head.status === 101) return this.#refuse(text);
    if (head.status < 200) return;
    const { status, headers, body, isKept } = head;
    this.hasHead = true;
    this.isKept = isKept;
    this.#stage = typeof body === 'number' ? 'length' : body === 'close' ? 'close' : 'chunk size';
    this.#missing = typeof body === 'number' ? body : 0;
    this.#listener.head(status, headers);
    if (body === 0) this.#finish();
  }

  #readPart(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#missing);
    this.#missing -= end - at;
    this.#readText(bytes, at, end);
    if (this.#missing === 0) {
      if (this.#stage === 'chunk') this.#stage = 'chunk end';
      else this.#finish();
    }
    return end;
  }

  #readText(bytes: Buffer, at: number, end: number): number {
    // An ASCII last byte means no character is split: no decoder needed.
    const isWhole = this.#decoder === undefined && (bytes[end - 1] ?? 0) < 0x80;
    const text = isWhole
      ? bytes.toString('utf8', at, end)
      : (this.#decoder ??= new StringDecoder('utf8')).write(bytes.subarray(at, end));
    if (text !== '') this.#listener.data(text);
    return end;
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LINE_FEED, at);
    const text = this.#rest + bytes.toString('latin1', at, end === -1 ? bytes.length : end);
    this.#rest = end === -1 ? text : '';
    if (text.length + this.#trailersLength > HEAD_LIMIT) this.#stage = 'malformed';
    if (end === -1) return bytes.length;
    this.#takeLine(text.endsWith('\r') ? text.slice(0, -1) : text);
    return end + 1;
  }

  #takeLine(line: string): void {
    if (this.#stage === 'malformed') return;
    if (this.#stage === 'chunk size') {
      const size = CHUNK_SIZE.exec(line)?.[1];
      this.#missing = Number.parseInt(size ?? '0', 16);
      this.#stage = size === undefined ? 'malformed' : this.#missing === 0 ? 'trailers' : 'chunk';
    } else if (this.#stage === 'chunk end') {
      this.#stage = line === '' ? 'chunk size' : 'malformed';
    } else if (line === '') this.#finish();
    else this.#trailersLength += line.length + 2;
  }

  #finish(): void {
    this.#stage = 'done';
    const text = this.#decoder?.end() ?? '';
    if (text !== '') this.#listener.data(text);
  }

  #refuse(text: string, problem?: string): void {
    const [line = ''] = text.split('\n', 1);
    this.#stage = 'malformed';
    this.problem = problem ?? `sent something that is not HTTP: ${JSON.stringify(line.trim().slice(0, 100))}`;
  }
}

/** The end of the head and the start of the body; also accepts lines that end in LF alone. */
function findHeadEnd(text: string, from: number): { index: number; next: number } | undefined {
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at + 1] === '\n') return { index: at, next: at + 2 };
    if (text[at + 1] === '\r' && text[at + 2] === '\n') return { index: at, next: at + 3 };
  }
  return undefined;
}
