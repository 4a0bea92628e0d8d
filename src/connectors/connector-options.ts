// The shape of a connector's file. Other programs share these files, so fields that are not listed are accepted.

import { isObject } from '../json/is-object.ts';
import { addressProblem } from '../json/yao-file.ts';
import type { Connector, ConnectorType } from '../model/connector.ts';
import { textHeaders } from '../schema/headers.ts';
import type { Fields, FieldTypes } from '../schema/object.ts';
import { object, optional, record, required } from '../schema/object.ts';
import type { Shape } from '../schema/shape.ts';
import { anything, integer, number, oneOf, stringFor, that, withRule } from '../schema/values.ts';

const TYPES: readonly ConnectorType[] = ['anthropic', 'google', 'module', 'openai'];

/** Environment variables from the providers' own documentation, for hints. */
const KEY_VARIABLES = {
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  openai: 'OPENAI_API_KEY',
};

const text = stringFor('text');
const atLeastOne = integer('a whole number of at least 1', { minimum: 1 });
const key = withRule(text, (value) =>
  /^[\x21-\x7e]+$/.test(value) ? undefined : 'has characters that no key may have',
);
const address = optional(withRule(text, addressProblem, {}, 'write https://host or https://host/path/'));
const stop = that<string | string[]>(
  'text or a list of texts',
  {},
  (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string')),
);
const price = that<NonNullable<Connector['price']>>(
  'two amounts',
  {},
  (value) => isObject(value) && isAmount(value['input']) && isAmount(value['output']),
  'write {"input": 2.5, "output": 10}: US dollars per million tokens',
);

/** Defaults for every call of the model. */
const CALL_OPTIONS = {
  extra_body: optional(record(anything)),
  frequency_penalty: optional(number),
  max_completion_tokens: optional(atLeastOne),
  max_tokens: optional(atLeastOne),
  presence_penalty: optional(number),
  response_format: optional(record(anything)),
  seed: optional(integer('a whole number')),
  stop: optional(stop),
  temperature: optional(number),
  thinking: optional(record(anything)),
  top_k: optional(number),
  top_p: optional(number),
};

const OPTIONS = {
  ...CALL_OPTIONS,
  azure: optional(anything),
  concurrency: optional(atLeastOne),
  file: optional(text),
  headers: optional(textHeaders),
  host: address,
  key: optional(key),
  model: optional(text),
  price: optional(price),
  proxy: address,
};

export type ConnectorOptions = FieldTypes<typeof OPTIONS>;

/** The shape of a connector's file; its type and options decide which options it must have. */
export function connectorShape({ type, options }: Record<string, unknown>): Shape {
  const typeField = required(oneOf(...TYPES), undefined, `the types are ${TYPES.join(', ')}`);
  const knownType = TYPES.find((name) => name === type);
  if (knownType === undefined) return object({ type: typeField }, { others: 'free' });
  const fields = { ...OPTIONS, ...requiredOptions(knownType, isObject(options) ? options : {}) };
  return object(
    { type: typeField, options: required(object(fields, { others: 'free' })) },
    { others: 'free' },
  );
}

function requiredOptions(type: ConnectorType, { host, proxy }: ConnectorOptions): Fields {
  if (type === 'module') return { file: required(text, undefined, 'write "file": "./model.ts"') };
  const model = required(text, undefined, 'write the name that the model has at its provider');
  const isLocal = type === 'openai' && (host ?? proxy) !== undefined;
  if (isLocal) return { model };
  const hint = `write "key": "$ENV.${KEY_VARIABLES[type]}"`;
  return { model, key: required(key, undefined, type === 'openai' ? `${hint}, or give a host` : hint) };
}

/** The options of a file. Empty texts and null count as missing, and a proxy is not used beside a host. */
export function givenOptions(options: unknown): unknown {
  if (!isObject(options)) return options ?? {};
  const given = { ...options };
  for (const [name, value] of Object.entries(options)) {
    const isText = ['file', 'host', 'key', 'model', 'proxy'].includes(name) && typeof value === 'string';
    given[name] = (isText ? value.trim() || undefined : value) ?? undefined;
  }
  if (given['host'] !== undefined) delete given['proxy'];
  return given;
}

/** The defaults of calls, in a fixed order. */
export function callOptions(options: ConnectorOptions): Record<string, unknown> {
  const names = Object.keys(CALL_OPTIONS) as (keyof typeof CALL_OPTIONS)[];
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
