// JSON Schema: compiled once per schema, with patterns that take linear time.

import { createRequire } from 'node:module';
import type { ErrorObject, Options } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { memoize } from '../platform/memoize.ts';
import { compilePattern } from '../platform/regex.ts';
import { quote } from '../text/quote.ts';
import { isObject } from './is-object.ts';
import { explainOverflow, refuseLargeSchema } from './schema-limits.ts';

/** Lists the errors of a value, each with its path: `/a must be number`. Empty if the value is valid. */
type Validate = (value: unknown) => string[];

/** Annotations of other dialects of JSON Schema; any other unknown keyword is an error. */
const ANNOTATIONS = ['example', 'externalDocs', 'xml'];

const load = createRequire(import.meta.url);

/**
 * Compiles a schema of the draft named in `$schema`, by default 2020-12; throws an Error if the schema is not valid.
 * `isLenient` ignores unknown keywords, which are errors otherwise.
 */
export function compileSchema(schema: unknown, { isLenient = false } = {}): Validate {
  // The cache key is the text because every attempt has its own copy of the schema.
  const text = JSON.stringify(schema);
  return isLenient ? compileLeniently(text) : compileStrictly(text);
}

const compileStrictly = memoize((text: string) => compile(text, STRICT), { size: 200 });
const compileLeniently = memoize((text: string) => compile(text, LENIENT), { size: 200 });

function compile(text: string, options: Options): Validate {
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== 'boolean' && !isObject(schema))
    throw new Error(`${quote(schema)} is not a JSON Schema`);
  refuseLargeSchema(schema);
  const { $async: isAsync, $schema: draft } = isObject(schema) ? schema : {};
  if (isAsync === true) throw new Error('"$async" is not supported');

  // An Ajv instance accepts each `$id` only once, so schemas with an `$id` get an instance of their own.
  const ajv = text.includes('"$id"') ? createAjv(draft, options) : sharedAjv(draft, options);
  const validate = explainOverflow(() => ajv.compile(schema));
  // The result is memoized here; the instance does not have to keep the schema as well.
  if (isObject(schema)) ajv.removeSchema(schema);
  return (value) => (explainOverflow(() => validate(value)) ? [] : (validate.errors ?? []).map(describe));
}

const strictAjv = memoize((draft: unknown) => createAjv(draft, STRICT), { size: 2 });
const lenientAjv = memoize((draft: unknown) => createAjv(draft, LENIENT), { size: 2 });

function sharedAjv(draft: unknown, options: Options) {
  return options === STRICT ? strictAjv(draft) : lenientAjv(draft);
}

/** Creates an instance for a draft. Loading Ajv takes 100 ms, so it waits for the first schema. */
function createAjv(draft: unknown, options: Options) {
  const ajv = newAjv(draft, options);
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
  // `require` has no types, hence the casts here and below.
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

/** Ajv caches patterns by `toString()`; without their own text all patterns would be equal to the first. */
const linearRegExp = Object.assign(
  (source: string) => {
    const pattern = compilePattern(source);
    return { test: (text: string) => pattern.test(text), toString: () => `/${source}/u` };
  },
  { code: 'compilePattern' },
);

const STRICT: Options = {
  allErrors: true,
  // A misspelled keyword would accept every answer, so unknown keywords are errors. The other strict rules are style.
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
