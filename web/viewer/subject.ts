// The subject of a run: a test, or a suite with its tests.

import { selectTests } from '../../src/definitions/select-tests.ts';
import type { TestDefinition } from '../../src/model/definition.ts';
import type { TestTypeVariablesSchema } from '../../src/model/variables.ts';
import type { Entities } from '../../src/variables/check-schema.ts';
import type { Definitions, ListedSuite } from './answers.ts';

type SubjectTest = { definition: TestDefinition; schema: TestTypeVariablesSchema | undefined };

export type Subject = {
  suite: ListedSuite | undefined;
  tests: SubjectTest[];
  entities: Entities;
};

/** Undefined if the test or suite does not exist. */
export function findSubject(
  definitions: Definitions,
  id: { test?: string; suite?: string },
): Subject | undefined {
  const { types, tests, suites, entities } = definitions;
  const withSchema = (definition: TestDefinition): SubjectTest => ({
    definition,
    schema: types.find((type) => type.id === definition.type)?.variablesSchema,
  });
  if (id.suite !== undefined && id.suite !== '') {
    const suite = suites.find((one) => one.id === id.suite);
    if (suite === undefined) return undefined;
    const chosen = suite.tests.flatMap((wanted) => selectTests(tests, wanted).tests);
    return { suite, tests: [...new Set(chosen)].map(withSchema), entities };
  }
  const test = tests.find((one) => one.id === id.test);
  return test === undefined ? undefined : { suite: undefined, tests: [withSchema(test)], entities };
}
