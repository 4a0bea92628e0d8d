import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isObject } from '../json/is-object.ts';
import { definitionSchemas } from './schemas.ts';

test.each(Object.entries(definitionSchemas()))('schemas/%s is up to date', (name, schema) => {
  const text = readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(schema)));
});

test.each(Object.entries(definitionSchemas()))('every field of %s is described', (_name, schema) => {
  expect(undescribed(schema)).toEqual([]);
});

/** The fields that say what they are, and not what they are for. Rules for several fields only repeat names. */
function undescribed(schema: unknown, place = ''): string[] {
  if (!isObject(schema)) return [];
  const { properties, items, additionalProperties, anyOf } = schema;
  const fields = isObject(properties) ? Object.entries(properties) : [];
  const others = [items, additionalProperties, ...(Array.isArray(anyOf) ? (anyOf as unknown[]) : [])];
  const own = fields.filter(([, field]) => !isObject(field) || typeof field['description'] !== 'string');
  return [
    ...own.map(([name]) => `${place}/${name}`),
    ...fields.flatMap(([name, field]) => undescribed(field, `${place}/${name}`)),
    ...others.flatMap((other) => undescribed(other, `${place}/*`)),
  ];
}
