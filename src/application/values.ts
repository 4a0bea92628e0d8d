// The values of settings: text from flags and environment, or values of a configuration file.

import { messageOf } from '../errors.ts';
import type { TapeSetting } from '../model/settings.ts';
import { durationPattern, parseDuration } from '../text/duration.ts';
import { isObject } from '../json/is-object.ts';
import { compilePattern } from '../platform/regex.ts';

/** A value that was understood, or what is wrong with it. */
export type Parsed<T> = { value: T } | { problem: string };

export type Parse<T> = {
  (raw: unknown): Parsed<T>;
  /** What a configuration file should say, as JSON Schema; text that stands for a value is understood, too. */
  schema: { readonly [keyword: string]: unknown };
};

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Parse<number> {
  const parse = (raw: unknown): Parsed<number> => {
    const value = typeof raw === 'string' && /^\d+$/.test(raw.trim()) ? Number(raw) : raw;
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (isWhole && value > max)
      return { problem: `must be at most ${max.toLocaleString('en')}, not ${show(raw)}` };
    if (isWhole && value >= min) return { value };
    return { problem: `must be a whole number of at least ${min}, not ${show(raw)}` };
  };
  return Object.assign(parse, { schema: { type: 'integer', minimum: min, maximum: max } });
}

/** A percentage from 0 to 100, with or without its sign. */
export function aPercentage(raw: unknown): Parsed<number> {
  const isText = typeof raw === 'string' && /^\s*\d+(?:\.\d+)?\s*%?\s*$/.test(raw);
  const value = isText ? Number(raw.replace('%', '')) : raw;
  if (typeof value === 'number' && value > 0 && value < 1) {
    return {
      problem: `is a percentage: ${show(raw)} would be less than one in a hundred; write ${value * 100} for ${value}`,
    };
  }
  if (typeof value === 'number' && value >= 0 && value <= 100) return { value };
  return { problem: `must be a percentage from 0 to 100, not ${show(raw)}` };
}
aPercentage.schema = { anyOf: [{ const: 0 }, { type: 'number', minimum: 1, maximum: 100 }] };

/** A Go duration as milliseconds. */
export function aTimeout(raw: unknown): Parsed<number> {
  if (typeof raw !== 'string') return { problem: `must be a duration such as "30s", not ${show(raw)}` };
  try {
    return { value: parseDuration(raw.trim()) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
aTimeout.schema = { type: 'string', pattern: durationPattern() };

/** True or false, also as words of the environment. */
export function aSwitch(raw: unknown): Parsed<boolean> {
  if (typeof raw === 'boolean') return { value: raw };
  const word = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
  if (['1', 'on', 'true', 'yes'].includes(word)) return { value: true };
  if (['0', 'off', 'false', 'no'].includes(word)) return { value: false };
  return { problem: `must be true or false, not ${show(raw)}` };
}
aSwitch.schema = { type: 'boolean' };

/** Text that is not empty. */
export function someText(raw: unknown): Parsed<string> {
  if (typeof raw !== 'string') return { problem: `must be text, not ${show(raw)}` };
  return raw.trim() === '' ? { problem: 'must not be empty' } : { value: raw };
}
someText.schema = { type: 'string', pattern: '\\S' };

/** A file, or the address of a PostgreSQL server; what is refused may hold a password, and is not shown. */
export const aStore: Parse<string> = Object.assign(
  (raw: unknown): Parsed<string> => {
    const parsed = someText(raw);
    if ('problem' in parsed) return parsed;
    const place = parsed.value.trim();
    const scheme = /^([a-z][a-z\d+.-]+):/i.exec(place)?.[1]?.toLowerCase();
    if (scheme === undefined) return { value: place };
    if (/^postgres(?:ql)?$/.test(scheme) && /^\w+:\/\//.test(place))
      return { value: place.replace(/^\w+/, scheme) };
    return { problem: 'must be a file, or an address like postgres://user@host/database' };
  },
  { schema: { type: 'string', minLength: 1 } },
);

/** One text or several. */
export function aList(raw: unknown): Parsed<string[]> {
  const items: unknown[] = Array.isArray(raw) ? raw : [raw];
  const value: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return { problem: `must be text or a list of texts, not ${show(raw)}` };
    value.push(item);
  }
  return { value };
}
aList.schema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

/** Named sets of values of variables. */
export function somePresets(raw: unknown): Parsed<Record<string, Record<string, string | number | boolean>>> {
  const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  const isSet = (set: unknown): boolean => isObject(set) && Object.values(set).every(isValue);
  if (isObject(raw) && Object.values(raw).every(isSet))
    // Just checked.
    return { value: raw as Record<string, Record<string, string | number | boolean>> };
  return {
    problem: `must be sets of values by name, like { "fast": { "Temperature": 0 } }, not ${show(raw)}`,
  };
}
somePresets.schema = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
};

/** A number above 0. */
export function aFactor(raw: unknown): Parsed<number> {
  const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return { value };
  return { problem: `must be a number above 0, such as 1 or 2.5, not ${show(raw)}` };
}
aFactor.schema = { type: 'number', exclusiveMinimum: 0 };

const TAPE_KEYS = ['allow', 'ignore', 'replace'];

/** Rules of recordings: names that are ignored, patterns that are replaced, addresses that are allowed. */
export function someTapeRules(raw: unknown): Parsed<TapeSetting> {
  const wanted = `must be like { "ignore": ["session_id"], "replace": [{ "pattern": "v\\\\d+", "with": "v" }], "allow": ["localhost:5432"] }, not ${show(raw)}`;
  if (!isObject(raw)) return { problem: wanted };
  const unknown = Object.keys(raw).find((key) => !TAPE_KEYS.includes(key));
  if (unknown !== undefined)
    return { problem: `has an unknown key "${unknown}"; there are ${TAPE_KEYS.join(', ')}` };
  const areTexts = (value: unknown): boolean =>
    value === undefined || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  const { allow, ignore, replace = [] } = raw;
  if (!areTexts(allow) || !areTexts(ignore) || !Array.isArray(replace)) return { problem: wanted };
  for (const rule of replace) {
    const isRule = isObject(rule) && typeof rule['pattern'] === 'string' && typeof rule['with'] === 'string';
    if (!isRule) return { problem: wanted };
    const pattern = aPattern(rule['pattern']);
    if ('problem' in pattern) return pattern;
  }
  return { value: raw };
}
someTapeRules.schema = {
  type: 'object',
  properties: {
    allow: { type: 'array', items: { type: 'string' } },
    ignore: { type: 'array', items: { type: 'string' } },
    replace: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pattern: { type: 'string' }, with: { type: 'string' } },
        required: ['pattern', 'with'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** A pattern in RE2 syntax; the text is kept. */
export function aPattern(raw: unknown): Parsed<string> {
  if (typeof raw !== 'string') return { problem: `must be a pattern, not ${show(raw)}` };
  try {
    compilePattern(raw);
    return { value: raw };
  } catch (error) {
    return { problem: `${show(raw)} is not a valid pattern: ${messageOf(error)}` };
  }
}
aPattern.schema = { type: 'string' };

function show(raw: unknown): string {
  return JSON.stringify(raw) ?? String(raw);
}
