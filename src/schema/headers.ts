// HTTP headers: names and values.

import { isObject } from '../json/is-object.ts';
import type { Shape } from './shape.ts';

type HeaderValue = string | number | boolean;

/** An object of header names and values; numbers and booleans are sent as text. */
export const headers: Shape<Record<string, HeaderValue>> = {
  check(value, findings) {
    if (!isObject(value)) return findings.wrong('an object of names and values', value);
    for (const name in value) {
      findings.path.push(name);
      const content = value[name];
      const isText = ['boolean', 'number', 'string'].includes(typeof content);
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) findings.rule('is not the name of a header');
      if (!isText) findings.wrong('text', content);
      else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(content)))
        findings.rule('has characters that no header may have');
      findings.path.pop();
    }
  },
  schema: () => ({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }),
};

/** The same value with its headers as they are sent. */
export function withHeaderTexts<T extends { headers?: Record<string, HeaderValue> }>(
  value: T,
): Omit<T, 'headers'> & { headers?: Record<string, string> } {
  const { headers: values, ...others } = value;
  if (values === undefined) return others;
  const texts = Object.entries(values).map(([name, text]) => [name, String(text)] as const);
  return { ...others, headers: Object.fromEntries(texts) };
}
