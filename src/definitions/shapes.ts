// What the files of types, tests and suites may say.

import type { TestTypeDefinition } from '../model/definition.ts';
import { durationPattern, parseDuration } from '../text/duration.ts';
import type { Check } from './check-shape.ts';
import {
  aCount,
  aList,
  anObject,
  anything,
  aRecord,
  aSwitch,
  aText,
  aTextLike,
  aValue,
  oneOf,
  oneOrMore,
  that,
  withRules,
} from './check-shape.ts';

/** Exactly one of them says what is tested; which, the kind of the test decides. */
export const INPUTS = ['input', 'cases', 'script', 'skill'] as const;
export const INPUTS_OF: Record<TestTypeDefinition['kind'], readonly string[]> = {
  'agent-eval': ['input', 'cases'],
  script: ['script'],
  skill: ['skill'],
};

/** Ids are typed, and stand in lists, patterns and file names. */
const anId = aTextLike('an id of letters, digits, ".", "-" and "_"', /^\w[\w.-]*$/);
const aName = aTextLike('a name of letters, digits and "_"', /^[A-Za-z_]\w*$/);
const aDuration = that(
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

const COMMON = {
  $schema: { check: aText, description: 'The schema of this file, for editors.' },
  id: {
    check: anId,
    description: 'What it is called in commands and in other definitions. There is every id once.',
    isRequired: true,
  },
  name: { check: aText, description: 'What it is called in lists and reports.', isRequired: true },
  description: { check: aText, description: 'What it is for, in a sentence.' },
};

const aVariable = anObject({
  name: {
    check: aName,
    description: 'What it is called in other definitions and in --var Name=value.',
    isRequired: true,
  },
  displayName: { check: aText, description: 'What it is called in lists and reports.', isRequired: true },
  description: { check: aText, description: 'What it is for, in a sentence.' },
  dataType: {
    check: oneOf('string', 'number', 'boolean', 'date'),
    description: 'What its values are. A date is ISO 8601: 2026-01-31 or 2026-01-31T12:00:00Z.',
    isRequired: true,
  },
  valueSource: {
    check: oneOf('static', 'freeform', 'entity'),
    description:
      'Which values are allowed. static: those of possibleValues; freeform: all of the data type; entity: what the application has of an entity.',
    isRequired: true,
  },
  possibleValues: {
    description: 'The allowed values, for the value source static.',
    check: aList(
      anObject({
        value: { check: aValue, description: 'The value, of the data type.', isRequired: true },
        label: { check: aText, description: 'What it is called; the value itself unless said otherwise.' },
        description: { check: aText, description: 'What the value means, in a sentence.' },
      }),
    ),
  },
  entity: {
    check: oneOf('connectors', 'agents', 'skills'),
    description: 'What the values are chosen from, for the value source entity.',
  },
  dependsOn: {
    description: 'Which values are allowed depends on the value of another variable.',
    check: anObject({
      variable: { check: aText, description: 'The name of the other variable.', isRequired: true },
      values: {
        check: aRecord(aList(aValue)),
        description:
          "The allowed values by the other's value, as text; a value that is not here allows everything.",
        isRequired: true,
      },
    }),
  },
  defaultValue: { check: aValue, description: 'The value unless a test, a suite or a run sets another one.' },
  required: { check: aSwitch, description: 'If true, nothing runs without a value.', isRequired: true },
});

/** What `checkSchema` checks of one variable, as far as a schema can say it. */
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
  // JSON Schema's word; nobody awaits a schema.
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: { properties: { [field]: { const: value } }, required: [field] }, then };
}

export const aTestType: Check = anObject({
  ...COMMON,
  kind: {
    check: oneOf('agent-eval', 'script', 'skill'),
    description:
      'What tests of this type are: cases for an agent, functions of a script, or tests of a skill.',
    isRequired: true,
  },
  variablesSchema: {
    description: 'The variables that tests of this type have.',
    check: anObject({
      schemaVersion: { check: oneOf('1.0'), description: 'Always 1.0.', isRequired: true },
      variables: {
        check: aList(withRules(aVariable, VARIABLE_RULES), { isEmptyFine: true }),
        description: 'The variables, in the order in which they are shown.',
        isRequired: true,
      },
    }),
  },
});

const aTestOfAnyInput = anObject({
  ...COMMON,
  type: {
    check: aText,
    description: 'The id of a type: agent-eval, script, skill, or one of the application.',
    isRequired: true,
  },
  agent: {
    check: aText,
    description: 'Who is tested: an agent id, a folder, a module file, a URL or a2a+URL.',
  },
  input: {
    check: oneOrMore(aText),
    description: 'Case files, folders or patterns of them, relative to this file.',
  },
  cases: {
    check: aList(aRecord(anything)),
    description: 'The cases, written here, as a case file has them.',
  },
  script: { check: aText, description: 'The script whose Test… functions run, like scripts.expense.setup.' },
  skill: { check: aText, description: 'The skill whose test file runs.' },
  options: {
    description: 'How the test is run unless the command line says otherwise.',
    check: anObject({
      runs: { check: aCount(1_000_000), description: 'Runs of every case, for stability.' },
      timeout: { check: aDuration, description: 'Limit for one run of a case: 500ms, 30s, 1m30s.' },
      parallel: { check: aCount(1_000), description: 'Runs at the same time.' },
    }),
  },
  tags: {
    check: aList(aText, { isEmptyFine: true }),
    description: 'For --tag, and for tag:… in suites and commands.',
  },
  variables: {
    description: 'What the test does with the variables of its type; those it does not mention are exposed.',
    check: anObject({
      variables: {
        isRequired: true,
        description: 'By the name of the variable.',
        check: aRecord(
          anObject({
            exposed: {
              check: aSwitch,
              description: 'If false, the test does not have the variable.',
              isRequired: true,
            },
            defaultValue: {
              check: aValue,
              description: 'The value unless a suite or a run sets another one.',
            },
            locked: { check: aSwitch, description: 'If true, suites and runs cannot change the value.' },
            restrictedValues: {
              check: aList(aValue),
              description: 'The only values that are allowed, out of those of the type.',
            },
          }),
        ),
      },
    }),
  },
});

export const aTest: Check = withRules(aTestOfAnyInput, {
  oneOf: INPUTS.map((name) => ({ required: [name] })),
  allOf: Object.entries(INPUTS_OF).map(([kind, inputs]) =>
    // Every kind has a type of the same name.
    onlyIf('type', kind, { anyOf: inputs.map((name) => ({ required: [name] })) }),
  ),
});

export const aSuite: Check = anObject({
  ...COMMON,
  tests: {
    check: aList(aText),
    description: 'Ids of tests, patterns of ids like greet*, or tag:… for all tests with a tag.',
    isRequired: true,
  },
  variables: {
    description: 'Values for all tests of the suite.',
    check: anObject({
      variables: { check: aRecord(aValue), description: 'By the name of the variable.', isRequired: true },
    }),
  },
  matrix: {
    check: aRecord(aList(aValue)),
    description: 'Values by the name of the variable; the tests run with all combinations of them.',
  },
  options: {
    description: 'How the suite is run unless the command line says otherwise.',
    check: anObject({
      parallel: { check: aCount(1_000), description: 'Runs at the same time.' },
      failFast: { check: aSwitch, description: 'If true, stop at the first case that does not pass.' },
      order: {
        check: oneOf('listed', 'random'),
        description: 'Tests run as they are listed, or in another order every time.',
      },
    }),
  },
  setUp: { check: aText, description: 'A function to call before the first test.' },
  tearDown: { check: aText, description: 'A function to call after the last test, whatever happened.' },
});
