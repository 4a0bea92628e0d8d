// Finds the JSON that an agent was asked for in the text of its answer.

import { isObject } from '../json/is-object.ts';
import { listJsonKeys } from '../json/json-scan.ts';
import { readModelReply } from '../json/model-json.ts';

/**
 * Finds the one object in an answer that has any of these fields. An answer may quote other objects first. If several
 * objects differ, or one of them cannot be read, the answer is ambiguous and has no reply. Text in `<think>` does not count.
 */
export function findReply(
  output: unknown,
  fields: readonly string[],
): { reply?: Record<string, unknown>; isAmbiguous?: true } {
  if (isObject(output)) return { reply: output };
  if (typeof output !== 'string') return {};
  const { objects, thoughtObjects, prose, broken, isUnfinished } = readModelReply(output);
  const meant = objects.flatMap((json, index) => {
    // The scanned text is JSON and begins with a brace.
    const value = JSON.parse(json) as Record<string, unknown>;
    return fields.some((field) => Object.hasOwn(value, field)) ? [{ value, json, index }] : [];
  });
  const reply = meant.findLast(({ index }) => index >= thoughtObjects)?.value;
  if (reply === undefined) return {};
  const said = JSON.stringify(reply);
  const isAmbiguous =
    isUnfinished ||
    meant.some(({ value, json }) => JSON.stringify(value) !== said || saysTwice(json, fields)) ||
    prose.some((text) => quotedMention(fields).test(text)) ||
    broken.some((text) => anyMention(fields).test(text));
  return isAmbiguous ? { isAmbiguous } : { reply };
}

function saysTwice(json: string, fields: readonly string[]): boolean {
  const keys = listJsonKeys(json).filter((key) => fields.includes(key));
  return new Set(keys).size < keys.length;
}

/** `"passed":`, in whatever quotes, escaped or not. */
function quotedMention(fields: readonly string[]): RegExp {
  return new RegExp(`["'“”‘’](?:${fields.join('|')})\\\\*["'“”‘’]\\s*:`, 'i');
}

/** The same, or without quotes, which does not occur in prose. */
function anyMention(fields: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$-])(?:${fields.join('|')})\\\\*["'“”‘’]?\\s*:`, 'i');
}
