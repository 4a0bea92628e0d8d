// Test variables for programs: definitions in, the values of one execution out.

import { ConfigError } from '../errors.ts';
import type {
  ResolvedTestVariables,
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../model/variables.ts';
import type { Entities, VariableProblem } from './check-schema.ts';
import { checkSchema, checkSuiteVariables, checkTestVariables } from './check-schema.ts';
import { resolveVariables } from './resolve.ts';

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
    const schema = testType.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
    const problems = [
      ...checkSchema(schema, this.#entities),
      ...(test.variables === undefined ? [] : checkTestVariables(test.variables, schema, this.#entities)),
      ...(suite?.variables === undefined
        ? []
        : checkSuiteVariables(suite.variables, [schema], this.#entities)),
    ];
    if (problems.length > 0) throw ConfigError.of(problems.map(toProblem));

    const resolution = resolveVariables({
      schema,
      test: test.variables,
      suite: suite?.variables,
      run: runOptions.variables,
      entities: this.#entities,
    });
    const found = [...resolution.problems, ...resolution.conflicts];
    if (found.length > 0) throw ConfigError.of(found.map((message) => ({ message })));
    return resolution.resolved;
  }
}

function toProblem({ path, message, hint }: VariableProblem): { message: string; at: string; hint?: string } {
  const at = path.join('.');
  return hint === undefined ? { message, at } : { message, at, hint };
}
