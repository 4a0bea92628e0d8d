// Finds the JSON that an agent was asked for in the text of its answer.

import { isObject } from '../json/is-object.ts';
import { listJsonKeys } from '../json/json-scan.ts';
import { readModelReply } from '../json/model-json.ts';

/**
 * Finds the one object in an answer that has any of these fields. An answer may quote other objects first. If several
 * objects differ, or one of them cannot be read, the answer is ambiguous and has no reply. Text in `<think>` at the beginning does
 * not count.
 */
export function findReply(
  output: unknown,
  fields: readonly string[],
): { reply?: Record<string, unknown>; isAmbiguous?: true } {
  if (isObject(output)) return { reply: output };
  if (typeof output !== 'string') return {};
  const { objects, thoughtObjects, prose, broken, lateThoughts, isUnfinished } = readModelReply(output);
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
    objects.some((json) => wrapsOther(json, reply, fields)) ||
    prose.some((text) => quotedMention(fields).test(text) || contradicts(text, reply, fields)) ||
    [...broken, ...lateThoughts].some((text) => anyMention(fields).test(text));
  return isAmbiguous ? { isAmbiguous } : { reply };
}

function saysTwice(json: string, fields: readonly string[]): boolean {
  const keys = listJsonKeys(json).filter((key) => fields.includes(key));
  return new Set(keys).size < keys.length;
}

/** True if the object is no reply but has another one inside: `{"result": {"passed": false}}`. */
function wrapsOther(json: string, reply: Record<string, unknown>, fields: readonly string[]): boolean {
  const top = JSON.parse(json) as Record<string, unknown>;
  // Details inside a reply are its own.
  if (fields.some((field) => Object.hasOwn(top, field))) return false;
  const open: unknown[] = Object.values(top);
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner !== 'object' || inner === null) continue;
    const values = new Map(Object.entries(inner));
    if (fields.some((field) => isOther(values.get(field), reply[field]))) return true;
    for (const value of values.values()) open.push(value);
  }
  return false;
}

/** Texts are not compared: a quoted object may have a message of its own. */
function isOther(value: unknown, stated: unknown): boolean {
  return (
    typeof value === typeof stated &&
    typeof value !== 'string' &&
    typeof value !== 'object' &&
    value !== stated
  );
}

const QUOTE = '(?:["\'“”‘’`]|&quot;|&#34;)';

/** `"passed":`, in whatever quotes, escaped or not. */
function quotedMention(fields: readonly string[]): RegExp {
  return new RegExp(`${QUOTE}(?:${fields.join('|')})\\\\*${QUOTE}\\s*:`, 'i');
}

/** The same, or without quotes, which does not occur in prose. */
function anyMention(fields: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$-])(?:${fields.join('|')})\\\\*${QUOTE}?\\s*:`, 'i');
}

/** True if the prose gives a field another value: `passed: false`, `["passed", false]`, `dict(passed=False)`, `score: 0.1`. */
function contradicts(text: string, reply: Record<string, unknown>, fields: readonly string[]): boolean {
  const given = new RegExp(
    `(?<![\\w$-])(${fields.join('|')})${QUOTE}?\\s*[:=,]\\s*(true|false|[01](?:\\.\\d+)?)(?![\\w/%])`,
    'gi',
  );
  for (const [, field = '', value = ''] of text.matchAll(given)) {
    const stated = reply[field.toLowerCase()];
    if (isOther(JSON.parse(value.toLowerCase()), stated)) return true;
  }
  return false;
}
