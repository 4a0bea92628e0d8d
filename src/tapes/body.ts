// Bodies as they stand on a tape: readable if that loses nothing, and given back byte by byte.

import { isObject } from '../json/is-object.ts';
import type { Piece, TapedBody } from './tape-file.ts';

/** A piece of an answer and when it came. */
export type Arrived = { piece: string | Uint8Array; atMs: number };

/** The body of a request, where only the meaning matters. */
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

/** The mark between the parts of a form is made up anew for every request. */
function withoutBoundary(text: string, type: string | undefined): string {
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(type ?? '')?.[1];
  return boundary === undefined ? text : text.replaceAll(boundary, 'boundary');
}

/** The body of a response, as the pieces it came in or as a whole. */
export function tapedResponseBody(
  arrived: readonly Arrived[],
  type: string,
): TapedBody & { stream?: Piece[]; at_ms?: number[] } {
  if (arrived.length === 0) return {};
  const texts = textsOf(arrived);
  if (texts === undefined) {
    const bytes = arrived.map(({ piece }) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    return { base64: Buffer.concat(bytes).toString('base64') };
  }
  const end = pieceEnd(type, texts.length);
  if (end !== undefined) return streamOf(texts, end);
  const text = texts.map(({ text }) => text).join('');
  if (text === '') return {};
  const json = parsed(text);
  return json !== undefined && JSON.stringify(json) === text ? { json } : { text };
}

/** What ends a piece of a stream, `''` if it is what came at once; nothing if it is no stream. */
function pieceEnd(type: string, count: number): string | undefined {
  if (/event-stream/i.test(type)) return '\n\n';
  if (/ndjson|jsonl|stream\+json/i.test(type)) return '\n';
  return count > 1 && !/json|html|xml/i.test(type) ? '' : undefined;
}

/** The bytes of a response's body, piece by piece. */
export function piecesOf(body: TapedBody & { stream?: Piece[] }): (string | Uint8Array)[] {
  if (body.stream !== undefined) return body.stream.map(pieceText);
  if (body.base64 !== undefined) return [Buffer.from(body.base64, 'base64')];
  if (body.text !== undefined) return [body.text];
  return 'json' in body ? [JSON.stringify(body.json)] : [];
}

type ArrivedText = { text: string; atMs: number };

/** As text, where a character may have come in two pieces; nothing if it is no text. */
function textsOf(arrived: readonly Arrived[]): ArrivedText[] | undefined {
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

/** Server-sent events are told apart and put together, each at the time of its end; lines of anything else as well. */
function streamOf(texts: readonly ArrivedText[], end: string): { stream: Piece[]; at_ms: number[] } {
  const stream: Piece[] = [];
  const at_ms: number[] = [];
  const add = (text: string, atMs: number): void => {
    if (text === '') return;
    stream.push(toPiece(text));
    at_ms.push(atMs);
  };
  let rest = '';
  for (const { text, atMs } of texts) {
    rest += text;
    const isWhole = end === '' || rest.endsWith(end);
    const parts = end === '' ? [rest] : rest.split(end).map((part) => part + end);
    const last = end === '' ? '' : (parts.pop() ?? '').slice(0, -end.length);
    for (const part of parts) add(part, atMs);
    rest = isWhole ? '' : last;
  }
  add(rest, texts.at(-1)?.atMs ?? 0);
  return { stream, at_ms };
}

function toPiece(text: string): Piece {
  const [, event, data] = /^(?:event: ([^\r\n]*)\n)?data: ([^\r\n]*)\n\n$/.exec(text) ?? [];
  if (data === undefined) return text;
  const json = parsed(data);
  const piece: Piece = { ...(event !== undefined && { event }), data: isExact(json, data) ? json : data };
  return pieceText(piece) === text ? piece : text;
}

function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  const { event, data } = piece;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** A text in JSON would not be told from the text itself. */
function isExact(json: unknown, text: string): boolean {
  return typeof json === 'object' && json !== null && JSON.stringify(json) === text;
}

/** Only objects and lists: `12` is as well a text. */
function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || isDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What is nested deeper is kept as text: nobody reads it, and walking through it would end in the stack. */
const MAX_DEPTH = 200;

/** True if a text of JSON is nested too deeply to be told apart. */
export function isDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
