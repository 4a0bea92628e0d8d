// Patterns of file names. They are matched in linear time, so that no pattern can hang a run.

import { compilePattern } from './regex.ts';

/** A pattern, split at the first folder whose name is not fixed. */
export type Glob = {
  /** The fixed folders that it starts with; empty if there are none. */
  folder: string;
  /** Matches at least what the pattern does below that folder, with whole names as wildcards only. */
  coarse: string;
  /** It names files or folders that start with a dot. */
  hasDots: boolean;
  /** True for a path, from that folder, that the pattern matches. */
  matches(path: string): boolean;
};

const MAX_LENGTH = 4096;
/** A range of numbers may have as many. */
const MAX_RANGE = 1000;

/**
 * Compiles a pattern with `*`, `?`, `**`, `[a-z]`, `{a,b}`, `{1..3}`, `+(a|b)`, `?(a)`, `*(a)` and `@(a|b)`. Throws an
 * Error that says what is wrong with it.
 */
export function compileGlob(glob: string): Glob {
  if (glob.length > MAX_LENGTH) throw new Error(`is longer than ${MAX_LENGTH} characters`);
  const segments = splitSegments(glob);
  const first = segments.findIndex(isMagic);
  const fixed = segments.slice(0, Math.max(first, 0)).map((segment) => segment.replaceAll(/\\(.)/gs, '$1'));
  const rest = first === -1 ? segments : segments.slice(first);
  const expression = translate(rest.join('/'));
  return {
    folder: fixed.length === 1 && fixed[0] === '' ? '/' : fixed.join('/'),
    coarse: coarsen(rest),
    hasDots: /(?:^|[/{,(|])\./.test(rest.join('/')),
    matches: (path) => compilePattern(`(?s)^(?:${expression})$`).test(path),
  };
}

const OPEN: Record<string, string> = { '{': '}', '(': ')' };

/** Splits at slashes that are in no braces or parentheses. */
function splitSegments(glob: string): string[] {
  const closing = pairBrackets(glob);
  const segments: string[] = [];
  let from = 0;
  for (let at = 0; at < glob.length; at += 1) {
    if (glob[at] === '\\') at += 1;
    else if (closing.has(at)) at = closing.get(at) ?? at;
    else if (glob[at] === '/') {
      segments.push(glob.slice(from, at));
      from = at + 1;
    }
  }
  return [...segments, glob.slice(from)];
}

/** The position of the bracket that closes each one that is closed. */
function pairBrackets(glob: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob.charAt(at);
    if (character === '\\') at += 1;
    else if (character in OPEN) open.push(at);
    else if (open.length > 0 && character === OPEN[glob.charAt(open.at(-1) ?? 0)])
      pairs.set(open.pop() ?? 0, at);
  }
  return pairs;
}

function isMagic(segment: string): boolean {
  return /[*?[{(]/.test(segment.replaceAll(/\\./gs, ''));
}

/** Everything is searched from the first `**` on, and from names that may hold slashes. */
function coarsen(segments: readonly string[]): string {
  const coarse: string[] = [];
  for (const segment of segments) {
    if (segment === '**' || segment.includes('/')) return [...coarse, '**'].join('/');
    coarse.push(isMagic(segment) ? '*' : segment);
  }
  return coarse.join('/');
}

/** The RE2 pattern of a glob. */
function translate(glob: string): string {
  const closing = pairBrackets(glob);
  const groups: { end: number; separator: string; suffix: string }[] = [];
  let out = '';
  const open = (at: number, separator: string, suffix: string): void => {
    groups.push({ end: closing.get(at) ?? 0, separator, suffix });
    out += '(?:';
  };
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob.charAt(at);
    const group = groups.at(-1);
    if (group !== undefined && at === group.end) {
      groups.pop();
      out += `)${group.suffix}`;
    } else if (group !== undefined && character === group.separator) {
      out += '|';
    } else if ('?*+@!'.includes(character) && glob[at + 1] === '(' && closing.has(at + 1)) {
      if (character === '!') throw new Error('has "!(…)", which is not supported');
      at += 1;
      open(at, '|', character === '@' ? '' : character);
    } else if (character === '(' && closing.has(at)) {
      open(at, '|', '');
    } else if (character === '{' && closing.has(at)) {
      const content = glob.slice(at + 1, closing.get(at));
      const range = expandRange(content);
      if (range !== undefined) {
        out += range;
        at += content.length + 1;
      } else if (content.includes(',')) open(at, ',', '');
      else out += escape('{');
    } else if (character === '[' || character === '*') {
      const { text, end } = character === '*' ? readStars(glob, at) : readClass(glob, at);
      out += text;
      at = end - 1;
    } else if (character === '?') {
      out += '[^/]';
    } else {
      if (character === '\\') at += 1;
      out += escape(glob.charAt(at));
    }
  }
  return out;
}

type Part = { text: string; end: number };

/** `**` as a whole name stands for any number of folders. */
function readStars(glob: string, at: number): Part {
  let end = at;
  while (glob[end] === '*') end += 1;
  const isWhole = end - at > 1 && (at === 0 || glob[at - 1] === '/');
  if (isWhole && glob[end] === '/') return { text: '(?:[^/]+/)*', end: end + 1 };
  return { text: isWhole && end === glob.length ? '.+' : '[^/]*', end };
}

function readClass(glob: string, at: number): Part {
  const [whole, negation = '', content = ''] =
    /^\[([!^]?)(\]?(?:\[:\w+:\]|[^\]])*)\]/s.exec(glob.slice(at)) ?? [];
  if (whole === undefined) return { text: escape('['), end: at + 1 };
  const safe = content.replaceAll(/\[(?!:)|[\\^&~]/g, String.raw`\$&`).replace(/^\]/, String.raw`\]`);
  return { text: negation === '' ? `[${safe}]` : `[^/${safe}]`, end: at + whole.length };
}

/** `1..3` and `a..c`; undefined for other text. */
function expandRange(content: string): string | undefined {
  const [, from = '', to = ''] = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])$/.exec(content) ?? [];
  const isNumeric = /\d$/.test(from) && /\d$/.test(to);
  if (from === '' || (!isNumeric && from.length + to.length > 2)) return undefined;
  const [start, end] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const [low, high] = start < end ? [start, end] : [end, start];
  if (high - low >= MAX_RANGE) throw new Error(`has a range of more than ${MAX_RANGE} values: {${content}}`);
  const values = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  return `(?:${values.map((value) => (isNumeric ? String(value) : escape(String.fromCharCode(value)))).join('|')})`;
}

function escape(character: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
}
