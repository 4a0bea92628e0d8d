// What somebody says in JSON, told apart from what is thought, broken off or prose around it.

import { scanContainer, skipSpace } from '../platform/json-scan.ts';

type Spoken = {
  /** The outermost objects, in their order, as JSON. */
  objects: string[];
  /** So many of them stand before the end of a thought whose beginning is not there, and were thought as well. */
  thoughtObjects: number;
  /** Everything around them but thoughts; lists are part of it. */
  prose: string[];
  /** What was to be JSON and is none, with everything inside it. */
  broken: string[];
  /** The text breaks off inside JSON or a thought. */
  isUnfinished: boolean;
};

/** A part of a text that is no plain prose; without `end` it is not finished. */
type Piece = { type: 'object' | 'list' | 'broken' | 'thought'; end: number | undefined };

/**
 * Reads a text once, from its beginning, in linear time. JSON inside of JSON that is broken is not read by itself: nobody
 * knows what would have been said about it.
 */
export function readSpoken(text: string): Spoken {
  const spoken: Spoken = { objects: [], thoughtObjects: 0, prose: [], broken: [], isUnfinished: false };
  const token = /[{[]|<(?<close>\/?)(?<name>think|thinking|thought|reasoning)>/gi;
  let from = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { index: start, groups: { close, name } = {} } = match;
    if (close === '/') {
      spoken.thoughtObjects = spoken.objects.length;
      continue;
    }
    const piece = name === undefined ? containerAt(text, start) : thoughtAt(text, start, name);
    if (piece === undefined) continue;
    spoken.prose.push(text.slice(from, start));
    from = piece.end ?? text.length;
    token.lastIndex = from;
    const said = text.slice(start, from);
    if (piece.type === 'object') spoken.objects.push(said);
    if (piece.type === 'list') spoken.prose.push(said);
    if (piece.type === 'broken') spoken.broken.push(said);
    if (piece.end === undefined) spoken.isUnfinished = true;
  }
  spoken.prose.push(text.slice(from));
  return spoken;
}

function thoughtAt(text: string, start: number, name: string): Piece {
  const close = new RegExp(`</${name}>`, 'gi');
  close.lastIndex = start;
  return { type: 'thought', end: close.test(text) ? close.lastIndex : undefined };
}

/** Nothing for a bracket of prose: `[see below]`, `{name}`. */
function containerAt(text: string, start: number): Piece | undefined {
  const scan = scanContainer(text, start);
  const isObject = text.charAt(start) === '{';
  if (scan.status === 'complete') return { type: isObject ? 'object' : 'list', end: scan.range.end };
  const first = skipSpace(text, start + 1);
  KEY.lastIndex = first;
  const isAttempt = scan.at > first || (isObject && KEY.test(text));
  return isAttempt ? { type: 'broken', end: endOfBroken(text, start) } : undefined;
}

const KEY = /["']|[\w$-]+\s*:/y;

/** Quotes in what is broken may be those of strings or not: it ends where it does either way. */
function endOfBroken(text: string, start: number): number | undefined {
  const ends = [false, true].map((hasStrings) => closingOf(text, start, hasStrings));
  const [plain, quoted] = ends;
  return plain === undefined || quoted === undefined ? undefined : Math.max(plain, quoted);
}

/** The position behind the bracket that closes the one at `start`, of whatever kind they are. */
function closingOf(text: string, start: number, hasStrings: boolean): number | undefined {
  let depth = 0;
  let plainUntil = hasStrings ? start : text.length;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' && at >= plainUntil) {
      const end = lineOrStringEnd(text, at);
      if (text.charAt(end) === '"') at = end;
      // Without another quote on the line this one is none of a string, nor are those that seemed to be escaped.
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
