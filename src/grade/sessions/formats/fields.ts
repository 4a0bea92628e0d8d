// Reads fields of values that another program wrote: nothing in them is trusted to have the right type.

import { isObject } from '../../../json/is-object.ts';
import type { Fields } from '../session-file.ts';

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text of a message: a text, or parts of which those with a text count. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = listOf(content).map(({ text, content: inner }) => textOf(text) ?? textOf(inner) ?? '');
  return texts.filter((text) => text !== '').join('\n');
}
