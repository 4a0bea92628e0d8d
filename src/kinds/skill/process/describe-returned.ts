// Reads counts and errors from the value that a test returned, as plain JSON.

import { cut, showValue, readText } from './describe-thrown.ts';
import type { Count, Returned } from '../messages.ts';

const MAX_ERRORS = 1000;
/** Limit for all errors together. */
const MAX_CHARACTERS = 1_000_000;

/** Reads the returned value; may throw if a getter throws. */
export function describeReturned(value: unknown): Returned {
  if (value === undefined || value === null) return { kind: 'nothing' };
  if (typeof value !== 'object' || Array.isArray(value)) return { kind: 'other', shown: showValue(value) };
  const { passed, failed, errors }: { passed?: unknown; failed?: unknown; errors?: unknown } = value;
  return { kind: 'counts', passed: toCount(passed), failed: toCount(failed), errors: errorMessages(errors) };
}

function toCount(value: unknown): Count {
  if (value === undefined || value === null) return undefined;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : showValue(value);
}

function errorMessages(value: unknown): string[] {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return [];
  const list: unknown[] = Array.isArray(value) ? value : value instanceof Set ? [...value] : [value];
  const texts: string[] = [];
  let characters = 0;
  for (const error of list) {
    const text = typeof error === 'string' ? cut(error) : (readText(error, 'message') ?? showValue(error));
    characters += text.length;
    if (texts.length >= MAX_ERRORS || characters > MAX_CHARACTERS) {
      texts.push(`… and ${String(list.length - texts.length)} more errors`);
      break;
    }
    texts.push(text === '' ? 'an error without a message' : cut(text));
  }
  return texts;
}
