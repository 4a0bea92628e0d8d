// Secrets come in, their places in texts come out: in time linear in the texts, whatever they are.

import { Automaton } from './automaton.ts';
import {
  fold,
  isBreak,
  isEscape,
  mayHaveEscapes,
  MIN_SECRET,
  readEscape,
  writtenForms,
} from './written-forms.ts';

/** A part of texts; positions count through all of them. */
export type Range = { from: number; to: number };

/** Some forms of secrets, ready to be searched for, and the length of the longest. */
type Index = { forms: string[]; longest: number; forward: Automaton; backward: Automaton };

/** Knows secrets and finds them, however they are written. */
export class SecretSearch {
  readonly #known = new Set<string>();
  #fresh: string[] = [];
  /** Marks for every four characters in the first and the last eight of a form. */
  #marks: Uint8Array | undefined;
  /** Each has more forms than all later ones together, so that learning one by one is cheap. */
  readonly #indexes: Index[] = [];

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Adds secrets. Texts that are too short are left out: they would hide ordinary words. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < MIN_SECRET) continue;
      for (const form of writtenForms(secret).map(foldText)) {
        if (form.length < MIN_SECRET || this.#known.has(form)) continue;
        this.#known.add(form);
        this.#fresh.push(form);
      }
    }
  }

  /** Cheap test that is never false for a text with a secret, or with the rest of one at a cut. */
  mayHold(text: string): boolean {
    if (text.length < MIN_SECRET) return false;
    this.#build();
    if (this.#marks === undefined) return false;
    if (SPECIAL.test(text)) return true;
    // Eight characters hold five times four, so that it takes a look at every fifth position only.
    for (let at = MARKED; at <= text.length - MARKED; at += MIN_SECRET - MARKED + 1)
      if (this.#marks[markAt(text, at)] === 1) return true;
    return false;
  }

  /**
   * Finds the secrets in texts that continue each other, and the rest of one at a place where a text was cut: its
   * beginning before the end of a text or an ellipsis, or its end after the start of a text or an ellipsis.
   */
  find(texts: readonly string[]): Range[] {
    this.#build();
    const found: Range[] = [];
    const isDecoded = texts.some(mayHaveEscapes);
    const isUnindented = texts.some(mayBeIndented);
    for (const index of this.#indexes) {
      searchForward(texts, index, { isDecoded: false, isUnindented: false }, found);
      if (isDecoded) searchForward(texts, index, { isDecoded, isUnindented: false }, found);
      if (isUnindented) searchForward(texts, index, { isDecoded, isUnindented }, found);
      searchStarts(texts, index, found);
    }
    return found;
  }

  #build(): void {
    if (this.#fresh.length === 0) return;
    const forms = this.#fresh;
    this.#fresh = [];
    this.#marks ??= new Uint8Array(1 << 20);
    for (const form of forms)
      for (const end of [form.slice(0, MIN_SECRET), form.slice(-MIN_SECRET)])
        for (let at = 0; at <= MIN_SECRET - MARKED; at += 1) this.#marks[markAt(end, at)] = 1;
    for (let last = this.#indexes.at(-1); last !== undefined && last.forms.length <= forms.length;) {
      for (const form of last.forms) forms.push(form);
      this.#indexes.pop();
      last = this.#indexes.at(-1);
    }
    this.#indexes.push({
      forms,
      longest: forms.reduce((longest, { length }) => Math.max(longest, length), 0),
      forward: new Automaton(forms),
      backward: new Automaton(forms.map(reverse)),
    });
  }
}

/** Line breaks, escapes and JSON, in which the characters of a secret need not follow each other. */
const SPECIAL = /[\n\r\\%{]/;
const MARKED = 4;

function markAt(text: string, at: number): number {
  let mark = 0;
  for (let index = at; index < at + MARKED; index += 1)
    mark = (Math.imul(mark, 0x9e35) + fold(text.charCodeAt(index))) & 0xfffff;
  return mark;
}

function foldText(form: string): string {
  let folded = '';
  for (let at = 0; at < form.length; at += 1) {
    const code = form.charCodeAt(at);
    if (!isBreak(code)) folded += String.fromCharCode(fold(code));
  }
  return folded;
}

function reverse(text: string): string {
  let reversed = '';
  for (let at = text.length - 1; at >= 0; at -= 1) reversed += text.charAt(at);
  return reversed;
}

type Reading = {
  /** Reads escapes as the characters that they stand for. */
  isDecoded: boolean;
  /** Skips white space around line breaks: a key may be wrapped over lines that are indented. */
  isUnindented: boolean;
};

/** More white space around a line break ends what was read of a secret. */
const MAX_INDENT = 200;

function searchForward(
  texts: readonly string[],
  { forward, longest }: Index,
  { isDecoded, isUnindented }: Reading,
  found: Range[],
): void {
  const { depth, longest: longestWord } = forward;
  /** Where the last characters began; line breaks and escapes make them differ from the positions before. */
  const starts = new Int32Array(longest);
  let count = 0;
  let state = 0;
  let base = 0;
  const add = (length: number, to: number): void => {
    found.push({ from: starts[(count - length) % longest] ?? 0, to });
  };
  const take = (code: number, from: number, to: number): void => {
    state = forward.next(state, fold(code));
    if (state === 0) return;
    starts[count % longest] = from;
    count += 1;
    const length = longestWord[state] ?? 0;
    if (length > 0) add(length, to);
  };

  /** White space that is not read yet, because a line break may follow. */
  let spaces: Space[] = [];
  let indent = 0;
  let isBroken = false;
  const isSkipped = (code: number, from: number, to: number): boolean => {
    if (!isSpace(code)) {
      if (!isBroken) for (const space of spaces) take(space.code, space.from, space.to);
      if (indent > MAX_INDENT) state = 0;
      if (indent > 0) spaces = [];
      indent = 0;
      isBroken = false;
      return false;
    }
    indent += 1;
    if (!isBroken && indent <= MAX_INDENT) spaces.push({ code, from, to });
    return true;
  };

  for (const text of texts) {
    for (let at = 0; at < text.length;) {
      const start = at;
      let code: number | undefined = text.charCodeAt(at);
      at += 1;
      if (isDecoded && isEscape(code)) ({ code, end: at } = readEscape(text, start));
      if (code === undefined || isBreak(code)) {
        isBroken = true;
        continue;
      }
      if (isUnindented && isSkipped(code, base + start, base + at)) continue;
      take(code, base + start, base + at);
      const length = depth[state] ?? 0;
      if (length >= MIN_SECRET && longestWord[state] === 0 && isCutAt(text, at)) add(length, base + at);
    }
    base += text.length;
  }
}

type Space = Range & { code: number };

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** True if a text may have white space around a line break. */
function mayBeIndented(text: string): boolean {
  return INDENTED.test(text);
}

const INDENTED = /[\n\r][ \t]|[ \t][\n\r]|\\[nr]|%0[ad]/i;

/** True if the text ends here or goes on with an ellipsis. */
function isCutAt(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  if (code !== ELLIPSIS && code !== DOT && code > SPACE) return false;
  CUT.lastIndex = at;
  return CUT.test(text);
}

const CUT = /\s{0,20}(?:…|\.\.\.|$)/y;
const [TAB, SPACE, DOT, ELLIPSIS] = [0x09, 0x20, 0x2e, 0x2026] as const;

/** Finds ends of secrets at the start of a text and after an ellipsis. */
function searchStarts(texts: readonly string[], index: Index, found: Range[]): void {
  let base = 0;
  for (const text of texts) {
    let start = 0;
    for (const { index: end, 0: ellipsis } of text.matchAll(RESUMED)) {
      searchStart(text, { from: start, to: end }, index, base, found);
      start = end + ellipsis.length;
    }
    searchStart(text, { from: start, to: text.length }, index, base, found);
    base += text.length;
  }
}

const RESUMED = /(?:…|\.\.\.)\s{0,20}/g;

/** Reads backwards, so that the last state has the longest end of a secret that starts here. */
function searchStart(
  text: string,
  { from, to }: Range,
  { backward, longest }: Index,
  base: number,
  found: Range[],
): void {
  const last = Math.min(to, from + longest);
  if (last - from < MIN_SECRET) return;
  let state = 0;
  for (let at = last - 1; at >= from; at -= 1) state = backward.next(state, fold(text.charCodeAt(at)));
  const length = backward.depth[state] ?? 0;
  if (length >= MIN_SECRET) found.push({ from: base + from, to: base + from + length });
}
