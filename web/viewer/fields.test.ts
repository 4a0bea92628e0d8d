import { describe, expect, test } from 'vitest';
import type { TestDefinition } from '../../src/model/definition.ts';
import type { TestTypeVariablesSchema, TestVariablesConfig } from '../../src/model/variables.ts';
import type { ListedSuite } from './answers.ts';
import type { Field } from './fields.ts';
import { buildFields } from './fields.ts';
import { changedValues, runProblems, sentValues, suiteProblems } from './form-values.ts';
import type { Subject } from './subject.ts';

const SCHEMA: TestTypeVariablesSchema = {
  schemaVersion: '1.0',
  variables: [
    {
      name: 'Mode',
      displayName: 'Mode',
      dataType: 'string',
      valueSource: 'static',
      possibleValues: [{ value: 'fast', label: 'Fast', description: 'Takes little' }, { value: 'slow' }],
      defaultValue: 'fast',
      required: true,
    },
    {
      name: 'Level',
      displayName: 'Level',
      dataType: 'number',
      valueSource: 'freeform',
      dependsOn: { variable: 'Mode', values: { slow: [2, 3] } },
      required: false,
    },
    { name: 'Strict', displayName: 'Strict', dataType: 'boolean', valueSource: 'freeform', required: false },
    { name: 'Since', displayName: 'Since', dataType: 'date', valueSource: 'freeform', required: false },
    {
      name: 'Agent',
      displayName: 'Agent',
      dataType: 'string',
      valueSource: 'entity',
      entity: 'agents',
      required: false,
    },
  ],
};

function subject(configs: TestVariablesConfig['variables'][], suite?: Partial<ListedSuite>): Subject {
  const tests = configs.map((variables, at) => {
    const definition: TestDefinition = { id: `t${at}`, name: `T${at}`, type: 'x', variables: { variables } };
    return { definition, schema: SCHEMA };
  });
  const base = { id: 's', name: 'S', tests: ['*'], file: 's.yml', sha256: '', is_editable: true };
  return {
    tests,
    suite: suite === undefined ? undefined : { ...base, ...suite },
    entities: { agents: ['one', 'two'] },
  };
}

function field(of: Subject, name: string, texts = {}, level: 'run' | 'suite' = 'run'): Field | undefined {
  return buildFields(of, texts, level).find((one) => one.name === name);
}

const texts = (one: Field | undefined): string[] | undefined => one?.choices?.map(({ text }) => text);

describe('values to choose from', () => {
  test('are those of the type, with their labels', () => {
    expect(field(subject([{}]), 'Mode')).toEqual({
      name: 'Mode',
      label: 'Mode',
      description: undefined,
      dataType: 'string',
      isRequired: true,
      isSecret: false,
      locked: undefined,
      choices: [
        { text: 'fast', label: 'Fast', description: 'Takes little' },
        { text: 'slow', label: 'slow' },
      ],
      fallback: { text: 'fast', from: 'type default' },
      unfit: undefined,
    });
    expect(texts(field(subject([{}]), 'Agent'))).toEqual(['one', 'two']);
    expect(texts(field(subject([{}]), 'Strict'))).toEqual(['true', 'false']);
    expect(texts(field(subject([{}]), 'Since'))).toBeUndefined();
  });

  test('are narrowed by a test, and by all tests of a suite together', () => {
    const slow = { Mode: { exposed: true, restrictedValues: ['slow'] } };
    expect(texts(field(subject([slow]), 'Mode'))).toEqual(['slow']);
    expect(texts(field(subject([{}, slow], {}), 'Mode'))).toEqual(['slow']);
  });

  test('follow the value of another variable, typed or not', () => {
    expect(texts(field(subject([{}]), 'Level'))).toBeUndefined();
    expect(texts(field(subject([{}]), 'Level', { Mode: 'slow' }))).toEqual(['2', '3']);
    const slow = subject([{}], { variables: { variables: { Mode: 'slow' } } });
    expect(texts(field(slow, 'Level'))).toEqual(['2', '3']);
    expect(texts(field(slow, 'Level', { Mode: 'fast' }))).toBeUndefined();
    expect(texts(field(slow, 'Level', {}, 'suite'))).toBeUndefined();
  });
});

describe('what a variable is without a value', () => {
  test('comes from the suite before the test before the type', () => {
    const own = { Mode: { exposed: true, defaultValue: 'slow' } };
    expect(field(subject([own]), 'Mode')?.fallback).toEqual({ text: 'slow', from: 'test default' });
    const suite = { variables: { variables: { Mode: 'fast' } } };
    expect(field(subject([own], suite), 'Mode')?.fallback).toEqual({ text: 'fast', from: 'suite' });
    expect(field(subject([own], suite), 'Mode', {}, 'suite')?.fallback).toEqual({
      text: 'slow',
      from: 'test default',
    });
    expect(field(subject([own, {}], {}), 'Mode')?.fallback).toEqual({
      text: 'slow, fast',
      from: 'differs from test to test',
    });
  });

  test('may not be allowed while another variable has its value', () => {
    const own = { Level: { exposed: true, defaultValue: 7 } };
    expect(field(subject([own]), 'Level')?.unfit).toBeUndefined();
    expect(field(subject([own]), 'Level', { Mode: 'slow' })?.unfit).toBe('not allowed while Mode is slow');
    expect(field(subject([{}, own], {}), 'Level', { Mode: 'slow' })?.unfit).toBe(
      'not allowed while Mode is slow',
    );
    const fine = { Level: { exposed: true, defaultValue: 3 } };
    expect(field(subject([fine]), 'Level', { Mode: 'slow' })?.unfit).toBeUndefined();
  });

  test('is what a matrix varies', () => {
    const varied = subject([{}], { matrix: { Mode: ['fast', 'slow'] } });
    expect(field(varied, 'Mode')?.fallback).toEqual({ text: 'fast, slow', from: 'varied by the suite' });
  });
});

test('what no test exposes is not there, and what all lock cannot be set', () => {
  const locked = { Mode: { exposed: true, locked: true, defaultValue: 'slow' }, Level: { exposed: false } };
  expect(field(subject([locked]), 'Level')).toBeUndefined();
  expect(field(subject([locked]), 'Mode')).toMatchObject({
    locked: 'The test T0 locks it.',
    choices: undefined,
    fallback: { text: 'slow', from: 'test default' },
  });
  expect(field(subject([locked, {}], {}), 'Mode')?.locked).toBeUndefined();
});

test('values are sent by their type, and only those that were given', () => {
  const of = subject([{}]);
  const given = { Mode: 'slow', Level: ' 2', Strict: 'true', Since: '2026-01-31', Agent: '' };
  const fields = buildFields(of, given, 'run');
  expect(sentValues(fields, given)).toEqual({ Mode: 'slow', Level: 2, Strict: true, Since: '2026-01-31' });
  expect(runProblems(of, fields, given)).toEqual([]);
});

test('problems name their variable', () => {
  const of = subject([{}]);
  const given = { Mode: 'slow', Level: '7', Agent: 'three' };
  const found = runProblems(of, buildFields(of, given, 'run'), given);
  expect(found.map(({ name }) => name)).toEqual(['Agent', 'Level']);
});

test('a suite is saved as what has changed, and must be able to run', () => {
  const of = subject([{}], { variables: { variables: { Mode: 'slow', Strict: true } } });
  const before = { Mode: 'slow', Strict: 'true' };
  const after = { Mode: 'slow', Strict: '', Level: '3' };
  const fields = buildFields(of, after, 'suite');
  expect(changedValues(fields, before, after)).toEqual({ Strict: null, Level: 3 });
  expect(suiteProblems(of, fields, after)).toEqual([]);
  expect(suiteProblems(of, fields, { ...after, Level: '9' })).toMatchObject([{ name: 'Level' }]);
});
