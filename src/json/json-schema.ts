// JSON Schema: compiled once per schema, with patterns that take linear time.

import { createRequire } from 'node:module';
import type { ErrorObject, Options } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { memoize } from '../platform/memoize.ts';
import { compilePattern } from '../platform/regex.ts';
import { quote } from '../text/quote.ts';
import { isObject } from './is-object.ts';

/** Says what is wrong with a value, each error after its place: `/a must be number`; nothing if the value is valid. */
type Validate = (value: unknown) => string[];

/** Words of other dialects of JSON Schema that only describe; any other unknown keyword is taken for a mistake. */
const DESCRIBING = ['example', 'externalDocs', 'xml'];

const load = createRequire(import.meta.url);

/**
 * Compiles a schema of the draft it names in `$schema`, by default 2020-12; throws an Error that says what is wrong.
 * `isLenient` leaves keywords alone that nobody knows, which otherwise are mistakes.
 */
export function compileSchema(schema: unknown, { isLenient = false } = {}): Validate {
  // The text is the key because every attempt brings its own copy of the schema.
  const text = JSON.stringify(schema);
  return isLenient ? compileLeniently(text) : compileStrictly(text);
}

const compileStrictly = memoize((text: string) => compile(text, STRICT), { size: 200 });
const compileLeniently = memoize((text: string) => compile(text, LENIENT), { size: 200 });

function compile(text: string, options: Options): Validate {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'boolean' && !isObject(schema)) throw new Error(`${quote(schema)} is no JSON Schema`);
  const { $async: isAsync, $schema: draft } = isObject(schema) ? schema : {};
  if (isAsync === true) throw new Error('"$async" is not supported');

  // Two schemas may have the same `$id`, which an instance takes once only; any other schema shares one that is warm.
  const ajv = text.includes('"$id"') ? createAjv(draft, options) : sharedAjv(draft, options);
  const validate = ajv.compile(schema);
  // What is compiled is kept here, so the instance need not keep it too.
  if (isObject(schema)) ajv.removeSchema(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(describe));
}

const strictAjv = memoize((draft: unknown) => createAjv(draft, STRICT), { size: 2 });
const lenientAjv = memoize((draft: unknown) => createAjv(draft, LENIENT), { size: 2 });

function sharedAjv(draft: unknown, options: Options) {
  return options === STRICT ? strictAjv(draft) : lenientAjv(draft);
}

/** An instance for a draft; loading it takes 100 ms, so it is done when a schema asks for it. */
function createAjv(draft: unknown, options: Options) {
  const ajv = newAjv(draft, options);
  for (const keyword of DESCRIBING) ajv.addKeyword(keyword);
  // Casts, here and below, because require has no types.
  const { default: addFormats } = load('ajv-formats') as { default: FormatsPlugin };
  addFormats(ajv);
  return ajv;
}

function newAjv(draft: unknown, options: Options) {
  switch (typeof draft === 'string' ? draft.replace(/#$/, '') : draft) {
    case undefined:
    case 'https://json-schema.org/draft/2020-12/schema': {
      const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
      return new Ajv2020(options);
    }
    case 'http://json-schema.org/draft-07/schema': {
      const { Ajv } = load('ajv') as typeof import('ajv');
      return new Ajv(options);
    }
    default:
      throw new Error(`unknown "$schema" ${quote(draft)}; draft 2020-12 and draft-07 are supported`);
  }
}

/** Ajv tells patterns apart by their text form; without one of their own they would all be the first. */
const linearRegExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source);
    return { test: (text: string) => pattern.test(text), toString: () => `/${source}/u` };
  },
  { code: 'compilePattern' },
);

const STRICT: Options = {
  allErrors: true,
  // An unknown keyword is a mistake, which would otherwise make every answer right; the other strict rules are taste.
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  logger: false,
  code: { regExp: linearRegExp },
};

const LENIENT: Options = { ...STRICT, strictSchema: false };

function describe({ instancePath, message, keyword, params }: ErrorObject): string {
  const extra: unknown =
    keyword === 'enum' ? params['allowedValues'] : keyword === 'const' ? params['allowedValue'] : undefined;
  const detail =
    keyword === 'additionalProperties'
      ? quote(params['additionalProperty'])
      : extra === undefined
        ? ''
        : quote(extra);
  return `${instancePath} ${message ?? 'is not valid'}${detail === '' ? '' : `: ${detail}`}`.trimStart();
}
