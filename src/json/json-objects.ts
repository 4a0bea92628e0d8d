// Lines in, JSON objects out. The fast path is one object per line; objects over several lines are joined.

import { createBracketScanner } from './bracket-scanner.ts';
import { BadJson, parseOrExplain as parse } from './json-error.ts';

/** An object of a file or a syntax problem, with the line it starts on (from 1). */
export type ParsedObject =
  | {
      value: unknown;
      line: number;
      /** If one line makes several objects: which of them it is, from 1. */
      row?: number;
    }
  | { problem: string; line: number };

type Line = { text: string; number: number };

const BRACE = 123;
const SLASH = 47;
const HASH = 35;

/** Cap on the characters read again after broken objects, so that a hostile file does not cost quadratic time. */
const REPLAY_BUDGET = 32 * 1024 * 1024;

/** Takes lines one by one and emits the objects in them. */
export type ObjectParser = {
  take(text: string, number: number): void;
  /** Reports a line that was too long to be read; `head` is its beginning. */
  takeLong(head: string, number: number): void;
  /** Reports a line that is broken in another way. */
  takeBroken(problem: string, number: number): void;
  end(): void;
};

/** Creates the parser of one file. `maxLength` limits an object over several lines, in characters. */
// oxlint-disable-next-line max-lines-per-function -- small steps that share the state of the parser
export function createObjectParser(
  emit: (parsed: ParsedObject) => void,
  options: { maxLength: number; tooLong: string },
): ObjectParser {
  let held: Line[] = [];
  let heldLength = 0;
  let seeking = false;
  let replayed = 0;
  const scanner = createBracketScanner();

  return { take, takeLong, takeBroken, end };

  function take(text: string, number: number): void {
    replay(step(text, number));
  }

  function takeLong(head: string, number: number): void {
    if (held.length > 0) {
      replay(giveUp(options.tooLong));
    } else if (!isComment(head, firstVisible(head)) && !(seeking && head.charCodeAt(0) !== BRACE)) {
      fail(options.tooLong, number);
    }
  }

  function takeBroken(problem: string, number: number): void {
    if (held.length > 0) replay(giveUp(problem));
    else fail(problem, number);
  }

  function end(): void {
    // Lines read again may leave another object open.
    while (held.length > 0) replay(giveUp('the object is not closed'));
  }

  /** Returns the lines to read again, if an object turned out to be broken. */
  function step(text: string, number: number): Line[] | undefined {
    if (held.length > 0) return extend(text, number);
    const code = text.charCodeAt(0);
    if (seeking && code !== BRACE) return undefined;
    const start = code === BRACE ? 0 : firstVisible(text);
    if (start === text.length || isComment(text, start)) return undefined;
    if (text.charCodeAt(start) !== BRACE) {
      fail(text.charCodeAt(start) === 91 ? ARRAY : NO_OBJECT, number);
      return undefined;
    }
    seeking = false;
    if (!isOnlyBrace(text, start)) {
      const value = parse(text);
      if (!(value instanceof BadJson)) {
        emit({ value, line: number });
        return undefined;
      }
      scanner.reset();
      const found = scanner.scan(text);
      if (found === 'closed') fail(value.describe(number), number);
      else if (found !== 'open') fail(found.problem, number);
      if (found !== 'open') return undefined;
    } else {
      scanner.reset();
      scanner.scan(text);
    }
    held = [{ text, number }];
    heldLength = text.length;
    return undefined;
  }

  function extend(text: string, number: number): Line[] | undefined {
    // Strings never contain a line break, so a line that starts like a comment is a comment.
    if (isComment(text, firstVisible(text))) {
      held.push({ text: '', number });
      return undefined;
    }
    // An object cannot start here, so the one before it was never closed.
    if (text.charCodeAt(0) === BRACE && !scanner.mayHoldValue()) {
      held.push({ text, number });
      return giveUp('the object is not closed');
    }
    held.push({ text, number });
    heldLength += text.length + 1;
    if (heldLength > options.maxLength) return giveUp(options.tooLong);
    const found = scanner.scan(text);
    if (found === 'open') return undefined;
    if (found !== 'closed') return giveUp(`${found.problem} (line ${number})`);
    const first = held[0]?.number ?? number;
    const value = parse(held.map((line) => line.text).join('\n'));
    if (value instanceof BadJson) return giveUp(value.describe(first));
    emit({ value, line: first });
    held = [];
    return undefined;
  }

  function giveUp(problem: string): Line[] {
    const [first, ...rest] = held;
    held = [];
    fail(problem, first?.number ?? 0);
    replayed += heldLength;
    return replayed > REPLAY_BUDGET ? [] : rest;
  }

  function fail(problem: string, line: number): void {
    emit({ problem, line });
    seeking = true;
  }

  function replay(lines: Line[] | undefined): void {
    if (lines === undefined || lines.length === 0) return;
    const waiting = lines.reverse();
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      const again = step(line.text, line.number);
      if (again !== undefined) for (const next of again.reverse()) waiting.push(next);
    }
  }
}

const NO_OBJECT = 'expected a JSON object starting with "{"';
const ARRAY = `${NO_OBJECT}, not a list: write one object a line, without the list around them, or name the file .json`;

function firstVisible(text: string): number {
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code !== 32 && (code < 9 || code > 13)) break;
    index++;
  }
  return index;
}

function isComment(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  return code === HASH || (code === SLASH && text.charCodeAt(start + 1) === SLASH);
}

function isOnlyBrace(text: string, start: number): boolean {
  return text.length - start <= 2 && (text.length === start + 1 || text.charCodeAt(start + 1) === 13);
}
