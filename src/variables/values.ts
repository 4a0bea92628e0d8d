// Values of variables: check the data type, parse text from the command line, write a value as text.

import type { TestVariableDataType, TestVariableValue } from '../model/variables.ts';

/** A valid value, or why it is not valid. */
export type Checked = { value: TestVariableValue } | { problem: string };

/** A day, optionally with a time and a zone. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const TRUE = new Set(['true', '1', 'yes']);
const FALSE = new Set(['false', '0', 'no']);
const EXPECTED: Record<TestVariableDataType, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date like 2026-01-31 or 2026-01-31T12:00:00Z',
};

/** Checks a value from a file or a program. Returns dates as Date. */
export function checkValue(value: unknown, type: TestVariableDataType): Checked {
  if (type === 'date') return checkDate(value);
  const isNumber = type !== 'number' || Number.isFinite(value);
  return typeof value === type && isNumber ? { value: value as TestVariableValue } : wrong(value, type);
}

/** Parses a value from the command line: `--var Temperature=0.3`. */
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

/** True for equal values; dates are compared by their time. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}

/** A value as text, as users write it. */
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

/** `Date` turns February 30 into a day in March; here it is an error. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** Writes midnight as a day without a time. */
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
