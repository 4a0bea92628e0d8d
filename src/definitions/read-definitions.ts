// Reads the types, tests and suites below a folder, and collects all their problems.

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Problem } from '../errors.ts';
import { ConfigError } from '../errors.ts';
import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../model/definition.ts';
import type { TestTypeVariablesSchema } from '../model/variables.ts';
import type { JsonDocument } from '../json/jsonc.ts';
import { parseJsonDocument } from '../json/jsonc.ts';
import { readTextFile } from '../json/text-file.ts';
import { findProblems } from '../schema/problems.ts';
import type { Shape } from '../schema/shape.ts';
import { nearest } from '../text/nearest.ts';
import { displayPath } from '../platform/paths.ts';
import { quote } from '../text/quote.ts';
import { isFile, isFolder } from '../platform/file-stats.ts';
import { parseYamlDocument } from '../json/yaml-document.ts';
import type { Entities, VariableProblem } from '../variables/check-schema.ts';
import { checkSchema, checkSuiteVariables, checkTestVariables } from '../variables/check-schema.ts';
import { CONNECTOR_NAMES, hasTwoConnectors } from '../model/axis-names.ts';
import { matrixVariables } from '../variables/axes.ts';
import { BUILT_IN_TYPES } from './built-in.ts';
import { selectTests } from './select-tests.ts';
import { INPUTS, INPUTS_OF, suiteShape, testShape, testTypeShape } from './shapes.ts';

/** A definition and its source. */
export type Defined<T> = T & {
  /** Its path for messages; `built-in` for built-in types. */
  at: string;
  /** The folder that its paths are relative to, and the file; built-in types have no file. */
  folder: string;
  file?: string;
  /** The first line of each case of a test. */
  caseLines?: number[];
};

export type Definitions = {
  types: Defined<TestTypeDefinition>[];
  tests: Defined<TestDefinition>[];
  suites: Defined<SuiteDefinition>[];
};

type DefinitionFile = { file: string; name: string; document: JsonDocument };
type Level = 'suite' | 'test' | 'type';
type Found = { value: Defined<{ id: string }>; file: DefinitionFile };

const FILE = /\.(type|test|suite)\.(json|ya?ml)$/;
const SKIPPED = new Set(['node_modules', '.git', '.assay', 'dist', 'coverage']);
const SHAPES: Record<Level, Shape> = { suite: suiteShape, test: testShape, type: testTypeShape };

/** Reads and checks all definitions below a folder. Returns problems instead of throwing, so that valid definitions can be used. */
export async function readDefinitions(
  folder: string,
  { cwd, entities = {} }: { cwd: string; entities?: Entities },
): Promise<{ definitions: Definitions; problems: Problem[] }> {
  const problems: Problem[] = [];
  const found: Record<Level, Found[]> = { suite: [], test: [], type: [] };
  for (const file of definitionFiles(folder)) {
    const level = FILE.exec(file)?.[1] as Level;
    const name = displayPath(file, cwd);
    try {
      const document = await parse(file, name);
      const at = (path: string[]): string => `${name}:${String(document.lineOf(path))}`;
      const wrong = findProblems(SHAPES[level], document.value, { wrong: 'expected, got', at });
      problems.push(...wrong);
      if (wrong.length > 0) continue;
      // Safe: the shape was just checked.
      const value = {
        ...(document.value as { id: string }),
        at: name,
        folder: dirname(file),
        file,
        caseLines: caseLines(document),
      };
      found[level].push({ value, file: { file, name, document } });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  const builtIn = BUILT_IN_TYPES.map((type) => Object.assign({ at: 'built-in', folder }, type));
  // Safe: the shapes of the three levels were checked above.
  const definitions: Definitions = {
    types: [...builtIn, ...(found.type.map(({ value }) => value) as Definitions['types'])],
    tests: found.test.map(({ value }) => value) as Definitions['tests'],
    suites: found.suite.map(({ value }) => value) as Definitions['suites'],
  };
  for (const level of ['type', 'test', 'suite'] as const)
    problems.push(...findDuplicates(found[level], level));
  for (const { value, file } of found.type)
    problems.push(...checkType(value as Defined<TestTypeDefinition>, file, entities));
  for (const { value, file } of found.test)
    problems.push(...checkTest(value as Defined<TestDefinition>, file, { definitions, entities }));
  for (const { value, file } of found.suite)
    problems.push(...checkSuite(value as Defined<SuiteDefinition>, file, { definitions, entities }));
  return { definitions, problems };
}

function caseLines({ value, lineOf }: JsonDocument): number[] | undefined {
  const { cases } = value as Partial<TestDefinition>;
  return cases?.map((_case, index) => lineOf(['cases', String(index)]) ?? 1);
}

/** The type of a test; undefined if it does not exist, which is a reported problem. */
export function typeOf(
  { types }: Definitions,
  test: TestDefinition,
): Defined<TestTypeDefinition> | undefined {
  return types.find(({ id }) => id === test.type);
}

function definitionFiles(folder: string): string[] {
  if (!isFolder(folder)) return [];
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) files.push(...definitionFiles(path));
    else if (FILE.test(entry.name) && isFile(path)) files.push(path);
  }
  return files;
}

async function parse(file: string, name: string): Promise<JsonDocument> {
  const text = readTextFile(file, name);
  return file.endsWith('.json') ? parseJsonDocument(text, name) : parseYamlDocument(text, name);
}

function problemAt(
  { name, document }: Pick<DefinitionFile, 'document' | 'name'>,
  path: readonly (string | number)[],
  message: string,
  hint?: string,
): Problem {
  return { message, at: `${name}:${String(document.lineOf(path.map(String)))}`, hint };
}

/** Ids must be unique, because they name definitions everywhere. */
function findDuplicates(found: readonly Found[], level: Level): Problem[] {
  const builtIn = level === 'type' ? BUILT_IN_TYPES : [];
  const known = new Map(builtIn.map(({ id }) => [id, 'built-in']));
  return found.flatMap(({ value, file }) => {
    const first = known.get(value.id);
    if (first !== undefined)
      return [problemAt(file, ['id'], `the id ${quote(value.id)} is taken: ${first} has it`)];
    known.set(value.id, value.at);
    return [];
  });
}

function checkType(type: TestTypeDefinition, file: DefinitionFile, entities: Entities): Problem[] {
  if (type.variablesSchema === undefined) return [];
  return toProblems(checkSchema(type.variablesSchema, entities), file, ['variablesSchema']);
}

function checkTest(
  test: Defined<TestDefinition>,
  file: DefinitionFile,
  { definitions, entities }: { definitions: Definitions; entities: Entities },
): Problem[] {
  const type = typeOf(definitions, test);
  if (type === undefined) {
    const ids = definitions.types.map(({ id }) => id);
    const near = nearest(test.type, ids);
    const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `there is ${ids.join(', ')}`;
    return [problemAt(file, ['type'], `no type ${quote(test.type)}`, hint)];
  }
  const problems: Problem[] = [];
  const given = INPUTS.filter((name) => test[name] !== undefined);
  const wanted = INPUTS_OF[type.kind];
  const expected = wanted.map((name) => quote(name)).join(' or ');
  if (given.length !== 1 || !wanted.includes(given[0] ?? '')) {
    const got = given.length === 0 ? 'nothing' : given.map((name) => quote(name)).join(' and ');
    const message = `a test of kind ${type.kind} has ${expected}; this one has ${got}`;
    problems.push(problemAt(file, [given[0] ?? 'type'], message));
  }
  for (const input of typeof test.input === 'string' ? [test.input] : (test.input ?? [])) {
    const isPattern = /[*?{[]/.test(input);
    if (!isPattern && !existsSync(resolve(test.folder, input)))
      problems.push(problemAt(file, ['input'], `the case file ${quote(input)} does not exist`));
  }
  const schema = type.variablesSchema ?? { schemaVersion: '1.0', variables: [] };
  if (test.variables !== undefined)
    problems.push(...toProblems(checkTestVariables(test.variables, schema, entities), file, ['variables']));
  return problems;
}

function checkSuite(
  suite: Defined<SuiteDefinition>,
  file: DefinitionFile,
  { definitions, entities }: { definitions: Definitions; entities: Entities },
): Problem[] {
  const problems: Problem[] = [];
  const tests = suite.tests.flatMap((pattern, index) => {
    const selected = selectTests(definitions.tests, pattern);
    if (selected.tests.length === 0)
      problems.push(problemAt(file, ['tests', String(index)], selected.problem, selected.hint));
    return selected.tests;
  });
  const schemas = tests.flatMap((test) => typeOf(definitions, test)?.variablesSchema ?? []);
  if (suite.variables !== undefined && tests.length > 0)
    problems.push(
      ...toProblems(checkSuiteVariables(suite.variables, schemas, entities), file, ['variables']),
    );
  if (tests.length > 0) {
    const varied = tests.flatMap((test) => matrixVariables(typeOf(definitions, test)));
    problems.push(...toProblems(checkMatrix(suite.matrix ?? {}, varied, entities), file, ['matrix']));
  }
  return problems;
}

/** Checks the names and values of a suite's matrix. */
function checkMatrix(
  matrix: NonNullable<SuiteDefinition['matrix']>,
  schemas: readonly TestTypeVariablesSchema[],
  entities: Entities,
): VariableProblem[] {
  const problems: VariableProblem[] = [];
  for (const [name, values] of Object.entries(matrix)) {
    for (const [index, value] of values.entries()) {
      const [wrong] = checkSuiteVariables({ variables: { [name]: value } }, schemas, entities);
      const isUnknown = wrong?.message.startsWith('unknown') === true;
      if (wrong !== undefined) problems.push({ ...wrong, path: isUnknown ? [name] : [name, index] });
      if (isUnknown) break;
      if (values.indexOf(value) !== index)
        problems.push({ path: [name, index], message: `${name}: ${quote(value)} is in the list twice` });
    }
  }
  if (hasTwoConnectors(Object.keys(matrix)))
    problems.push({
      path: ['connector'],
      message: `${CONNECTOR_NAMES.join(' and ')} are the same axis`,
      hint: 'leave one of them out',
    });
  return problems;
}

function toProblems(
  found: readonly VariableProblem[],
  file: DefinitionFile,
  base: readonly string[],
): Problem[] {
  return found.map(({ path, message, hint }) => problemAt(file, [...base, ...path], message, hint));
}
