// One assertion of promptfoo in, one of Assay out; or a loss.

import { isObject } from '../../json/is-object.ts';
import { otherNameHint } from '../../judge/other-names.ts';
import { TYPE_NAMES } from '../../judge/registry.ts';
import type { Source } from '../source/source.ts';
import { CODE } from './code.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';
import { convertSet } from './assertion-set.ts';
import { JSON_TYPES } from './json.ts';
import { JUDGES } from './judges.ts';
import { MEASURES } from './measures.ts';
import { TEXTS } from './texts.ts';
import { TOOLS } from './tools.ts';
import { convertTransform } from './transform.ts';

/** By the type in promptfoo. Types that are not here have no equivalent; `judge/other-names.ts` has the words for them. */
export const CONVERTERS: Record<string, Converter> = {
  ...CODE,
  ...JSON_TYPES,
  ...JUDGES,
  ...MEASURES,
  ...TEXTS,
  ...TOOLS,
};

/** Fields that are read here or by a converter. */
const FIELDS = [
  'type', 'value', 'threshold', 'weight', 'metric', 'provider', 'transform', 'rubricPrompt', 'config', 'contextTransform', 'assert', 'description',
]; // prettier-ignore

/** Assertions whose verdict does not depend on the answer, which a transform could change. */
const NOT_ON_ANSWER = ['cost', 'latency', 'select-best', 'tool-call-f1'];

export function convertAssertion(source: Source, context: AssertionContext): Written | undefined {
  const at = source.at();
  const { value: fields } = source;
  if (!isObject(fields) || typeof fields['type'] !== 'string')
    return void context.losses.missing(at, 'assert', 'it has no type');
  const name = fields['type'];
  reportUnknown(fields, at, name, context);
  const written = name === 'assert-set' ? convertSet(source, context) : convertOne(fields, name, at, context);
  return written && withCommon(written, fields, at, name, context);
}

function convertOne(
  fields: Record<string, unknown>,
  name: string,
  at: string,
  context: AssertionContext,
): Written | undefined {
  const isNegated = name.startsWith('not-');
  const type = isNegated ? name.slice('not-'.length) : name;
  const what = `assert: ${name}`;
  const converter = Object.hasOwn(CONVERTERS, type) ? CONVERTERS[type] : undefined;
  if (converter === undefined) {
    const hint = otherNameHint(type, TYPE_NAMES) ?? 'promptfoo has no such assertion either';
    const [, why = hint, instead] = /^(.*?)(?:; (.*))?$/.exec(hint) ?? [];
    const isAdvice = hint.startsWith('write');
    return void context.losses.missing(
      at,
      what,
      isAdvice ? 'it is not converted' : why,
      isAdvice ? hint : instead,
    );
  }
  const { threshold, value } = fields;
  const given: GivenAssertion = {
    type,
    isNegated,
    value,
    threshold: typeof threshold === 'number' ? threshold : undefined,
    fields,
    at,
    name: what,
  };
  const written = converter(given, context);
  if (written === undefined || !isNegated) return written;
  if (written['type'] === 'contains') return { ...written, type: 'not_contains' };
  return { ...written, negate: true };
}

/** What all assertions may have. */
function withCommon(
  written: Written,
  fields: Record<string, unknown>,
  at: string,
  name: string,
  context: AssertionContext,
): Written {
  const { weight, metric, transform } = fields;
  const isChoice = written['type'] === 'select_best';
  const common: Written = {};
  // promptfoo lets an assertion of weight 0 pass whatever it finds.
  if (weight === 0 && !isChoice) common['advisory'] = true;
  else if (typeof weight === 'number' && !isChoice) common['weight'] = weight;
  if (typeof metric === 'string' && metric !== '' && !isChoice) common['metric'] = metric;
  if (transform !== undefined && !NOT_ON_ANSWER.includes(name.replace(/^not-/, ''))) {
    const code = convertTransform(transform, at, `assert: ${name}: transform`, context);
    if (code !== undefined && written['transform'] === undefined) common['transform'] = code;
    else if (code !== undefined) common['transform'] = code;
  }
  return { ...written, ...common };
}

function reportUnknown(
  fields: Record<string, unknown>,
  at: string,
  name: string,
  { losses }: AssertionContext,
): void {
  for (const field of Object.keys(fields))
    if (!FIELDS.includes(field))
      losses.missing(at, `assert: ${name}: ${field}`, 'there is no equivalent of this field');
}
