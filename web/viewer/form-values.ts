// Converts and checks the values of a form. The server uses the same checks.

import type { TestVariableValue } from '../../src/model/variables.ts';
import { checkSuiteVariables } from '../../src/variables/check-schema.ts';
import { checkValuesForTests } from '../../src/variables/check-values.ts';
import { parseValue } from '../../src/variables/values.ts';
import type { SentProblem } from './api.ts';
import type { Field, Texts } from './fields.ts';
import { formText } from './fields.ts';
import type { Subject } from './subject.ts';

type Sent = Record<string, string | number | boolean>;

/** Converts texts to JSON values; a text that cannot be converted stays a text, and the check rejects it. */
export function sentValues(fields: readonly Field[], texts: Texts): Sent {
  return Object.fromEntries(
    typed(fields, texts).map(([{ name, dataType }, text]) => {
      const parsed = parseValue(text, dataType);
      return [name, 'value' in parsed && !(parsed.value instanceof Date) ? parsed.value : text.trim()];
    }),
  );
}

/** Checks the values of a run. */
export function runProblems(
  { suite, tests, entities }: Subject,
  fields: readonly Field[],
  texts: Texts,
): SentProblem[] {
  const given = Object.fromEntries(typed(fields, texts).map(([{ name }, text]) => [name, { text }]));
  return checkValuesForTests(checkedTests(tests), {
    suite: suite?.variables,
    matrix: suite?.matrix,
    given,
    entities,
  });
}

/** Checks the values of a suite: it must be possible to run the suite with them. */
export function suiteProblems(
  { suite, tests, entities }: Subject,
  fields: readonly Field[],
  texts: Texts,
): SentProblem[] {
  const variables: Record<string, TestVariableValue> = sentValues(fields, texts);
  const schemas = tests.flatMap(({ schema }) => schema ?? []);
  const own = checkSuiteVariables({ variables }, schemas, entities).map(
    ({ path, message, hint }): SentProblem =>
      Object.assign({ name: String(path[1]), message }, hint === undefined ? {} : { hint }),
  );
  const ofTests = checkValuesForTests(checkedTests(tests), {
    suite: { variables },
    matrix: suite?.matrix,
    given: {},
    entities,
  });
  return [...own, ...ofTests.filter(({ name }) => !own.some((one) => one.name === name))];
}

/** The initial values of the form of a suite. */
export function suiteTexts({ suite }: Subject): Texts {
  const values = Object.entries(suite?.variables?.variables ?? {});
  return Object.fromEntries(values.map(([name, value]) => [name, formText(value)]));
}

/** The changed values only; null removes a value. */
export function changedValues(
  fields: readonly Field[],
  before: Texts,
  after: Texts,
): Record<string, Sent[string] | null> {
  const values = sentValues(fields, after);
  const changed = fields.filter(({ name }) => (before[name] ?? '') !== (after[name] ?? ''));
  return Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? null]));
}

function typed(fields: readonly Field[], texts: Texts): [Field, string][] {
  return fields.flatMap((field) => {
    const text = texts[field.name] ?? '';
    return field.locked !== undefined || text === '' ? [] : [[field, text] as [Field, string]];
  });
}

function checkedTests(tests: Subject['tests']): Parameters<typeof checkValuesForTests>[0] {
  return tests.map(({ schema, definition }) => ({ schema, test: definition.variables }));
}
