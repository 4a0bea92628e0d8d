// Values of variables: whether one is of a data type, what a text on the command line means, how one is shown.

import type { TestVariableDataType, TestVariableValue } from '../model/variables.ts';

/** A value, or why it is none. */
export type Checked = { value: TestVariableValue } | { problem: string };

/** Day, or day and time with a zone or without. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const TRUE = new Set(['true', '1', 'yes']);
const FALSE = new Set(['false', '0', 'no']);
const EXPECTED: Record<TestVariableDataType, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date like 2026-01-31 or 2026-01-31T12:00:00Z',
};

/** Checks a value of a file or a program. A date comes out as a Date. */
export function checkValue(value: unknown, type: TestVariableDataType): Checked {
  if (type === 'date') return checkDate(value);
  const isNumber = type !== 'number' || Number.isFinite(value);
  return typeof value === type && isNumber ? { value: value as TestVariableValue } : wrong(value, type);
}

/** Reads a value that was typed: `--var Temperature=0.3`. */
export function parseValue(text: string, type: TestVariableDataType): Checked {
  switch (type) {
    case 'string':
      return { value: text };
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      return Number.isFinite(value) ? { value } : wrong(text, type);
    }
    case 'boolean': {
      const word = text.trim().toLowerCase();
      if (TRUE.has(word)) return { value: true };
      return FALSE.has(word) ? { value: false } : wrong(text, type);
    }
    case 'date':
      return checkDate(text.trim());
  }
}

/** True for values that mean the same; dates by their time. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

/** A value as people write it. */
export function valueText(value: TestVariableValue): string {
  return value instanceof Date ? dateText(value) : String(value);
}

function checkDate(value: unknown): Checked {
  const isDate = value instanceof Date;
  if (!isDate && (typeof value !== 'string' || !ISO_DATE.test(value))) return wrong(value, 'date');
  const date = isDate ? value : new Date(value);
  const isReal = !Number.isNaN(date.getTime()) && (isDate || isOnCalendar(value));
  return isReal ? { value: date } : wrong(value, 'date');
}

/** February 30 is in March for `Date`, and nowhere for people. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A day without time stays one. */
function dateText(date: Date): string {
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

function wrong(value: unknown, type: TestVariableDataType): Checked {
  return { problem: `expected ${EXPECTED[type]}, got ${shown(value)}` };
}

function shown(value: unknown): string {
  if (value instanceof Date) return 'an invalid date';
  return JSON.stringify(value) ?? String(value);
}
