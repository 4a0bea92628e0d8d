import { describe, expect, test } from 'vitest';
import type { TestVariableDataType, TestVariableOverride, TestVariableValue } from '../model/variables.ts';
import type { Levels } from './resolve.ts';
import { resolveVariables } from './resolve.ts';

/** A good value for each level, another good one, and one that is of another type. */
const VALUES: Record<
  TestVariableDataType,
  {
    run: TestVariableValue;
    suite: TestVariableValue;
    test: TestVariableValue;
    type: TestVariableValue;
    bad: unknown;
  }
> = {
  string: { run: 'r', suite: 's', test: 't', type: 'y', bad: 1 },
  number: { run: 1, suite: 2, test: 3, type: 4, bad: 'one' },
  boolean: { run: true, suite: false, test: true, type: false, bad: 'yes' },
  date: {
    run: new Date('2026-01-01'),
    suite: new Date('2026-01-02'),
    test: new Date('2026-01-03'),
    type: new Date('2026-01-04'),
    bad: '2026-02-30',
  },
};
const TYPES = Object.keys(VALUES) as TestVariableDataType[];
const LEVELS = ['run', 'suite', 'test', 'type'] as const;
type Level = (typeof LEVELS)[number];

function levelsOf(
  dataType: TestVariableDataType,
  given: readonly Level[],
  { required = false, ...override }: Partial<TestVariableOverride> & { required?: boolean } = {},
): Levels {
  const values = VALUES[dataType];
  const of = (level: Level): TestVariableValue | undefined =>
    given.includes(level) ? values[level] : undefined;
  const defaultValue = of('type');
  const test = of('test');
  const run = of('run');
  const suite = of('suite');
  const hasOverride = test !== undefined || Object.keys(override).length > 0;
  return {
    schema: {
      schemaVersion: '1.0',
      variables: [
        {
          name: 'X',
          displayName: 'X',
          dataType,
          valueSource: 'freeform',
          required,
          ...(defaultValue !== undefined && { defaultValue }),
        },
      ],
    },
    ...(hasOverride && {
      test: {
        variables: { X: { exposed: true, ...override, ...(test !== undefined && { defaultValue: test }) } },
      },
    }),
    ...(suite !== undefined && { suite: { variables: { X: suite } } }),
    ...(run !== undefined && { run: { X: run } }),
  };
}

/** Every set of levels that say something. */
const SUBSETS = Array.from({ length: 2 ** LEVELS.length }, (_, bits) =>
  LEVELS.filter((_level, index) => (bits & (1 << index)) !== 0),
);

describe.each(TYPES)('%s', (dataType) => {
  test.each(SUBSETS.map((given) => [given]))('%o: the highest level wins', (given) => {
    const [winner] = given;
    expect(resolveVariables(levelsOf(dataType, given))).toEqual({
      resolved:
        winner === undefined
          ? { values: {}, sources: {} }
          : { values: { X: VALUES[dataType][winner] }, sources: { X: winner } },
      problems: [],
      conflicts: [],
      warnings: [],
    });
  });

  test.each(SUBSETS.map((given) => [given]))('%o: what is locked stays', (given) => {
    const winner = given.find((level) => level === 'test' || level === 'type');
    expect(resolveVariables(levelsOf(dataType, given, { locked: true }))).toEqual({
      resolved:
        winner === undefined
          ? { values: {}, sources: {} }
          : { values: { X: VALUES[dataType][winner] }, sources: { X: winner } },
      problems: [],
      conflicts: [],
      warnings: given.includes('run') ? ['X has no effect here: the test locks it'] : [],
    });
  });

  test.each(SUBSETS.map((given) => [given]))('%o: what is hidden is not there', (given) => {
    expect(resolveVariables(levelsOf(dataType, given, { exposed: false, required: true }))).toEqual({
      resolved: { values: {}, sources: {} },
      problems: [],
      conflicts: [],
      warnings: given.includes('run') ? ['X has no effect here: the test does not expose it'] : [],
    });
  });

  test('required without a value is a problem', () => {
    expect(resolveVariables(levelsOf(dataType, [], { required: true })).problems).toEqual([
      'the variable X is required and has no value',
    ]);
    for (const level of LEVELS)
      expect(resolveVariables(levelsOf(dataType, [level], { required: true })).problems).toEqual([]);
    const locked = levelsOf(dataType, ['run', 'suite'], { required: true, locked: true });
    expect(resolveVariables(locked).problems).toEqual(['the variable X is required and has no value']);
  });

  test.each(LEVELS)('a bad value of the %s is a problem', (level) => {
    const levels = levelsOf(dataType, [level]);
    const { bad } = VALUES[dataType];
    const value = bad as TestVariableValue;
    if (level === 'run') levels.run = { X: value };
    else if (level === 'suite') levels.suite = { variables: { X: value } };
    else if (level === 'test') levels.test = { variables: { X: { exposed: true, defaultValue: value } } };
    else for (const definition of levels.schema.variables) definition.defaultValue = value;
    const { resolved, problems } = resolveVariables(levels);
    expect(resolved).toEqual({ values: {}, sources: {} });
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^X: expected .*\\(set by the ${level}\\)$`)),
    ]);
  });
});

test.each(LEVELS)('a value of the %s must be one of the possible, and of the restricted ones', (level) => {
  const schema = (defaultValue?: string): Levels['schema'] => ({
    schemaVersion: '1.0',
    variables: [
      {
        name: 'X',
        displayName: 'X',
        dataType: 'string',
        valueSource: 'static',
        possibleValues: [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
        required: false,
        ...(defaultValue !== undefined && { defaultValue }),
      },
    ],
  });
  const resolve = (value: string, restrictedValues?: string[]): string[] => {
    const restricted = restrictedValues === undefined ? {} : { restrictedValues };
    return resolveVariables({
      schema: schema(level === 'type' ? value : undefined),
      test: {
        variables: { X: { exposed: true, ...restricted, ...(level === 'test' && { defaultValue: value }) } },
      },
      ...(level === 'suite' && { suite: { variables: { X: value } } }),
      ...(level === 'run' && { run: { X: value } }),
    }).problems;
  };
  expect(resolve('b')).toEqual([]);
  expect(resolve('d')).toEqual([`X: d is not one of the allowed values: a, b, c (set by the ${level})`]);
  expect(resolve('b', ['a', 'b'])).toEqual([]);
  expect(resolve('c', ['a', 'b'])).toEqual([
    `X: c is not one of the allowed values: a, b (set by the ${level})`,
  ]);
});

test('a value must be allowed by the value of the variable it depends on', () => {
  const schema: Levels['schema'] = {
    schemaVersion: '1.0',
    variables: [
      { name: 'Provider', displayName: 'P', dataType: 'string', valueSource: 'freeform', required: true },
      {
        name: 'Model',
        displayName: 'M',
        dataType: 'string',
        valueSource: 'freeform',
        required: true,
        defaultValue: 'gpt',
        dependsOn: { variable: 'Provider', values: { openai: ['gpt'], anthropic: ['claude'] } },
      },
    ],
  };
  const problems = (run: Record<string, string>): string[] => resolveVariables({ schema, run }).conflicts;
  expect(problems({ Provider: 'openai' })).toEqual([]);
  expect(problems({ Provider: 'anthropic', Model: 'claude' })).toEqual([]);
  expect(problems({ Provider: 'elsewhere', Model: 'own' })).toEqual([]);
  expect(problems({ Provider: 'anthropic' })).toEqual([
    'Model: gpt is not one of the allowed values: claude (while Provider is anthropic)',
  ]);
});

test('values of an entity are those of the application', () => {
  const schema: Levels['schema'] = {
    schemaVersion: '1.0',
    variables: [
      {
        name: 'AIConfiguration',
        displayName: 'Model',
        dataType: 'string',
        valueSource: 'entity',
        entity: 'connectors',
        required: false,
      },
    ],
  };
  const run = { AIConfiguration: 'local.b' };
  expect(
    resolveVariables({ schema, run, entities: { connectors: ['local.a', 'local.b'] } }).problems,
  ).toEqual([]);
  expect(resolveVariables({ schema, run, entities: { connectors: ['local.a'] } }).problems).toEqual([
    'AIConfiguration: local.b is not one of the allowed values: local.a (set by the run)',
  ]);
  expect(resolveVariables({ schema, run }).problems).toEqual([]);
});
