// Saves values of a suite in its file: checks them as a run would, and writes atomically.

import { createHash } from 'node:crypto';
import { accessSync, closeSync, constants, fsyncSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { fchmodSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { editVariables } from './suite-file/edit-variables.ts';
import type { Defined, Definitions } from '../definitions/read-definitions.ts';
import { typeOf } from '../definitions/read-definitions.ts';
import { selectTests } from '../definitions/select-tests.ts';
import { messageOf, RuntimeError } from '../errors.ts';
import type { SuiteDefinition } from '../model/definition.ts';
import { displayPath, isInside } from '../platform/paths.ts';
import { ApiError } from './api-error.ts';
import type { SuiteChange } from './viewer-application.ts';
import type { Entities } from '../variables/check-schema.ts';
import { checkSuiteVariables } from '../variables/check-schema.ts';
import type { CheckedTest, ValueProblem } from '../variables/check-values.ts';
import { checkValuesForTests } from '../variables/check-values.ts';
import { convertGiven } from '../variables/given.ts';
import type { ApplicationDefinitions } from '../run/definitions/application-definitions.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** The path and hash of a suite's file, and whether it can be changed here. */
export function suiteFile(
  suite: Defined<SuiteDefinition>,
  root: string,
): { path: string; sha256: string; isEditable: boolean } {
  const { file } = suite;
  if (file === undefined) return { path: suite.at, sha256: '', isEditable: false };
  const path = displayPath(file, root);
  try {
    const real = realpathSync(file);
    const sha256 = hashContent(readFileSync(real));
    return { path, sha256, isEditable: isInside(realpathSync(root), real) && isWritable(real) };
  } catch {
    // The file may have been deleted since it was read.
    return { path, sha256: '', isEditable: false };
  }
}

/** Saves values of a suite and returns the hash of its new file; throws ApiError if a value is invalid. */
export async function saveSuite(
  { definitions, entities, root }: ApplicationDefinitions,
  id: string,
  { variables, sha256 }: SuiteChange,
): Promise<string> {
  const found = definitions.suites.filter((suite) => suite.id === id);
  const [suite] = found;
  if (suite === undefined) throw new ApiError(404, `there is no suite ${id}`);
  const { isEditable, ...now } = suiteFile(suite, root);
  if (!isEditable || suite.file === undefined || found.length > 1)
    throw new ApiError(409, `${now.path} cannot be changed here`, {
      hint: 'it must be a file inside of the application that this user may write, and the only one with this id',
    });
  const file = realpathSync(suite.file);
  const tests = listTests(suite, definitions);
  const changes = typedChanges(variables, tests);
  const next = nextValues(suite, changes);
  const problems = findValueProblems(suite, next, tests, entities);
  if (problems.length > 0)
    throw new ApiError(400, 'the suite could not be run with these values', { problems });
  const text = readFileSync(file);
  if (hashContent(text) !== sha256) throw changedMeanwhile(now.path);
  const edited = Buffer.from(await editVariables(text.toString('utf8'), now.path, changes));
  replaceSuite(file, edited, () => {
    if (hashContent(readFileSync(file)) !== sha256) throw changedMeanwhile(now.path);
  });
  return hashContent(edited);
}

function listTests(suite: SuiteDefinition, definitions: Definitions): CheckedTest[] {
  const tests = suite.tests.flatMap((wanted) => selectTests(definitions.tests, wanted).tests);
  return [...new Set(tests)].map((test) => ({
    schema: typeOf(definitions, test)?.variablesSchema,
    test: test.variables,
  }));
}

/** Values that no test allows, and values with which one of the tests cannot run; one problem per variable. */
function findValueProblems(
  { matrix }: SuiteDefinition,
  variables: Values,
  tests: readonly CheckedTest[],
  entities: Entities,
): ValueProblem[] {
  const schemas = tests.flatMap(({ schema }) => schema ?? []);
  const own = checkSuiteVariables({ variables }, schemas, entities).map(
    ({ path, message, hint }): ValueProblem =>
      Object.assign({ name: String(path[1]), message }, hint === undefined ? {} : { hint }),
  );
  const ofTests = checkValuesForTests(tests, { suite: { variables }, matrix, given: {}, entities });
  return [...own, ...ofTests.filter(({ name }) => !own.some((one) => one.name === name))];
}

/** Converts texts of a form to the data type of their variable, as the file has them. */
function typedChanges(
  changes: SuiteChange['variables'],
  tests: readonly CheckedTest[],
): SuiteChange['variables'] {
  const known = tests.flatMap(({ schema }) => schema?.variables ?? []);
  const entries = Object.entries(changes).map(([name, value]) => {
    const definition = known.find((one) => one.name === name);
    if (typeof value !== 'string' || definition === undefined) return [name, value] as const;
    const converted = convertGiven(definition, { text: value });
    // Dates are text in files; invalid values are rejected later.
    if ('problem' in converted || converted.value instanceof Date) return [name, value] as const;
    return [name, converted.value] as const;
  });
  return Object.fromEntries(entries);
}

type Values = NonNullable<SuiteDefinition['variables']>['variables'];

function nextValues(suite: SuiteDefinition, changes: SuiteChange['variables']): Values {
  const next = new Map(Object.entries(suite.variables?.variables ?? {}));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return Object.fromEntries(next);
}

/** Replaces the file and keeps its mode; `check` runs just before the new content takes the place of the old. */
function replaceSuite(file: string, content: Buffer, check: () => void): void {
  try {
    replaceFile(file, (temporary) => {
      const handle = openSync(temporary, 'wx', 0o600);
      try {
        writeFileSync(handle, content);
        fchmodSync(handle, statSync(file).mode & 0o7777);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      check();
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new RuntimeError(`the file could not be written: ${messageOf(error)}`, { cause: error });
  }
}

function changedMeanwhile(path: string): ApiError {
  return new ApiError(409, `${path} has changed meanwhile`, { hint: 'load the page again' });
}

function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
