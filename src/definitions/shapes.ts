// What the files of types, tests and suites may say.

import { parseDuration } from '../platform/duration.ts';
import type { Check } from './check-shape.ts';
import {
  aCount,
  aList,
  anObject,
  anything,
  aRecord,
  aSwitch,
  aText,
  aValue,
  oneOf,
  that,
} from './check-shape.ts';

/** Ids are typed, and stand in lists, patterns and file names. */
const anId = that(
  'an id of letters, digits, ".", "-" and "_"',
  (value) => typeof value === 'string' && /^[\w][\w.-]*$/.test(value),
);
const aDuration = that('a duration like 30s or 1m30s', (value) => {
  try {
    return typeof value === 'string' && parseDuration(value) > 0;
  } catch {
    return false;
  }
});

const COMMON = {
  id: { check: anId, isRequired: true },
  name: { check: aText, isRequired: true },
  description: { check: aText },
};

const aVariable = anObject({
  name: { check: that('a name of letters, digits and "_"', isName), isRequired: true },
  displayName: { check: aText, isRequired: true },
  description: { check: aText },
  dataType: { check: oneOf('string', 'number', 'boolean', 'date'), isRequired: true },
  valueSource: { check: oneOf('static', 'freeform', 'entity'), isRequired: true },
  possibleValues: {
    check: aList(
      anObject({
        value: { check: aValue, isRequired: true },
        label: { check: aText },
        description: { check: aText },
      }),
    ),
  },
  entity: { check: oneOf('connectors', 'agents', 'skills') },
  dependsOn: {
    check: anObject({
      variable: { check: aText, isRequired: true },
      values: { check: aRecord(aList(aValue)), isRequired: true },
    }),
  },
  defaultValue: { check: aValue },
  required: { check: aSwitch, isRequired: true },
});

function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value);
}

export const aTestType: Check = anObject({
  ...COMMON,
  kind: { check: oneOf('agent-eval', 'script', 'skill'), isRequired: true },
  variablesSchema: {
    check: anObject({
      schemaVersion: { check: oneOf('1.0'), isRequired: true },
      variables: { check: aList(aVariable, { isEmptyFine: true }), isRequired: true },
    }),
  },
});

export const aTest: Check = anObject({
  ...COMMON,
  type: { check: aText, isRequired: true },
  agent: { check: aText },
  input: { check: (value, path) => (Array.isArray(value) ? aList(aText)(value, path) : aText(value, path)) },
  cases: { check: aList(aRecord(anything)) },
  script: { check: aText },
  skill: { check: aText },
  options: {
    check: anObject({ runs: { check: aCount }, timeout: { check: aDuration }, parallel: { check: aCount } }),
  },
  tags: { check: aList(aText, { isEmptyFine: true }) },
  variables: {
    check: anObject({
      variables: {
        isRequired: true,
        check: aRecord(
          anObject({
            exposed: { check: aSwitch, isRequired: true },
            defaultValue: { check: aValue },
            locked: { check: aSwitch },
            restrictedValues: { check: aList(aValue) },
          }),
        ),
      },
    }),
  },
});

export const aSuite: Check = anObject({
  ...COMMON,
  tests: { check: aList(aText), isRequired: true },
  variables: { check: anObject({ variables: { check: aRecord(aValue), isRequired: true } }) },
  matrix: { check: aRecord(aList(aValue)) },
  options: {
    check: anObject({
      parallel: { check: aCount },
      failFast: { check: aSwitch },
      order: { check: oneOf('listed', 'random') },
    }),
  },
  setUp: { check: aText },
  tearDown: { check: aText },
});
