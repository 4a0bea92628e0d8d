// Test variables for programs: definitions in, the values of one execution out.

import type { Problem } from '../errors.ts';
import { ConfigError, messageOf } from '../errors.ts';
import type {
  ResolvedTestVariables,
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../model/variables.ts';
import { findProblems } from '../schema/problems.ts';
import type { Shape } from '../schema/shape.ts';
import type { Entities, VariableProblem } from '../variables/check-schema.ts';
import { checkSchema, checkSuiteVariables, checkTestVariables } from '../variables/check-schema.ts';
import { convertGivenValues, unknownNames } from '../variables/given.ts';
import { resolveVariables } from '../variables/resolve.ts';
import { partOfSuite, partOfTest, partOfType } from './shapes.ts';

// The parts of a type, a test, a suite and the options of a run that define variables.
export type TestTypeVariables = { variablesSchema?: TestTypeVariablesSchema };
export type TestVariables = { variables?: TestVariablesConfig };
export type SuiteVariables = { variables?: TestSuiteVariablesConfig };
export type RunVariables = { variables?: { [variableName: string]: TestVariableValue } };

/** Resolves variables: run over suite over test over type. */
export class VariableResolver {
  readonly #entities: Entities;

  /** `entities`: the agents, connectors and skills of the application, for variables that choose from them. */
  constructor(entities: Entities = {}) {
    this.#entities = entities;
  }

  /**
   * Resolves the values of one execution and where each comes from. Checks every level, defaults included.
   * Throws a ConfigError with all problems.
   */
  resolveVariables(
    testType: TestTypeVariables,
    test: TestVariables,
    suite: SuiteVariables | null,
    runOptions: RunVariables = {},
  ): ResolvedTestVariables {
    const wrong = [
      ...findShapeProblems(partOfType, testType, 'the type'),
      ...findShapeProblems(partOfTest, test, 'the test'),
      ...findShapeProblems(partOfSuite, suite ?? {}, 'the suite'),
    ];
    if (wrong.length > 0) throw ConfigError.of(wrong);

    const schema = testType.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
    const problems = [
      ...checkSchema(schema, this.#entities),
      ...(test.variables === undefined ? [] : checkTestVariables(test.variables, schema, this.#entities)),
      ...(suite?.variables === undefined
        ? []
        : checkSuiteVariables(suite.variables, [schema], this.#entities)),
    ];
    if (problems.length > 0) throw ConfigError.of(problems.map(toProblem));

    const run = convertRunValues(runOptions.variables ?? {}, schema);
    const resolution = resolveVariables({
      schema,
      test: test.variables,
      suite: suite?.variables,
      run,
      entities: this.#entities,
    });
    const found = [...resolution.problems, ...resolution.conflicts];
    if (found.length > 0) throw ConfigError.of(found.map((message) => ({ message })));
    return resolution.resolved;
  }
}

/** The problems of a definition that a program passes, in the words for files. */
function findShapeProblems(shape: Shape, definition: object, whole: string): Problem[] {
  try {
    // As it would stand in a file: a Date is text.
    const text = JSON.stringify(definition, (_name, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    return findProblems(shape, JSON.parse(text ?? 'null'), { wrong: 'expected, got', whole });
  } catch (error) {
    return [{ message: `${whole} cannot be read: ${messageOf(error)}` }];
  }
}

/** The values of a run in the data types of the variables. A value that is undefined counts as not given. */
function convertRunValues(
  given: Record<string, unknown>,
  schema: TestTypeVariablesSchema,
): Record<string, TestVariableValue> {
  const values = Object.entries(given).filter(([, value]) => value !== undefined);
  const unknown = unknownNames(
    values.map(([name]) => name),
    [schema],
  );
  const converted = convertGivenValues(
    schema,
    Object.fromEntries(values.map(([name, value]) => [name, { value }])),
  );
  const problems: Problem[] = [
    ...unknown.map(({ message, hint }) => ({ message, hint, at: 'variables' })),
    ...converted.problems.map(({ message }) => ({ message, at: 'variables' })),
  ];
  if (problems.length > 0) throw ConfigError.of(problems);
  return converted.values;
}

function toProblem({ path, message, hint }: VariableProblem): { message: string; at: string; hint?: string } {
  const at = path.join('.');
  return hint === undefined ? { message, at } : { message, at, hint };
}
