// Parsers of options: text from flags and the environment, or values of a configuration file, become checked values.

import { messageOf } from '../../errors.ts';
import { parseClusterRule } from '../../model/cluster.ts';
import type { CaseOrder } from '../../model/case-order.ts';
import { CASE_ORDERS } from '../../model/case-order.ts';
import type { TapeSetting } from '../../model/settings.ts';
import { durationPattern, parseDuration } from '../../text/duration.ts';
import { isObject } from '../../json/is-object.ts';
import { isTexts } from '../../json/is-texts.ts';
import { compilePattern } from '../../platform/regex.ts';
import { didYouMean } from '../../text/nearest.ts';
import { groupDigits } from '../../text/group-digits.ts';

/** The value, or the problem with it. */
export type Parsed<T> = { value: T } | { problem: string };

export type Parse<T> = {
  (raw: unknown): Parsed<T>;
  /** JSON Schema of the value in a configuration file. The parser also takes the same value written as text. */
  schema: { readonly [keyword: string]: unknown };
};

/** A whole number from `min` to `max`. */
export function parseWhole(min: number, max = Number.MAX_SAFE_INTEGER): Parse<number> {
  const parse = (raw: unknown): Parsed<number> => {
    const value = typeof raw === 'string' && /^\d+$/.test(raw.trim()) ? Number(raw) : raw;
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (isWhole && value > max) return { problem: `must be at most ${groupDigits(max)}, not ${show(raw)}` };
    if (isWhole && value >= min) return { value };
    return { problem: `must be a whole number of at least ${min}, not ${show(raw)}` };
  };
  return Object.assign(parse, { schema: { type: 'integer', minimum: min, maximum: max } });
}

/** A number of runs, or `auto`. */
export function parseRuns(raw: unknown): Parsed<number | 'auto'> {
  if (typeof raw === 'string' && raw.trim().toLowerCase() === 'auto') return { value: 'auto' };
  const isWord = typeof raw === 'string' && !/\d/.test(raw);
  return isWord
    ? { problem: `must be a whole number of at least 1, or auto, not ${show(raw)}` }
    : wholeRuns(raw);
}
const wholeRuns = parseWhole(1, 1_000_000);
parseRuns.schema = { anyOf: [wholeRuns.schema, { const: 'auto' }] };

/** How sure an answer is: a share from 0.5 to 0.9999, or a percentage with its sign. */
export function parseConfidence(raw: unknown): Parsed<number> {
  const isPercent = typeof raw === 'string' && /^\s*\d+(?:\.\d+)?\s*%\s*$/.test(raw);
  const text = typeof raw === 'string' && /^\s*0?\.\d+\s*$/.test(raw) ? Number(raw) : raw;
  const value = isPercent ? Number(raw.replace('%', '')) / 100 : text;
  if (typeof value === 'number' && value >= 0.5 && value <= 0.9999) return { value };
  return { problem: `must be a share from 0.5 to 0.9999, such as 0.95, not ${show(raw)}` };
}
parseConfidence.schema = { type: 'number', minimum: 0.5, maximum: 0.9999 };

/** One of these words. */
export function parseWord<Word extends string>(...words: Word[]): Parse<Word> {
  const parse = (raw: unknown): Parsed<Word> => {
    const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
    const value = words.find((one) => one === word);
    return value === undefined ? { problem: `must be ${words.join(' or ')}, not ${show(raw)}` } : { value };
  };
  return Object.assign(parse, { schema: { enum: words } });
}

/** A percentage from 0 to 100, with or without the % sign. */
export function parsePercentage(raw: unknown): Parsed<number> {
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
parsePercentage.schema = { anyOf: [{ const: 0 }, { type: 'number', minimum: 1, maximum: 100 }] };

/** A Go duration as milliseconds. */
export function parseTimeout(raw: unknown): Parsed<number> {
  if (typeof raw !== 'string') return { problem: `must be a duration such as "30s", not ${show(raw)}` };
  try {
    return { value: parseDuration(raw.trim()) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
parseTimeout.schema = { type: 'string', pattern: durationPattern() };

/** True or false, or one of the words for them that environment variables use. */
export function parseBoolean(raw: unknown): Parsed<boolean> {
  if (typeof raw === 'boolean') return { value: raw };
  const word = typeof raw === 'string' ? raw.trim().toLowerCase() : '';
  if (['1', 'on', 'true', 'yes'].includes(word)) return { value: true };
  if (['0', 'off', 'false', 'no'].includes(word)) return { value: false };
  return { problem: `must be true or false, not ${show(raw)}` };
}
parseBoolean.schema = { type: 'boolean' };

/** Text that is not empty. */
export function parseText(raw: unknown): Parsed<string> {
  if (typeof raw !== 'string') return { problem: `must be text, not ${show(raw)}` };
  return raw.trim() === '' ? { problem: 'must not be empty' } : { value: raw };
}
parseText.schema = { type: 'string', pattern: '\\S' };

/** Text about a run, short enough for a list. */
export function parseNote(raw: unknown): Parsed<string> {
  const text = parseText(raw);
  if ('problem' in text) return text;
  const value = text.value.trim();
  if (value.length <= LONGEST_NOTE) return { value };
  return { problem: `must have at most ${LONGEST_NOTE} characters, and has ${groupDigits(value.length)}` };
}
const LONGEST_NOTE = 500;
parseNote.schema = { type: 'string', pattern: '\\S', maxLength: LONGEST_NOTE };

/** The order in which cases run. */
export function parseOrder(raw: unknown): Parsed<CaseOrder> {
  const value = CASE_ORDERS.find((order) => order === raw);
  if (value !== undefined) return { value };
  const choices = CASE_ORDERS.join(', ');
  const similar = typeof raw === 'string' ? didYouMean(raw, CASE_ORDERS) : undefined;
  return {
    problem: `must be one of ${choices}, not ${show(raw)}${similar === undefined ? '' : `; ${similar}`}`,
  };
}
parseOrder.schema = { enum: CASE_ORDERS };

/** The path of a file, or `off`, which `--no-…` means. */
export function parseFileOrOff(raw: unknown): Parsed<string> {
  return raw === false ? { value: 'off' } : parseText(raw);
}
parseFileOrOff.schema = { anyOf: [{ const: false }, { type: 'string', pattern: '\\S' }] };

/** A file, or the address of a PostgreSQL server. The problem does not quote the text: it may hold a password. */
export const parseStore: Parse<string> = Object.assign(
  (raw: unknown): Parsed<string> => {
    const parsed = parseText(raw);
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

/** One text, or a list of them. */
export function parseList(raw: unknown): Parsed<string[]> {
  const items: unknown[] = Array.isArray(raw) ? raw : [raw];
  const value: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return { problem: `must be text or a list of texts, not ${show(raw)}` };
    value.push(item);
  }
  return { value };
}
parseList.schema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

/** Whole numbers from 1, in order and once each: `1,3,5`. */
export function parseCounts(raw: unknown): Parsed<number[]> {
  const items: unknown[] = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [raw];
  const parse = parseWhole(1, 1_000_000);
  const value: number[] = [];
  for (const item of items) {
    const parsed = parse(item);
    if ('problem' in parsed) return { problem: `must be whole numbers from 1 like 1,3,5, not ${show(raw)}` };
    value.push(parsed.value);
  }
  return { value: [...new Set(value)].sort((a, b) => a - b) };
}
parseCounts.schema = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 1_000_000 } };

/** The groups of related cases. */
export function parseCluster(raw: unknown): Parsed<string> {
  if (typeof raw === 'string' && parseClusterRule(raw.trim()) !== undefined) return { value: raw.trim() };
  return { problem: `must be tag:<prefix>, test or variable:<name>, not ${show(raw)}` };
}
parseCluster.schema = { type: 'string', pattern: '^(test|(tag|variable):.*\\S.*)$' };

/** Tags, one or several to a text. */
export function parseTags(raw: unknown): Parsed<string[]> {
  const parsed = parseList(raw);
  if ('problem' in parsed) return parsed;
  const tags = parsed.value.flatMap((text) => text.split(',')).map((tag) => tag.trim());
  return { value: tags.filter((tag) => tag !== '') };
}
parseTags.schema = parseList.schema;

/** Gates, one or several to a text. A text without one is a mistake: it would silently gate nothing. */
export function parseGates(raw: unknown): Parsed<string[]> {
  const parsed = parseTags(raw);
  const isEmpty = (text: unknown): boolean =>
    typeof text === 'string' && text.replaceAll(',', '').trim() === '';
  return 'value' in parsed && [raw].flat().some(isEmpty) ? { problem: 'must not be empty' } : parsed;
}
parseGates.schema = parseList.schema;

/** Sets of values of variables, by name. */
export function parsePresets(
  raw: unknown,
): Parsed<Record<string, Record<string, string | number | boolean>>> {
  const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  const isSet = (set: unknown): boolean => isObject(set) && Object.values(set).every(isValue);
  if (isObject(raw) && Object.values(raw).every(isSet))
    // The line above has checked it.
    return { value: raw as Record<string, Record<string, string | number | boolean>> };
  return {
    problem: `must be sets of values by name, like { "fast": { "Temperature": 0 } }, not ${show(raw)}`,
  };
}
parsePresets.schema = {
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
};

/** A number above 0. */
export function parsePositive(raw: unknown): Parsed<number> {
  const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return { value };
  return { problem: `must be a number above 0, such as 1 or 2.5, not ${show(raw)}` };
}
parsePositive.schema = { type: 'number', exclusiveMinimum: 0 };

/** An amount of US dollars above 0, with or without the $ sign. */
export function parseDollars(raw: unknown): Parsed<number> {
  const parsed = parsePositive(typeof raw === 'string' ? raw.trim().replace(/^\$/, '') : raw);
  return 'value' in parsed
    ? parsed
    : { problem: `must be an amount of dollars, such as "$5" or 0.5, not ${show(raw)}` };
}
parseDollars.schema = {
  anyOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', pattern: '^\\s*\\$?\\d*\\.?\\d+\\s*$' },
  ],
};

/** A chance from 0.0001 to 0.5. */
export function parseLevel(raw: unknown): Parsed<number> {
  const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value === 'number' && value >= 0.0001 && value <= 0.5) return { value };
  return { problem: `must be a chance from 0.0001 to 0.5, such as 0.05, not ${show(raw)}` };
}
parseLevel.schema = { type: 'number', minimum: 0.0001, maximum: 0.5 };

/** Points of a pass rate, from 0 to 100. */
export function parsePoints(raw: unknown): Parsed<number> {
  const value = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof value === 'number' && value >= 0 && value <= 100) return { value };
  return { problem: `must be points from 0 to 100, such as 5, not ${show(raw)}` };
}
parsePoints.schema = { type: 'number', minimum: 0, maximum: 100 };

/** True, or a number of fresh runs. */
export function parseConfirm(raw: unknown): Parsed<number | true> {
  if (raw === true || raw === 'true') return { value: true };
  const parsed = parseWhole(1, 100)(raw);
  return 'value' in parsed
    ? parsed
    : { problem: `must be a number of fresh runs from 1 to 100, not ${show(raw)}` };
}
parseConfirm.schema = { anyOf: [{ const: true }, { type: 'integer', minimum: 1, maximum: 100 }] };

const FAIL_ON = ['any-drop', 'undecided'] as const;

/** What makes a comparison fail besides a verdict of worse. */
export function parseFailOn(raw: unknown): Parsed<(typeof FAIL_ON)[number][]> {
  const items: unknown[] = typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : [raw].flat();
  const value = FAIL_ON.filter((one) => items.includes(one));
  const unknown = items.find((item) => !(FAIL_ON as readonly unknown[]).includes(item));
  if (unknown === undefined && items.length > 0) return { value };
  return { problem: `must be "undecided" or "any-drop", or both with a comma, not ${show(raw)}` };
}
parseFailOn.schema = { type: 'array', items: { enum: FAIL_ON } };

const TAPE_KEYS = ['allow', 'ignore', 'replace'];

/** Rules for comparing recordings: names to ignore, patterns to replace, addresses to allow. */
export function parseTapeRules(raw: unknown): Parsed<TapeSetting> {
  const wanted = `must be like { "ignore": ["session_id"], "replace": [{ "pattern": "v\\\\d+", "with": "v" }], "allow": ["localhost:5432"] }, not ${show(raw)}`;
  if (!isObject(raw)) return { problem: wanted };
  const unknown = Object.keys(raw).find((key) => !TAPE_KEYS.includes(key));
  if (unknown !== undefined)
    return { problem: `has an unknown key "${unknown}"; there are ${TAPE_KEYS.join(', ')}` };
  const areTexts = (value: unknown): boolean => value === undefined || isTexts(value);
  const { allow, ignore, replace = [] } = raw;
  if (!areTexts(allow) || !areTexts(ignore) || !Array.isArray(replace)) return { problem: wanted };
  for (const rule of replace) {
    const isRule = isObject(rule) && typeof rule['pattern'] === 'string' && typeof rule['with'] === 'string';
    if (!isRule) return { problem: wanted };
    const pattern = parsePattern(rule['pattern']);
    if ('problem' in pattern) return pattern;
  }
  return { value: raw };
}
parseTapeRules.schema = {
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

/** A pattern in RE2 syntax; the value is its text. */
export function parsePattern(raw: unknown): Parsed<string> {
  if (typeof raw !== 'string') return { problem: `must be a pattern, not ${show(raw)}` };
  try {
    compilePattern(raw);
    return { value: raw };
  } catch (error) {
    return { problem: `${show(raw)} is not a valid pattern: ${messageOf(error)}` };
  }
}
parsePattern.schema = { type: 'string' };

function show(raw: unknown): string {
  return JSON.stringify(raw) ?? String(raw);
}

/** True for `./a`, `../a` and `/a`. */
export function isExplicitPath(name: string): boolean {
  return /^\.{0,2}[/\\]/.test(name);
}

/** True for a path of several parts; a program without one is looked for in PATH. */
export function hasSlash(name: string): boolean {
  return /[/\\]/.test(name);
}
