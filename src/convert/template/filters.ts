// The filters of Nunjucks that depend on nothing but their input.

import { isObject } from '../../json/is-object.ts';
import { TemplateError } from './expression.ts';
import { scalarText } from './scalar-text.ts';

type Filter = (input: unknown, given: unknown[]) => unknown;

export const FILTERS: Record<string, Filter> = {
  abs: (input) => Math.abs(Number(input)),
  capitalize(input) {
    const text = asText(input).toLowerCase();
    return text.charAt(0).toUpperCase() + text.slice(1);
  },
  d: byDefault,
  default: byDefault,
  dump: (input, [indent]) => JSON.stringify(input, null, typeof indent === 'number' ? indent : undefined),
  escape(input) {
    // A prompt is no page.
    if (/[&<>"']/.test(asText(input))) throw new TemplateError('the filter "escape" writes entities of HTML');
    return asText(input);
  },
  first: (input) => asList(input)[0],
  float: (input) => Number.parseFloat(asText(input)),
  int: (input) => Number.parseInt(asText(input), 10),
  join: (input, [separator]) =>
    asList(input)
      .map(asText)
      .join(separator === undefined ? '' : asText(separator)),
  last: (input) => asList(input).at(-1),
  length(input) {
    if (input === undefined || input === null) return 0;
    return isObject(input) ? Object.keys(input).length : asList(input).length;
  },
  list: (input) => asList(input),
  load(input) {
    try {
      return JSON.parse(asText(input)) as unknown;
    } catch {
      throw new TemplateError('the filter "load" gets a text that is no JSON');
    }
  },
  lower: (input) => asText(input).toLowerCase(),
  replace(input, [from, to]) {
    return asText(input).replaceAll(asText(from), () => asText(to));
  },
  reverse: (input) =>
    typeof input === 'string' ? Array.from(input).reverse().join('') : [...asList(input)].reverse(),
  round: (input) => Math.round(Number(input)),
  safe: (input) => input,
  sort: (input) => [...asList(input)].sort((a, b) => (asText(a) < asText(b) ? -1 : 1)),
  string: asText,
  title: (input) =>
    asText(input)
      .split(' ')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
      .join(' '),
  tojson: (input) => JSON.stringify(input),
  trim: (input) => asText(input).trim(),
  upper: (input) => asText(input).toUpperCase(),
};
/** The default takes the place of what is not there; with `true`, of everything that counts as false. */
function byDefault(input: unknown, [other, isForFalse]: unknown[]): unknown {
  if (isForFalse === true) return input || other;
  return input === undefined ? other : input;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = scalarText(value);
  if (text === undefined) throw new TemplateError('a filter for texts gets a list or an object');
  return text;
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return Array.from(value);
  if (value === undefined || value === null) return [];
  throw new TemplateError('a filter for lists gets something else');
}
