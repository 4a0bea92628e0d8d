// Separates the JSON in a model's reply from its thoughts, from broken JSON and from the prose around it.

import { scanContainer, skipSpace } from './json-scan.ts';

type ModelReply = {
  /** The outermost JSON objects as text, in order. */
  objects: string[];
  /** Number of leading objects that belong to a thought: a `</think>` without `<think>` follows them. */
  thoughtObjects: number;
  /** All text outside objects and thoughts, including lists. */
  prose: string[];
  /** Text that starts like JSON but is not valid. */
  broken: string[];
  /** Thoughts behind something else: an answer that is quoted can look like one. */
  lateThoughts: string[];
  /** True if the text ends inside JSON or a thought. */
  isUnfinished: boolean;
};

/** A part of a reply that is not prose. A broken piece starts like JSON and has its first syntax error at `at`. */
type Piece = { start: number; end: number; isUnfinished: boolean } & (
  { type: 'end of thought' | 'list' | 'object' | 'thought' } | { type: 'broken'; at: number }
);

/** Splits a model's reply into JSON objects, prose and broken JSON. */
export function readModelReply(text: string): ModelReply {
  const reply: ModelReply = {
    objects: [],
    thoughtObjects: 0,
    prose: [],
    broken: [],
    lateThoughts: [],
    isUnfinished: false,
  };
  let from = 0;
  let hasBegun = false;
  for (const { type, start, end, isUnfinished } of scanReplyPieces(text)) {
    reply.prose.push(text.slice(from, start));
    hasBegun ||= text.slice(from, start).trim() !== '' || type !== 'thought';
    from = end;
    const piece = text.slice(start, end);
    if (type === 'thought' && hasBegun) reply.lateThoughts.push(piece);
    if (type === 'object') reply.objects.push(piece);
    if (type === 'list') reply.prose.push(piece);
    if (type === 'broken') reply.broken.push(piece);
    if (type === 'end of thought') reply.thoughtObjects = reply.objects.length;
    if (isUnfinished) reply.isUnfinished = true;
  }
  reply.prose.push(text.slice(from));
  return reply;
}

/**
 * Scans a text once, from its start, in linear time. Skips JSON inside broken JSON: its meaning depends on the broken
 * part around it.
 */
export function* scanReplyPieces(text: string): Generator<Piece> {
  const token = /[{[]|<(?<close>\/?)(?<name>think|thinking|thought|reasoning)>/gi;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { index: start, groups: { close, name } = {} } = match;
    const piece =
      name === undefined
        ? containerAt(text, start)
        : close === '/'
          ? ({ type: 'end of thought', start, end: token.lastIndex, isUnfinished: false } as const)
          : thoughtAt(text, start, name);
    if (piece === undefined) continue;
    token.lastIndex = piece.end;
    yield piece;
  }
}

function thoughtAt(text: string, start: number, name: string): Piece {
  const close = new RegExp(`</${name}>`, 'gi');
  close.lastIndex = start;
  const isUnfinished = !close.test(text);
  return { type: 'thought', start, end: isUnfinished ? text.length : close.lastIndex, isUnfinished };
}

/** Reads the JSON at a bracket; undefined if the bracket belongs to prose, as in `[see below]` or `{name}`. */
function containerAt(text: string, start: number): Piece | undefined {
  const scan = scanContainer(text, start);
  const isObject = text.charAt(start) === '{';
  if (scan.status === 'complete')
    return { type: isObject ? 'object' : 'list', ...scan.range, isUnfinished: false };
  const first = skipSpace(text, start + 1);
  KEY.lastIndex = first;
  const isAttempt = scan.at > first || (isObject && KEY.test(text));
  if (!isAttempt) return undefined;
  const end = findBrokenEnd(text, start);
  return { type: 'broken', start, at: scan.at, end: end ?? text.length, isUnfinished: end === undefined };
}

const KEY = /["']|[\w$-]+\s*:/y;

/** Quotes in broken JSON may or may not delimit strings, so the end is the later one of both readings. */
function findBrokenEnd(text: string, start: number): number | undefined {
  const plain = findClosing(text, start, false);
  const quoted = findClosing(text, start, true);
  return plain === undefined || quoted === undefined ? undefined : Math.max(plain, quoted);
}

/** The position after the bracket that closes the one at `start`; kinds of brackets are not compared. */
function findClosing(text: string, start: number, hasStrings: boolean): number | undefined {
  let depth = 0;
  let plainUntil = hasStrings ? start : text.length;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' && at >= plainUntil) {
      const end = lineOrStringEnd(text, at);
      if (text.charAt(end) === '"') at = end;
      // No closing quote on this line: this quote and the escaped ones after it do not delimit a string.
      else plainUntil = end;
    } else if (character === '{' || character === '[') {
      depth++;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function lineOrStringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"' && text.charAt(at) !== '\n')
    at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
