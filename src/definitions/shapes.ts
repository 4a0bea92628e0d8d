// Shapes of the files of types, tests and suites.

import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../model/definition.ts';
import type { Fields } from '../schema/object.ts';
import { list, object, oneOrMore, optional, record, required, withSchemaRules } from '../schema/object.ts';
import type { Shape } from '../schema/shape.ts';
import { anything, boolean, count, matching, oneOf, scalar, text, that } from '../schema/values.ts';
import { durationPattern, parseDuration } from '../text/duration.ts';

/** A test has exactly one of these fields; the kind of the test decides which. */
export const INPUTS = ['input', 'cases', 'script', 'skill'] as const;
export const INPUTS_OF: Record<TestTypeDefinition['kind'], readonly string[]> = {
  'agent-eval': ['input', 'cases'],
  script: ['script'],
  skill: ['skill'],
};

/** Users type ids in commands; they also occur in lists, patterns and file names. */
const id = matching('an id of letters, digits, ".", "-" and "_"', /^\w[\w.-]*$/);
const variableName = matching('a name of letters, digits and "_"', /^[A-Za-z_]\w*$/);
const duration = that<string>(
  'a duration like 30s or 1m30s',
  { type: 'string', pattern: durationPattern() },
  (value) => {
    try {
      return typeof value === 'string' && parseDuration(value) > 0;
    } catch {
      return false;
    }
  },
);

const runs = that<number | 'auto'>(
  'a whole number from 1 to 1,000,000, or "auto"',
  { anyOf: [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, { const: 'auto' }] },
  (value) => value === 'auto' || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 1e6),
);

const COMMON = {
  $schema: optional(text, 'The schema of this file, for editors.'),
  id: required(id, 'What it is called in commands and in other definitions. There is every id once.'),
  name: required(text, 'What it is called in lists and reports.'),
  description: optional(text, 'What it is for, in a sentence.'),
};

const variable = object({
  name: required(variableName, 'What it is called in other definitions and in --var Name=value.'),
  displayName: required(text, 'What it is called in lists and reports.'),
  description: optional(text, 'What it is for, in a sentence.'),
  dataType: required(
    oneOf('string', 'number', 'boolean', 'date'),
    'What its values are. A date is ISO 8601: 2026-01-31 or 2026-01-31T12:00:00Z.',
  ),
  valueSource: required(
    oneOf('static', 'freeform', 'entity'),
    'Which values are allowed. static: those of possibleValues; freeform: all of the data type; entity: what the application has of an entity.',
  ),
  possibleValues: optional(
    list(
      object({
        value: required(scalar, 'The value, of the data type.'),
        label: optional(text, 'What it is called; the value itself unless said otherwise.'),
        description: optional(text, 'What the value means, in a sentence.'),
      }),
    ),
    'The allowed values, for the value source static.',
  ),
  entity: optional(
    oneOf('connectors', 'agents', 'skills'),
    'What the values are chosen from, for the value source entity.',
  ),
  dependsOn: optional(
    object({
      variable: required(text, 'The name of the other variable.'),
      values: required(
        record(list(scalar)),
        "The allowed values by the other's value, as text; a value that is not here allows everything.",
      ),
    }),
    'Which values are allowed depends on the value of another variable.',
  ),
  defaultValue: optional(scalar, 'The value unless a test, a suite or a run sets another one.'),
  required: required(boolean, 'If true, nothing runs without a value.'),
});

/** The rules of `checkSchema` for one variable, as far as JSON Schema can state them. */
const VARIABLE_RULES = {
  allOf: [
    onlyIf('valueSource', 'static', { required: ['possibleValues'] }),
    onlyIf('valueSource', 'entity', { required: ['entity'] }),
    ...Object.entries({ string: 'string', number: 'number', boolean: 'boolean', date: 'string' }).map(
      ([dataType, type]) =>
        onlyIf('dataType', dataType, {
          properties: {
            defaultValue: { type },
            possibleValues: { items: { properties: { value: { type } } } },
          },
        }),
    ),
  ],
};

function onlyIf(field: string, value: string, then: object): object {
  // A keyword of JSON Schema, not a promise.
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: { properties: { [field]: { const: value } }, required: [field] }, then };
}

const TYPE_FIELDS = {
  ...COMMON,
  kind: required(
    oneOf('agent-eval', 'script', 'skill'),
    'What tests of this type are: cases for an agent, functions of a script, or tests of a skill.',
  ),
  variablesSchema: optional(
    object({
      schemaVersion: required(oneOf('1.0'), 'Always 1.0.'),
      variables: required(
        list(withSchemaRules(variable, VARIABLE_RULES), { isEmptyFine: true }),
        'The variables, in the order in which they are shown.',
      ),
    }),
    'The variables that tests of this type have.',
  ),
};
export const testTypeShape: Shape<TestTypeDefinition> = object(TYPE_FIELDS);
/** What programs pass of a type: any of its fields. */
export const partOfType: Shape = object(allOptional(TYPE_FIELDS));

const TEST_FIELDS = {
  ...COMMON,
  type: required(text, 'The id of a type: agent-eval, script, skill, or one of the application.'),
  agent: optional(text, 'Who is tested: an agent id, a folder, a module or Python file, a URL or a2a+URL.'),
  input: optional(oneOrMore(text), 'Case files, folders or patterns of them, relative to this file.'),
  cases: optional(list(record(anything)), 'The cases, written here, as a case file has them.'),
  script: optional(
    text,
    'The script whose Test… functions run: a name like scripts.expense.setup, or the path of a _test.ts file from the folder of the definition.',
  ),
  skill: optional(text, 'The skill whose test file runs.'),
  options: optional(
    object({
      runs: optional(runs, 'Runs of every case, for stability, or "auto": until each is decided.'),
      timeout: optional(duration, 'Limit for one run of a case: 500ms, 30s, 1m30s.'),
      parallel: optional(count(1_000), 'Runs at the same time.'),
    }),
    'How the test is run unless the command line says otherwise.',
  ),
  tags: optional(list(text, { isEmptyFine: true }), 'For --tag, and for tag:… in suites and commands.'),
  variables: optional(
    object({
      variables: required(
        record(
          object({
            exposed: required(boolean, 'If false, the test does not have the variable.'),
            defaultValue: optional(scalar, 'The value unless a suite or a run sets another one.'),
            locked: optional(boolean, 'If true, suites and runs cannot change the value.'),
            restrictedValues: optional(
              list(scalar),
              'The only values that are allowed, out of those of the type.',
            ),
          }),
        ),
        'By the name of the variable.',
      ),
    }),
    'What the test does with the variables of its type; those it does not mention are exposed.',
  ),
};
/** What programs pass of a test. */
export const partOfTest: Shape = object(allOptional(TEST_FIELDS));

export const testShape: Shape<TestDefinition> = withSchemaRules(object(TEST_FIELDS), {
  oneOf: INPUTS.map((name) => ({ required: [name] })),
  allOf: Object.entries(INPUTS_OF).map(([kind, inputs]) =>
    // Every kind has a type of the same name.
    onlyIf('type', kind, { anyOf: inputs.map((name) => ({ required: [name] })) }),
  ),
});

const SUITE_FIELDS = {
  ...COMMON,
  tests: required(
    list(text),
    'Ids of tests, patterns of ids like greet*, or tag:… for all tests with a tag.',
  ),
  variables: optional(
    object({
      variables: required(record(scalar), 'By the name of the variable.'),
    }),
    'Values for all tests of the suite.',
  ),
  matrix: optional(
    record(list(scalar)),
    'Values by the name of the variable; the tests run with all combinations of them.',
  ),
  options: optional(
    object({
      parallel: optional(count(1_000), 'Runs at the same time.'),
      failFast: optional(boolean, 'If true, stop at the first case that does not pass.'),
      order: optional(
        oneOf('listed', 'random'),
        'Tests run as they are listed, or in another order every time.',
      ),
      gates: optional(list(text), 'What the whole run must reach, like "pass_rate >= 90" or "cost <= 2.50".'),
    }),
    'How the suite is run unless the command line says otherwise.',
  ),
  setUp: optional(text, 'A function to call before the first test.'),
  tearDown: optional(text, 'A function to call after the last test, whatever happened.'),
};
export const suiteShape: Shape<SuiteDefinition> = object(SUITE_FIELDS);
/** What programs pass of a suite. */
export const partOfSuite: Shape = object(allOptional(SUITE_FIELDS));

function allOptional(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, isRequired: false }]),
  );
}
