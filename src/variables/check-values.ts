// Values for a run in, their problems out. Free of Node, because forms in the browser use it too.

import type {
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../model/variables.ts';
import type { Entities } from './check-schema.ts';
import type { Given } from './given.ts';
import { convertGivenValues, unknownNames } from './given.ts';
import type { NamedText } from './resolve.ts';
import { resolveByName } from './resolve.ts';

/** A problem with the value of a variable. */
export type ValueProblem = { name: string; message: string; hint?: string };

/** The variables of a test. */
export type CheckedTest = {
  /** Defined by its type. */
  schema?: TestTypeVariablesSchema | undefined;
  /** Overrides by the test. */
  test?: TestVariablesConfig | undefined;
};

/** The values to run the tests with. */
export type ValuesToCheck = {
  suite?: TestSuiteVariablesConfig | undefined;
  /** The variables that the suite varies; each of them has a value. */
  matrix?: Record<string, readonly TestVariableValue[]> | undefined;
  given: Record<string, Given>;
  /** Values from the environment. `given` overrides them, and they may be without effect. */
  inherited?: Record<string, Given> | undefined;
  entities?: Entities;
};

/**
 * Checks the values for one test. Stricter than the command line, which only warns about a value without effect.
 *
 * @example checkValues({ schema, given: { Count: { text: 'many' } } })
 * // [{ name: 'Count', message: 'Count: expected a number, got "many"' }]
 */
export function checkValues({ schema, test, ...values }: CheckedTest & ValuesToCheck): ValueProblem[] {
  return checkValuesForTests([{ schema, test }], values);
}

/** Checks the values for tests that run together: a value must affect at least one test and be valid for all. */
export function checkValuesForTests(tests: readonly CheckedTest[], values: ValuesToCheck): ValueProblem[] {
  const schemas = tests.flatMap(({ schema }) => schema ?? []);
  const found: ValueProblem[] = unknownNames(Object.keys(values.given), schemas);
  const checked = tests.map((test) => checkTest(test, values));
  for (const { problems } of checked) found.push(...problems);

  for (const name of Object.keys(values.given)) {
    const having = checked.filter(({ names }) => names.includes(name));
    const warnings = having.flatMap((one) => one.warnings.filter((warning) => warning.name === name));
    const [first] = warnings;
    if (first !== undefined && warnings.length === having.length) found.push(first);
  }
  return uniqueByMessage(found);
}

/** The variable names of a test's type, the problems of their values, and warnings about values without effect. */
type CheckedValues = { names: string[]; problems: NamedText[]; warnings: NamedText[] };

function checkTest(
  { schema, test }: CheckedTest,
  { suite, matrix = {}, given, inherited = {}, entities }: ValuesToCheck,
): CheckedValues {
  if (schema === undefined) return { names: [], problems: [], warnings: [] };
  const converted = convertGivenValues(schema, { ...inherited, ...given });
  const varied = Object.entries(matrix).flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, first] as const],
  );
  const resolution = resolveByName({
    schema,
    test,
    suite: { variables: { ...suite?.variables, ...Object.fromEntries(varied) } },
    run: converted.values,
    entities,
  });
  // A value that cannot be converted is not reported as missing as well.
  const isReported = ({ name }: NamedText): boolean => converted.problems.some((one) => one.name === name);
  // A matrix leaves out combinations with conflicts, so they are not a problem there.
  const conflicts = varied.length === 0 ? resolution.conflicts : [];
  const problems = [...resolution.problems, ...conflicts].filter((problem) => !isReported(problem));
  return {
    names: schema.variables.map(({ name }) => name),
    problems: [...converted.problems, ...problems.map(withoutRunSource)],
    warnings: resolution.warnings,
  };
}

/** The user of the form has just set the value, so the source is not worth mentioning. */
function withoutRunSource({ name, message }: NamedText): NamedText {
  return { name, message: message.replace(/ \(set by the run\)$/, '') };
}

function uniqueByMessage(problems: readonly ValueProblem[]): ValueProblem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}
