// Finds where JSON starts and ends inside other text. JSON.parse does not report where it failed, and trying it at every
// brace takes quadratic time; this scanner learns from each failed attempt which other starts fail as well.

/** A part of a text: `end` is the first position after it. */
type Range = { start: number; end: number };

type Scan =
  | { status: 'complete'; range: Range }
  /** `open` has the starts of the unclosed containers; `inner` is the first complete container inside. */
  | { status: 'broken'; at: number; open: number[]; inner: Range | undefined };

/** The range of the first `{…}` or `[…]` in the text that is valid JSON. */
export function completeContainer(text: string): Range | undefined {
  // A brace inside a string of a failed attempt may start valid JSON and is tried again; the budget limits that.
  let budget = 8 * text.length + 1000;
  let hopeless: Uint8Array | undefined;
  const opening = /[{[]/g;

  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    if (hopeless?.[match.index] === 1) continue;
    const scan = scanContainer(text, match.index);
    if (scan.status === 'complete') return scan.range;
    if (scan.inner !== undefined) return scan.inner;

    // Scanning from any of these starts fails at the same position.
    if (scan.open.length > 1) hopeless ??= new Uint8Array(text.length);
    if (hopeless !== undefined) for (const start of scan.open) hopeless[start] = 1;
    budget -= scan.at - match.index;
    if (budget < 0) return undefined;
  }
  return undefined;
}

/** Reads one object or array by JSON's grammar. An explicit stack makes deep nesting safe. */
export function scanContainer(text: string, start: number): Scan {
  const open = [start];
  let inner: Range | undefined;
  let at = start + 1;
  let expects: 'first' | 'item' | 'separator' = 'first';

  for (;;) {
    at = skipSpace(text, at);
    const code = text.charCodeAt(at);
    const container = open.at(-1) ?? start;
    const inObject = text.charCodeAt(container) === OPEN_BRACE;

    if (expects !== 'item' && code === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      open.pop();
      at++;
      if (open.length === 0) return { status: 'complete', range: { start, end: at } };
      if (inner === undefined || container < inner.start) inner = { start: container, end: at };
      expects = 'separator';
      continue;
    }
    if (expects === 'separator') {
      if (code !== COMMA) return { status: 'broken', at, open, inner };
      expects = 'item';
      at++;
      continue;
    }

    const valueAt = inObject ? skipKey(text, at) : at;
    const valueCode = valueAt < 0 ? NaN : text.charCodeAt(valueAt);
    if (valueCode === OPEN_BRACE || valueCode === OPEN_BRACKET) {
      open.push(valueAt);
      at = valueAt + 1;
      expects = 'first';
      continue;
    }
    const end = valueAt < 0 ? valueAt : skipScalar(text, valueAt);
    if (end < 0) return { status: 'broken', at: ~end, open, inner };
    at = end;
    expects = 'separator';
  }
}

/** Lists the keys of a JSON object in order, duplicates included; JSON.parse drops all but the last duplicate. */
export function listJsonKeys(object: string): string[] {
  const keys: string[] = [];
  let at = skipSpace(object, 1);
  while (object.charCodeAt(at) === QUOTE) {
    keys.push(JSON.parse(object.slice(at, skipString(object, at))) as string);
    const valueAt = skipKey(object, at);
    const scan = '{['.includes(object.charAt(valueAt)) ? scanContainer(object, valueAt) : undefined;
    const end = scan?.status === 'complete' ? scan.range.end : skipScalar(object, valueAt);
    at = skipSpace(object, end);
    if (object.charCodeAt(at) === COMMA) at = skipSpace(object, at + 1);
  }
  return keys;
}

// The skip functions return the position after the skipped part, or `~position` (negative) of the first syntax error.

/** The position of the value after `"key":`. */
function skipKey(text: string, at: number): number {
  const end = skipString(text, at);
  if (end < 0) return end;
  const colon = skipSpace(text, end);
  return text.charCodeAt(colon) === COLON ? skipSpace(text, colon + 1) : ~colon;
}

/** The position after a string, number, true, false or null. */
function skipScalar(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return skipString(text, at);
  SCALAR.lastIndex = at;
  return SCALAR.test(text) ? SCALAR.lastIndex : ~at;
}

function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) return ~at;
  for (let index = at + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code < SPACE) return ~index;
    if (code !== BACKSLASH) continue;
    ESCAPE.lastIndex = index;
    if (!ESCAPE.test(text)) return ~index;
    index = ESCAPE.lastIndex - 1;
  }
  return ~text.length;
}

/** The position of the quote that closes a JSON string whose content begins at `start`, or -1. Does not check the content. */
export function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (end - backslashes > start && text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/** The position of the next character that is not white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== SPACE && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const [SPACE, QUOTE, COMMA, COLON] = [0x20, 0x22, 0x2c, 0x3a] as const;
const [OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [
  0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
] as const;
