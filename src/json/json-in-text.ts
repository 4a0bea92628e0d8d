// JSON that somebody, often a model, wrote into text: bare, in a fenced block, or in the middle of prose.

import { completeContainer } from './json-scan.ts';

/** The JSON that was found; an object, because the value may be null. */
export type FoundJson = { value: unknown };

/**
 * Finds the JSON in a text: the whole text, else the first fenced block that is JSON (those marked `json` first),
 * else the first object or array anywhere in it. Takes linear time, whatever the text.
 * @example findJson('Sure: {"a": 1}. Anything else?') // { value: { a: 1 } }
 */
export function findJson(text: string): FoundJson | undefined {
  return parseWhole(text) ?? findFenced(text) ?? findInProse(text);
}

/** Only texts that could be JSON are parsed, because a failed parse costs more than a look. */
function parseWhole(text: string): FoundJson | undefined {
  const trimmed = text.trim();
  const start = trimmed.charCodeAt(0);
  const end = trimmed.charCodeAt(trimmed.length - 1);
  if (start === OPEN_BRACE) return end === CLOSE_BRACE ? parse(trimmed) : undefined;
  if (start === OPEN_BRACKET) return end === CLOSE_BRACKET ? parse(trimmed) : undefined;
  if (start === QUOTE) return end === QUOTE ? parse(trimmed) : undefined;
  return /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(trimmed) ? parse(trimmed) : undefined;
}

function findFenced(text: string): FoundJson | undefined {
  let unmarked: FoundJson | undefined;
  for (const { language, content } of fencedBlocks(text)) {
    const isMarked = /^json[c5l]?$/i.test(language);
    if (!isMarked && unmarked !== undefined) continue;
    const found = parseWhole(content);
    if (found === undefined) continue;
    if (isMarked) return found;
    // A number or a word in a block of code is no JSON unless the block says so.
    if (typeof found.value === 'object' && found.value !== null) unmarked = found;
  }
  return unmarked;
}

function* fencedBlocks(text: string): Generator<{ language: string; content: string }> {
  let hasFenceLine = true;
  let from = text.indexOf('```');
  while (from !== -1) {
    const start = from + 3;
    const next = text.indexOf('```', start);
    if (next === -1) return;
    let end = next;
    // In a block of several lines a fence closes it at the start of a line only: JSON strings hold no line breaks, so
    // such a fence is never inside one. Once there is none ahead there is none later, which is not looked for again.
    if (hasFenceLine && text.slice(start, next).includes('\n')) {
      FENCE_LINE.lastIndex = next;
      const line = FENCE_LINE.exec(text);
      hasFenceLine = line !== null;
      end = line?.index ?? next;
    }
    const language = /^[\w+#.-]*/.exec(text.slice(start, start + 40))?.[0] ?? '';
    yield { language, content: text.slice(start + language.length, end) };
    from = text.indexOf('```', end + 3);
  }
}

const FENCE_LINE = /(?<=\n[ \t]{0,8})```/g;

function findInProse(text: string): FoundJson | undefined {
  const range = completeContainer(text);
  return range === undefined ? undefined : parse(text.slice(range.start, range.end));
}

function parse(text: string): FoundJson | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d] as const;
