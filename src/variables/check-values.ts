// Values that somebody wants to run tests with in, what is wrong with each of them out. Forms in a browser use it too, so that there is
// nothing of Node here.

import type {
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../model/variables.ts';
import type { Entities } from './check-schema.ts';
import type { Given } from './given.ts';
import { convertAll, unknownNames } from './given.ts';
import type { NamedText } from './resolve.ts';
import { resolveByName } from './resolve.ts';

/** What is wrong, and with which variable. */
export type ValueProblem = { name: string; message: string; hint?: string };

/** A test, as far as its variables are concerned. */
export type CheckedTest = {
  /** Of its type. */
  schema?: TestTypeVariablesSchema | undefined;
  /** What the test says about them. */
  test?: TestVariablesConfig | undefined;
};

/** What the tests are to be run with. */
export type ValuesToCheck = {
  suite?: TestSuiteVariablesConfig | undefined;
  /** What the suite varies: each of these variables has a value. */
  matrix?: Record<string, readonly TestVariableValue[]> | undefined;
  given: Record<string, Given>;
  /** What the environment gives to every run: it may have no effect, and is weaker than what is given here. */
  inherited?: Record<string, Given> | undefined;
  entities?: Entities;
};

/**
 * Checks the values for one test. Stricter than a command line, which only warns of a value that has no effect.
 *
 * @example checkValues({ schema, given: { Count: { text: 'many' } } })
 * // [{ name: 'Count', message: 'Count: expected a number, got "many"' }]
 */
export function checkValues({ schema, test, ...values }: CheckedTest & ValuesToCheck): ValueProblem[] {
  return checkValuesOfTests([{ schema, test }], values);
}

/** Checks the values for tests that run together: a value must have an effect on one of them, and be right for all. */
export function checkValuesOfTests(tests: readonly CheckedTest[], values: ValuesToCheck): ValueProblem[] {
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
  return withoutRepetitions(found);
}

/** Names of the variables a test's type has, what is wrong with their values, and which of these have no effect. */
type CheckedValues = { names: string[]; problems: NamedText[]; warnings: NamedText[] };

function checkTest(
  { schema, test }: CheckedTest,
  { suite, matrix = {}, given, inherited = {}, entities }: ValuesToCheck,
): CheckedValues {
  if (schema === undefined) return { names: [], problems: [], warnings: [] };
  const converted = convertAll(schema, { ...inherited, ...given });
  const varied = Object.entries(matrix).flatMap(([name, [first]]) =>
    first === undefined ? [] : [[name, first] as const],
  );
  const resolution = resolveByName({
    schema,
    test,
    suite: { variables: { ...suite?.variables, ...Object.fromEntries(varied) } },
    run: converted.values,
    ...(entities !== undefined && { entities }),
  });
  // What is no value is not missing as well.
  const isTold = ({ name }: NamedText): boolean => converted.problems.some((one) => one.name === name);
  // Of a matrix, combinations that do not go together are left out, and there are others.
  const conflicts = varied.length === 0 ? resolution.conflicts : [];
  const problems = [...resolution.problems, ...conflicts].filter((problem) => !isTold(problem));
  return {
    names: schema.variables.map(({ name }) => name),
    problems: [...converted.problems, ...problems.map(withoutRun)],
    warnings: resolution.warnings,
  };
}

/** Whoever gives a value knows who has set it. */
function withoutRun({ name, message }: NamedText): NamedText {
  return { name, message: message.replace(/ \(set by the run\)$/, '') };
}

function withoutRepetitions(problems: readonly ValueProblem[]): ValueProblem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}
