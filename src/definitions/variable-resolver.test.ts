import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import type { TestTypeVariablesSchema } from '../model/variables.ts';
import { VariableResolver } from './variable-resolver.ts';

const variablesSchema: TestTypeVariablesSchema = {
  schemaVersion: '1.0',
  variables: [
    {
      name: 'AIConfiguration',
      displayName: 'AI Configuration',
      dataType: 'string',
      valueSource: 'static',
      possibleValues: [{ value: 'claude-sonnet' }, { value: 'gpt-4o', label: 'GPT-4o' }],
      required: false,
    },
    {
      name: 'Temperature',
      displayName: 'Temperature',
      dataType: 'number',
      valueSource: 'freeform',
      defaultValue: 0.7,
      required: false,
    },
    { name: 'Since', displayName: 'Since', dataType: 'date', valueSource: 'freeform', required: false },
  ],
};

function problemsOf(...args: Parameters<VariableResolver['resolveVariables']>): unknown {
  try {
    return new VariableResolver().resolveVariables(...args);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

test('resolves run over suite over test over type', () => {
  const resolved = new VariableResolver().resolveVariables(
    { variablesSchema },
    { variables: { variables: { Since: { exposed: true, defaultValue: '2026-01-01' } } } },
    { variables: { variables: { AIConfiguration: 'gpt-4o' } } },
    { variables: { AIConfiguration: 'claude-sonnet' } },
  );
  expect(resolved).toEqual({
    values: { AIConfiguration: 'claude-sonnet', Temperature: 0.7, Since: new Date('2026-01-01') },
    sources: { AIConfiguration: 'run', Temperature: 'type', Since: 'test' },
  });
  expect(new VariableResolver().resolveVariables({}, {}, null)).toEqual({ values: {}, sources: {} });
});

test('everything that is wrong with the definitions is told at once, each at its place', () => {
  const [model, temperature, since] = variablesSchema.variables;
  if (model === undefined || temperature === undefined || since === undefined)
    throw new Error('no variables');
  const { possibleValues: _values, ...withoutValues } = model;
  const broken: TestTypeVariablesSchema = {
    schemaVersion: '1.0',
    variables: [
      withoutValues,
      { ...temperature, defaultValue: 'warm' },
      { ...since, name: 'Temperature' },
      { ...since, dependsOn: { variable: 'Sinces', values: {} } },
      { ...model, name: 'A', dependsOn: { variable: 'B', values: {} } },
      { ...model, name: 'B', dependsOn: { variable: 'A', values: {} } },
      { ...since, name: 'E', valueSource: 'entity' },
    ],
  };
  expect(
    problemsOf(
      { variablesSchema: broken },
      { variables: { variables: { Temprature: { exposed: true } } } },
      null,
    ),
  ).toEqual([
    { at: 'variables.0.possibleValues', message: 'AIConfiguration is static and has no possible values' },
    { at: 'variables.1.defaultValue', message: 'Temperature: expected a number, got "warm"' },
    { at: 'variables.2.name', message: 'the variable Temperature is defined twice' },
    {
      at: 'variables.3.dependsOn.variable',
      message: 'Since depends on Sinces, which is not a variable of this type',
      hint: 'did you mean Since?',
    },
    {
      at: 'variables.6.entity',
      message: 'E takes its values from an entity, but has no "entity"',
      hint: 'entity is connectors, agents or skills',
    },
    { at: 'variables.4.dependsOn', message: 'A depends on itself' },
    { at: 'variables.5.dependsOn', message: 'B depends on itself' },
    {
      at: 'variables.Temprature',
      message: 'unknown variable Temprature',
      hint: 'did you mean Temperature?',
    },
  ]);
});

test('a test may only restrict what its type allows, and a suite only set what a test has', () => {
  expect(
    problemsOf(
      { variablesSchema },
      {
        variables: {
          variables: {
            AIConfiguration: {
              exposed: true,
              restrictedValues: ['gpt-4o', 'gpt-5'],
              defaultValue: 'claude-sonnet',
            },
          },
        },
      },
      { variables: { variables: { Temperature: 'warm', Temperatur: 1 } } },
    ),
  ).toEqual([
    {
      at: 'variables.AIConfiguration.restrictedValues.1',
      message: 'AIConfiguration: gpt-5 is not one of the allowed values: claude-sonnet, gpt-4o',
    },
    {
      at: 'variables.AIConfiguration.defaultValue',
      message: 'AIConfiguration: claude-sonnet is not one of the allowed values: gpt-4o, gpt-5',
    },
    { at: 'variables.Temperature', message: 'Temperature: expected a number, got "warm"' },
    { at: 'variables.Temperatur', message: 'unknown variable Temperatur', hint: 'did you mean Temperature?' },
  ]);
  expect(problemsOf({ variablesSchema }, {}, null, { variables: { AIConfiguration: 'gpt-5' } })).toEqual([
    {
      message:
        'AIConfiguration: gpt-5 is not one of the allowed values: claude-sonnet, gpt-4o (set by the run)',
    },
  ]);
});

test.each<[string, object, unknown[]]>([
  [
    'another version',
    { variablesSchema: { schemaVersion: '2.0', variables: [] } },
    [
      {
        message: 'variablesSchema.schemaVersion: expected "1.0", got "2.0"',
        hint: 'did you mean "1.0"?',
      },
    ],
  ],
  [
    'an unknown field',
    { variableSchema: variablesSchema },
    [{ message: 'unknown field "variableSchema"', hint: 'did you mean "variablesSchema"?' }],
  ],
  [
    'an unknown data type',
    {
      variablesSchema: {
        schemaVersion: '1.0',
        variables: [{ ...variablesSchema.variables[1], dataType: 'numbr' }],
      },
    },
    [
      {
        message:
          'variablesSchema.variables[0].dataType: expected "string", "number", "boolean" or "date", got "numbr"',
        hint: 'did you mean "number"?',
      },
    ],
  ],
])('refuses %s in a type, as for a file', (_name, type, problems) => {
  expect(problemsOf(type, {}, null)).toEqual(problems);
});

test('refuses names and values of a run that the command line refuses', () => {
  const variables: Record<string, unknown> = { Temprature: 1, Temperature: 'warm', Since: undefined };
  expect(problemsOf({ variablesSchema }, {}, null, { variables } as object)).toEqual([
    {
      at: 'variables',
      message: 'no selected test has a variable Temprature',
      hint: 'did you mean Temperature?',
    },
    { at: 'variables', message: 'Temperature: expected a number, got "warm"' },
  ]);
});
