// What somebody says in JSON, told apart from what is thought, broken off or prose around it.

import { scanContainer, skipSpace } from './json-scan.ts';

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

/** A part of a text that is no plain prose: what is broken was to be JSON, and is none from `at` on. */
type Piece = { start: number; end: number; isUnfinished: boolean } & (
  { type: 'end of thought' | 'list' | 'object' | 'thought' } | { type: 'broken'; at: number }
);

/** Tells what a text says in JSON. */
export function readSpoken(text: string): Spoken {
  const spoken: Spoken = { objects: [], thoughtObjects: 0, prose: [], broken: [], isUnfinished: false };
  let from = 0;
  for (const { type, start, end, isUnfinished } of spokenPieces(text)) {
    spoken.prose.push(text.slice(from, start));
    from = end;
    const said = text.slice(start, end);
    if (type === 'object') spoken.objects.push(said);
    if (type === 'list') spoken.prose.push(said);
    if (type === 'broken') spoken.broken.push(said);
    if (type === 'end of thought') spoken.thoughtObjects = spoken.objects.length;
    if (isUnfinished) spoken.isUnfinished = true;
  }
  spoken.prose.push(text.slice(from));
  return spoken;
}

/**
 * Reads a text once, from its beginning, in linear time. JSON inside of JSON that is broken is not read by itself: nobody
 * knows what would have been said about it.
 */
export function* spokenPieces(text: string): Generator<Piece> {
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

/** Nothing for a bracket of prose: `[see below]`, `{name}`. */
function containerAt(text: string, start: number): Piece | undefined {
  const scan = scanContainer(text, start);
  const isObject = text.charAt(start) === '{';
  if (scan.status === 'complete')
    return { type: isObject ? 'object' : 'list', ...scan.range, isUnfinished: false };
  const first = skipSpace(text, start + 1);
  KEY.lastIndex = first;
  const isAttempt = scan.at > first || (isObject && KEY.test(text));
  if (!isAttempt) return undefined;
  const end = endOfBroken(text, start);
  return { type: 'broken', start, at: scan.at, end: end ?? text.length, isUnfinished: end === undefined };
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
