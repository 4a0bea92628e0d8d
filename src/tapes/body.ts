// Converts bodies to and from their form on tape: readable if that is lossless, and restored byte for byte.

import { isObject } from '../json/is-object.ts';
import { isNestedDeeper } from '../json/nesting.ts';
import type { Piece, TapedBody } from './tape-file.ts';

/** A piece of a response and its time. */
export type Arrived = { piece: string | Uint8Array; atMs: number };

/** The body of a request; it need not be restored exactly. */
export function tapedRequestBody(body: string | Uint8Array | undefined, type: string | undefined): TapedBody {
  if (body === undefined || body.length === 0) return {};
  const text = typeof body === 'string' ? body : decoded(body);
  if (text === undefined) {
    const bytes = withoutBoundary(Buffer.from(body).toString('latin1'), type);
    return { base64: Buffer.from(bytes, 'latin1').toString('base64') };
  }
  const json = parsed(text);
  return json === undefined ? { text: withoutBoundary(text, type) } : { json };
}

/** The multipart boundary is random in every request. */
function withoutBoundary(text: string, type: string | undefined): string {
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(type ?? '')?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}

/** The body of a response, as a stream of pieces or as a whole. */
export function tapedResponseBody(
  arrived: readonly Arrived[],
  type: string,
): TapedBody & { stream?: Piece[]; at_ms?: number[] } {
  if (arrived.length === 0) return {};
  const texts = decodePieces(arrived);
  if (texts === undefined) {
    const bytes = arrived.map(({ piece }) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    return { base64: Buffer.concat(bytes).toString('base64') };
  }
  const end = pieceEnd(type, texts.length);
  if (end !== undefined) return splitStream(texts, end);
  const text = texts.map(({ text }) => text).join('');
  if (text === '') return {};
  const json = parsed(text);
  return json !== undefined && JSON.stringify(json) === text ? { json } : { text };
}

/** The separator of a stream's pieces; `''` to keep pieces as they arrived; undefined if it is not a stream. */
function pieceEnd(type: string, count: number): string | undefined {
  if (/event-stream/i.test(type)) return '\n\n';
  if (/ndjson|jsonl|stream\+json/i.test(type)) return '\n';
  return count > 1 && !/json|html|xml/i.test(type) ? '' : undefined;
}

/** Restores the pieces of a response's body. */
export function bodyPieces(body: TapedBody & { stream?: Piece[] }): (string | Uint8Array)[] {
  if (body.stream !== undefined) return body.stream.map(pieceText);
  if (body.base64 !== undefined) return [Buffer.from(body.base64, 'base64')];
  if (body.text !== undefined) return [body.text];
  return 'json' in body ? [JSON.stringify(body.json)] : [];
}

type ArrivedText = { text: string; atMs: number };

/** Decodes pieces, also characters split between two of them; undefined if they are not text. */
function decodePieces(arrived: readonly Arrived[]): ArrivedText[] | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = arrived.map(({ piece, atMs }) => ({
      text: typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }),
      atMs,
    }));
    decoder.decode();
    return texts;
  } catch {
    return undefined;
  }
}

/** Splits the text into events or lines, each with the time of its end. */
function splitStream(texts: readonly ArrivedText[], end: string): { stream: Piece[]; at_ms: number[] } {
  const stream: Piece[] = [];
  const at_ms: number[] = [];
  const add = (text: string, atMs: number): void => {
    if (text === '') return;
    stream.push(toPiece(text));
    at_ms.push(atMs);
  };
  let rest = '';
  for (const { text, atMs } of texts) {
    if (end === '') {
      add(text, atMs);
      continue;
    }
    // Only the new text and the end of the old one can hold a separator.
    let at = Math.max(0, rest.length - end.length + 1);
    rest += text;
    let from = 0;
    for (at = rest.indexOf(end, at); at !== -1; at = rest.indexOf(end, from)) {
      add(rest.slice(from, at + end.length), atMs);
      from = at + end.length;
    }
    rest = rest.slice(from);
  }
  add(rest, texts.at(-1)?.atMs ?? 0);
  return { stream, at_ms };
}

function toPiece(text: string): Piece {
  const [, event, data] = /^(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n$/.exec(text) ?? [];
  if (data === undefined) return text;
  const json = parsed(data);
  const piece: Piece = { event, data: isExact(json, data) ? json : data };
  return pieceText(piece) === text ? piece : text;
}

function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  const { event, data } = piece;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** True if serialising the value gives the same text again. */
function isExact(json: unknown, text: string): boolean {
  return typeof json === 'object' && json !== null && JSON.stringify(json) === text;
}

/** Parses objects and lists only: `12` stays text. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || isDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Deeper JSON is kept as text, because recursion over it could overflow the stack. */
const MAX_DEPTH = 200;

/** True if the JSON is nested deeper than MAX_DEPTH. */
export function isDeep(text: string): boolean {
  return isNestedDeeper(text, MAX_DEPTH);
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
