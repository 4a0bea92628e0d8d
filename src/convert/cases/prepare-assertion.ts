// An assertion with the files it names read, and its templates filled in for one case.

import { isObject } from '../../json/is-object.ts';
import type { Losses } from '../losses.ts';
import type { Folders } from '../source/files.ts';
import { fileReference, isCode } from '../source/files.ts';
import type { Source } from '../source/source.ts';
import { member, withValue } from '../source/source.ts';
import { readValueFile } from '../source/value-file.ts';
import { TemplateError } from '../template/expression.ts';
import { fillValue } from './fill.ts';
import type { Variables } from './variables.ts';

type Prepared = { source: Source; names: string[] };
type Options = { losses: Losses; folders: Folders };

/** Types whose value is looked at while it is converted, so that it has to be the final text. */
const LOOKED_AT = ['javascript', 'python', 'regex', 'word-count'];
const CODE = ['javascript', 'python', 'ruby'];

/** Undefined if it is lost. */
export async function prepareAssertion(
  source: Source,
  vars: Variables,
  options: Options,
): Promise<Prepared | undefined> {
  const { value: fields } = source;
  if (!isObject(fields)) return { source, names: [] };
  if (Array.isArray(fields['assert'])) return prepareSet(source, fields, vars, options);
  const type = String(fields['type']).replace(/^not-/, '');
  try {
    const value = await loadValue(fields['value'], type, source, options);
    if (value === LOST) return undefined;
    const isRendered = LOOKED_AT.includes(type);
    const filled = isFile(value) ? { value, names: [] } : fillValue(value, vars, { isRendered });
    const metric = fillValue(fields['metric'], vars, { isRendered: true });
    const isUnescaped = isRendered && typeof filled.value === 'string';
    const kept = isUnescaped ? String(filled.value).replaceAll(String.raw`\{{`, '{{') : filled.value;
    const next = {
      ...fields,
      ...('value' in fields && { value: kept }),
      ...('metric' in fields && { metric: metric.value }),
    };
    return { source: withValue(source, next), names: filled.names };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return void options.losses.missing(
      source.at('value'),
      `assert: ${String(fields['type'])}`,
      `the template cannot be computed: ${error.message}`,
    );
  }
}

async function prepareSet(
  source: Source,
  fields: Record<string, unknown>,
  vars: Variables,
  options: Options,
): Promise<Prepared> {
  const inner = Array.isArray(fields['assert']) ? fields['assert'] : [];
  const prepared = await Promise.all(
    inner.map((_, index) => prepareAssertion(member(source, 'assert', index), vars, options)),
  );
  const assert = prepared.map((one, index): unknown => one?.source.value ?? inner[index]);
  return {
    source: withValue(source, { ...fields, assert }),
    names: prepared.flatMap((one) => one?.names ?? []),
  };
}

const LOST = Symbol('lost');

/** Files of values are read; files of code stay names. */
async function loadValue(
  value: unknown,
  type: string,
  source: Source,
  { losses, folders }: Options,
): Promise<unknown> {
  if (Array.isArray(value))
    return Promise.all(
      value.map((item) => (isFile(item) ? readValueFile(String(item), source.at('value'), folders) : item)),
    );
  if (!isFile(value) || CODE.includes(type)) return value;
  const file = fileReference(value, folders);
  if (file !== undefined && isCode(file.path)) {
    losses.missing(
      source.at('value'),
      `assert: ${type}: ${String(value)}`,
      'the expected value is made by code',
      'write it into the case, or use a script',
    );
    return LOST;
  }
  return readValueFile(String(value), source.at('value'), folders);
}

function isFile(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('file://');
}
