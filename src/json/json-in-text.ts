// Finds JSON in text, often written by a model: bare, in a fenced block, or in the middle of prose.

import { completeContainer } from './json-scan.ts';
import { parseJson } from './parse-json.ts';

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

/** Parses only texts that could be JSON: a failed parse costs more than looking at both ends. */
function parseWhole(text: string): FoundJson | undefined {
  const trimmed = text.trim();
  const start = trimmed.charCodeAt(0);
  const end = trimmed.charCodeAt(trimmed.length - 1);
  if (start === OPEN_BRACE) return end === CLOSE_BRACE ? parseJson(trimmed) : undefined;
  if (start === OPEN_BRACKET) return end === CLOSE_BRACKET ? parseJson(trimmed) : undefined;
  if (start === QUOTE) return end === QUOTE ? parseJson(trimmed) : undefined;
  return /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(trimmed) ? parseJson(trimmed) : undefined;
}

function findFenced(text: string): FoundJson | undefined {
  let unmarked: FoundJson | undefined;
  for (const { language, content } of fencedBlocks(text)) {
    const isMarked = /^json[c5l]?$/i.test(language);
    if (!isMarked && unmarked !== undefined) continue;
    const found = parseWhole(content);
    if (found === undefined) continue;
    if (isMarked) return found;
    // A number or a word in a code block counts as JSON only if the block is marked as JSON.
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
    // A block of several lines is closed only by a fence at the start of a line. JSON strings have no line breaks, so
    // that fence is never inside one. Without a match ahead there is no later match either: stop searching.
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
  return range === undefined ? undefined : parseJson(text.slice(range.start, range.end));
}

const [QUOTE, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d] as const;
