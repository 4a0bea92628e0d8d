import { expect, test } from 'vitest';
import type { TestTypeVariablesSchema, TestVariableDefinition } from '../model/variables.ts';
import { checkValues, checkValuesForTests } from './check-values.ts';

const variable = (
  name: string,
  dataType: TestVariableDefinition['dataType'],
  more: Partial<TestVariableDefinition> = {},
): TestVariableDefinition => ({
  name,
  displayName: name,
  dataType,
  valueSource: 'freeform',
  required: false,
  ...more,
});

const schema: TestTypeVariablesSchema = {
  schemaVersion: '1.0',
  variables: [
    variable('Language', 'string', {
      valueSource: 'static',
      possibleValues: [{ value: 'de' }, { value: 'en' }],
    }),
    variable('Count', 'number', { required: true }),
    variable('Loud', 'boolean'),
    variable('Since', 'date'),
    variable('Agent', 'string', { valueSource: 'entity', entity: 'agents' }),
    variable('Voice', 'string', { dependsOn: { variable: 'Language', values: { de: ['Anna', 'Otto'] } } }),
    variable('ApiKey', 'number'),
  ],
};
const entities = { agents: ['shop'] };
const COUNT = { Count: { value: 1 } };

test('texts of a form mean what the data type says, other values are of it already', () => {
  const given = {
    Count: { text: ' 3 ' },
    Loud: { text: 'yes' },
    Since: { text: '2026-01-31' },
    Language: { value: 'de' },
    Agent: { text: 'shop' },
    Voice: { text: 'Anna' },
  };
  expect(checkValues({ schema, given, entities })).toEqual([]);
});

test('everything that is wrong is told with the name of its variable, and once', () => {
  const given = {
    Count: { text: 'many' },
    Loud: { value: 'yes' },
    Language: { text: 'fr' },
    Agent: { text: 'shoop' },
    Lnguage: { text: 'de' },
    ApiKey: { text: 'secret stuff' },
  };
  expect(checkValues({ schema, given, entities })).toEqual([
    {
      name: 'Lnguage',
      message: 'no selected test has a variable Lnguage',
      hint: 'did you mean Language?',
    },
    { name: 'Count', message: 'Count: expected a number, got "many"' },
    { name: 'Loud', message: 'Loud: expected true or false, got "yes"' },
    { name: 'ApiKey', message: 'ApiKey: expected a number' },
    { name: 'Language', message: 'Language: fr is not one of the allowed values: de, en' },
    { name: 'Agent', message: 'Agent: shoop is not one of the allowed values: shop' },
  ]);
});

test('what is required may come from the suite, from its matrix or from the run', () => {
  const missing = [{ name: 'Count', message: 'the variable Count is required and has no value' }];
  expect(checkValues({ schema, given: {} })).toEqual(missing);
  expect(checkValues({ schema, suite: { variables: { Count: 1 } }, given: {} })).toEqual([]);
  expect(checkValues({ schema, matrix: { Count: [1, 2] }, given: {} })).toEqual([]);
  expect(checkValues({ schema, given: COUNT })).toEqual([]);
  expect(checkValues({ schema, suite: { variables: { Count: 'x' } }, given: {} })).toEqual([
    { name: 'Count', message: 'Count: expected a number, got "x" (set by the suite)' },
  ]);
});

test('values that do not go together', () => {
  const given = { ...COUNT, Language: { text: 'de' }, Voice: { text: 'Emma' } };
  expect(checkValues({ schema, given })).toEqual([
    {
      name: 'Voice',
      message: 'Voice: Emma is not one of the allowed values: Anna, Otto (while Language is de)',
    },
  ]);
});

test('a value that has no effect is refused if it has none on any test', () => {
  const locked = { variables: { Loud: { exposed: true, locked: true, defaultValue: true } } };
  const hidden = { variables: { Loud: { exposed: false } } };
  const given = { ...COUNT, Loud: { value: false } };
  const problem = { name: 'Loud', message: 'Loud has no effect here: the test locks it' };
  expect(checkValues({ schema, test: locked, given })).toEqual([problem]);
  expect(
    checkValuesForTests(
      [
        { schema, test: locked },
        { schema, test: hidden },
      ],
      { given },
    ),
  ).toEqual([problem]);
  expect(checkValuesForTests([{ schema, test: locked }, { schema }, {}], { given })).toEqual([]);
});

test('what the environment gives counts where nothing else is given, and may be meant for others', () => {
  const locked = { variables: { Loud: { exposed: true, locked: true, defaultValue: true } } };
  const inherited = { Count: { text: '1' }, Loud: { text: 'no' }, Other: { text: 'x' } };
  expect(checkValues({ schema, test: locked, inherited, given: {} })).toEqual([]);
  expect(checkValues({ schema, inherited: { Count: { text: 'x' } }, given: COUNT })).toEqual([]);
});

test('names of methods are names like others', () => {
  const given: unknown = JSON.parse('{"toString": {"text": "x"}, "__proto__": {"text": "x"}}');
  expect(checkValues({ given: given as Record<string, { text: string }> })).toEqual([
    {
      name: 'toString',
      message: 'no selected test has a variable toString',
      hint: 'the tests have no variables',
    },
    {
      name: '__proto__',
      message: 'no selected test has a variable __proto__',
      hint: 'the tests have no variables',
    },
  ]);
});
