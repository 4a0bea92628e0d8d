import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const passed = { type: 'schema', status: 'passed' };
const on = (output: unknown, value: unknown) => verdictOn(output, { type: 'schema', value });

const person = {
  type: 'object',
  required: ['name', 'email'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[A-Z]' },
    email: { type: 'string', format: 'email' },
    code: { type: 'string', pattern: '^[0-9]+$' },
    role: { enum: ['admin', 'user'] },
  },
};

test('an answer that fits passes, as a value and as text', () => {
  const ada = { name: 'Ada', email: 'ada@example.org', code: '1', role: 'user' };
  expect(on(ada, person)).toEqual(passed);
  expect(on(`Here she is: ${JSON.stringify(ada)}`, person)).toEqual(passed);
});

test('all errors are listed with their places', () => {
  const output = { name: 'ada', code: 'x', role: 'guest', age: 3 };
  expect(on(output, person)).toEqual({
    type: 'schema',
    status: 'failed',
    message:
      'the answer does not fit the schema: ' +
      "the answer must have required property 'email'; " +
      'the answer must NOT have additional properties: "age"; ' +
      '/name must match pattern "^[A-Z]"; ' +
      '/code must match pattern "^[0-9]+$"; ' +
      '/role must be equal to one of the allowed values: ["admin","user"]',
    expected: person,
    actual: output,
  });
});

test('prose is not valid by accident', () => {
  expect(on('I cannot help', { required: ['a'] })).toMatchObject({
    status: 'failed',
    message: 'no JSON found in the answer',
  });
});

test('a schema of texts looks at the text itself', () => {
  expect(on('short', { type: 'string', maxLength: 5 })).toEqual(passed);
  expect(on('{"a": 1}', { type: 'string' })).toEqual(passed);
  expect(on('yes', { enum: ['yes', 'no'] })).toEqual(passed);
  expect(on('much longer', { type: 'string', maxLength: 5 })).toMatchObject({ status: 'failed' });
});

test('the draft is the one the schema names', () => {
  const tuple = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] };
  expect(on([1], tuple)).toEqual(passed);
  expect(on(['x'], tuple)).toMatchObject({ status: 'failed' });
  expect(on([1], { prefixItems: [{ type: 'number' }] })).toEqual(passed);
  expect(on(['x'], { prefixItems: [{ type: 'number' }] })).toMatchObject({ status: 'failed' });
});

test('references inside a schema are followed, others cannot be', () => {
  const $defs = { count: { type: 'integer', minimum: 1 } };
  const list = { $id: 'https://example.org/list', $defs, type: 'array', items: { $ref: '#/$defs/count' } };
  expect(on([1, 2], list)).toEqual(passed);
  expect(on([0], list)).toMatchObject({ status: 'failed' });
  expect(on([0], { $ref: 'https://example.org/other' })).toMatchObject({ status: 'error' });
});

test('two schemas with the same id do not meet', () => {
  expect(on(1, { $id: 'https://example.org/x', type: 'number' })).toEqual(passed);
  expect(on('1', { $id: 'https://example.org/x', type: 'string' })).toEqual(passed);
});

test('a hostile pattern takes linear time', () => {
  const started = performance.now();
  expect(on(`${'a'.repeat(100_000)}!`, { type: 'string', pattern: '^(a+)+$' })).toMatchObject({
    status: 'failed',
  });
  expect(performance.now() - started).toBeLessThan(3000);
});

test('a schema that is none cannot be judged, negated or not', () => {
  const assertion = { type: 'schema', value: { type: 'objekt' }, negate: true };
  expect(verdictOn({}, assertion)).toMatchObject({ status: 'error', negate: true });
});
