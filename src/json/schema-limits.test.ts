import { expect, test } from 'vitest';
import { compileSchema } from './json-schema.ts';

const named = (length: number, name: string) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`${name}${String(at)}`, { type: 'string' }]));

test('a schema that takes too long to compile is refused at once', () => {
  let nested: unknown = { type: 'string' };
  for (let depth = 0; depth < 600; depth += 1) nested = { anyOf: [nested] };
  const started = performance.now();
  expect(() => compileSchema({ patternProperties: named(1001, '^p') })).toThrow(
    'it has more than 1,000 "patternProperties"',
  );
  expect(() => compileSchema({ properties: named(10_000, 'p') })).toThrow('it has more than 10,000 objects');
  expect(() => compileSchema(nested)).toThrow('it is nested deeper than 500 levels');
  expect(performance.now() - started).toBeLessThan(1000);
});

test('references that lead back to themselves are named', () => {
  const $defs = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
  expect(() => compileSchema({ $defs, $ref: '#/$defs/a' })({})).toThrow('lead back to themselves');
});
