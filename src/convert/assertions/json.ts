// Assertions on JSON.

import { parse } from 'yaml';
import { isObject } from '../../json/is-object.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';

export const JSON_TYPES: Record<string, Converter> = {
  'contains-json': containsJson,
  'is-json': isJson,
};

function isJson({ value, at, name }: GivenAssertion, { losses }: AssertionContext): Written | undefined {
  if (value === undefined || value === null || value === '') return { type: 'is_json' };
  const schema = readSchema(value);
  if (schema !== undefined) return { type: 'is_json', value: schema };
  return void losses.missing(at, name, 'the value is no JSON Schema');
}

function containsJson(given: GivenAssertion, context: AssertionContext): Written | undefined {
  const written = isJson(given, context);
  if (written === undefined) return undefined;
  const why =
    written['value'] === undefined
      ? 'promptfoo repairs what is nearly JSON; here it must be JSON'
      : 'promptfoo tries every JSON in the answer, and repairs what is nearly JSON; here the first JSON must fit the schema';
  context.losses.changed(given.at, given.name, why);
  return { ...written, in_text: true };
}

/** Words of draft-07, which promptfoo uses, that mean something else in 2020-12. */
function isOldDraft(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(isOldDraft);
  if (!isObject(schema)) return false;
  if (Array.isArray(schema['items']) || 'additionalItems' in schema || 'dependencies' in schema) return true;
  return Object.values(schema).some(isOldDraft);
}

function readSchema(value: unknown): unknown {
  let schema = value;
  if (typeof value === 'string') {
    try {
      // promptfoo reads YAML, which JSON is as well.
      schema = parse(value);
    } catch {
      return undefined;
    }
  }
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return undefined;
  const isOld = schema['$schema'] === undefined && isOldDraft(schema);
  return isOld ? { $schema: 'http://json-schema.org/draft-07/schema#', ...schema } : schema;
}
