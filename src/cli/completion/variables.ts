// Completes `--var Name=value` and `--matrix Name=a,b` with the variables of the named tests, and their values.

import type { Defined, Definitions } from '../../definitions/read-definitions.ts';
import type { TestDefinition, TestTypeDefinition } from '../../model/definition.ts';
import type { TestVariableDefinition } from '../../model/variables.ts';
import type { Entities } from '../../variables/check-schema.ts';
import type { ListedVariable } from '../../variables/list-variables.ts';
import type { Sources } from './sources.ts';
import type { Completion } from './values.ts';
import type { Candidate, Position } from './words.ts';

type Variable = ListedVariable & { definition: TestVariableDefinition };

/** Completes the name up to the `=`, and the value after it. */
export async function completeVariable(
  position: Position,
  sources: Sources,
  { isList }: { isList: boolean },
): Promise<Completion> {
  const { word } = position;
  const equals = word.indexOf('=');
  if (equals === -1) {
    const names = new Map<string, Candidate>();
    for (const { name, displayName, description = displayName } of await variablesAt(position, sources, {}))
      if (!names.has(name)) names.set(name, { value: `${name}=`, description });
    return { candidates: [...names.values()], hasNoSpace: true };
  }
  const name = word.slice(0, equals);
  const entities = await entitiesFor(name, sources);
  const variables = await variablesAt(position, sources, entities);
  const start = isList ? Math.max(equals, word.lastIndexOf(',')) + 1 : equals + 1;
  const taken = isList ? word.slice(equals + 1, start).split(',') : [];
  const values = new Map<string, Candidate>();
  for (const variable of variables.filter((one) => one.name === name))
    for (const candidate of valuesOf(variable, position)) values.set(candidate.value, candidate);
  return {
    candidates: [...values.values()].filter(({ value }) => !taken.includes(value)),
    prefix: word.slice(0, start),
    hasNoSpace: isList,
  };
}

/** The variables that can be set in the tests; one that several tests have comes several times. */
async function variablesAt(position: Position, sources: Sources, entities: Entities): Promise<Variable[]> {
  const definitions = await sources.definitions();
  const { typeOf } = await import('../../definitions/read-definitions.ts');
  const { listVariables } = await import('../../variables/list-variables.ts');
  const tests = await testsAt(position, definitions);
  return tests.flatMap((test) => {
    const schema: TestTypeDefinition['variablesSchema'] = typeOf(definitions, test)?.variablesSchema;
    if (schema === undefined) return [];
    return listVariables(schema, test.variables, entities).flatMap((variable) => {
      const definition = schema.variables.find(({ name }) => name === variable.name);
      return variable.locked || definition === undefined ? [] : [{ ...variable, definition }];
    });
  });
}

/** The tests that the arguments name; all tests if they name none. */
async function testsAt(
  { name, args }: Position,
  { tests, suites }: Definitions,
): Promise<Defined<TestDefinition>[]> {
  const { selectTests } = await import('../../definitions/select-tests.ts');
  const wanted =
    name === 'suite' ? suites.filter(({ id }) => args.includes(id)).flatMap((suite) => suite.tests) : args;
  const named = new Set(wanted.flatMap((one) => selectTests(tests, one).tests));
  return named.size > 0 ? [...named] : tests;
}

/** The entities that a variable of this name can choose from; other kinds are not read. */
async function entitiesFor(name: string, sources: Sources): Promise<Entities> {
  const { types } = await sources.definitions();
  const definitions = types.flatMap(({ variablesSchema }) => variablesSchema?.variables ?? []);
  const wanted = new Set(definitions.filter((one) => one.name === name).map(({ entity }) => entity));
  const skills = wanted.has('skills') ? await sources.skills() : [];
  return {
    connectors: wanted.has('connectors') ? await sources.connectors() : [],
    agents: wanted.has('agents') ? await sources.agents() : [],
    skills: skills.map((skill) => skill.name),
  };
}

function valuesOf(
  { allowed, dataType, value: initial, definition }: Variable,
  { given }: Position,
): Candidate[] {
  const narrowed = narrowedValues(definition, given.get('var') ?? []);
  const all = allowed?.map(String) ?? narrowed ?? (dataType === 'boolean' ? ['true', 'false'] : []);
  const values = all.filter((value) => narrowed?.includes(value) !== false);
  return values.map((value) => {
    const possible = definition.possibleValues?.find((one) => String(one.value) === value);
    const facts = [possible?.label, possible?.description, value === String(initial) ? 'default' : undefined];
    const description = facts.filter((fact) => fact !== undefined).join(', ');
    return description === '' ? { value } : { value, description };
  });
}

/** The values that remain after `--var` has set the variable that this one depends on. */
function narrowedValues(
  { dependsOn }: TestVariableDefinition,
  typed: readonly string[],
): string[] | undefined {
  if (dependsOn === undefined) return undefined;
  const start = `${dependsOn.variable}=`;
  const other = typed.findLast((one) => one.startsWith(start))?.slice(start.length) ?? '';
  return Object.hasOwn(dependsOn.values, other) ? dependsOn.values[other]?.map(String) : undefined;
}
