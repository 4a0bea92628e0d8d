// Checks the variables of a type and their overrides by tests and suites.

import type {
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariableDefinition,
  TestVariableOverride,
  TestVariablesConfig,
} from '../model/variables.ts';
import { nearest } from '../text/nearest.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { checkValue, isSameValue, valueText } from './values.ts';

/** A problem, with its path in the definition: `variables.Language.defaultValue`. */
export type VariableProblem = { path: (string | number)[]; message: string; hint?: string };

/** The agents, connectors and skills of an application, for variables that choose from them. Unknown kinds are not checked. */
export type Entities = { [entity: string]: readonly string[] | undefined };

type Allowed = readonly (string | number | boolean)[];

/** The values that a definition allows, before a test restricts them; undefined if all are allowed. */
export function allowedValues(
  definition: TestVariableDefinition,
  entities: Entities = {},
): Allowed | undefined {
  if (definition.valueSource === 'static') return (definition.possibleValues ?? []).map(({ value }) => value);
  if (definition.valueSource !== 'entity' || definition.entity === undefined) return undefined;
  return entities[definition.entity];
}

/** More than people read; each takes time to describe. */
const MAX_PROBLEMS = 200;

/** The first problems, and a note if there are more. */
function takeProblems(found: Iterable<VariableProblem>): VariableProblem[] {
  const problems: VariableProblem[] = [];
  for (const problem of found) {
    if (problems.length === MAX_PROBLEMS)
      return [...problems, { path: [], message: `only the first ${MAX_PROBLEMS} problems are shown` }];
    problems.push(problem);
  }
  return problems;
}

/** Checks the variables of a type. */
export function checkSchema(schema: TestTypeVariablesSchema, entities: Entities = {}): VariableProblem[] {
  return takeProblems(findSchemaProblems(schema, entities));
}

function* findSchemaProblems(
  schema: TestTypeVariablesSchema,
  entities: Entities,
): Generator<VariableProblem> {
  const names = new Set<string>();
  const all = new Set(schema.variables.map(({ name }) => name));
  for (const [index, definition] of schema.variables.entries()) {
    const at = (...path: (string | number)[]): (string | number)[] => ['variables', index, ...path];
    if (definition.name in Object.prototype)
      yield {
        path: at('name'),
        message: `${definition.name} cannot be the name of a variable`,
        hint: 'every object has a property of this name',
      };
    if (names.has(definition.name))
      yield { path: at('name'), message: `the variable ${definition.name} is defined twice` };
    names.add(definition.name);
    yield* prefixPaths(at(), checkDefinition(definition, all, entities));
  }
  yield* findCycles(schema);
}

function checkDefinition(
  definition: TestVariableDefinition,
  names: ReadonlySet<string>,
  entities: Entities,
): VariableProblem[] {
  const { name, dataType, valueSource, possibleValues, entity, dependsOn, defaultValue } = definition;
  const problems: VariableProblem[] = [];
  if (valueSource === 'static' && (possibleValues === undefined || possibleValues.length === 0))
    problems.push({ path: ['possibleValues'], message: `${name} is static and has no possible values` });
  if (valueSource === 'entity' && entity === undefined)
    problems.push({
      path: ['entity'],
      message: `${name} takes its values from an entity, but has no "entity"`,
      hint: 'entity is connectors, agents or skills',
    });
  for (const [index, { value }] of (possibleValues ?? []).entries()) {
    const checked = checkValue(value, dataType);
    if ('problem' in checked)
      problems.push({ path: ['possibleValues', index, 'value'], message: `${name}: ${checked.problem}` });
  }
  if (dependsOn !== undefined && !names.has(dependsOn.variable))
    problems.push({
      path: ['dependsOn', 'variable'],
      message: `${name} depends on ${dependsOn.variable}, which is not a variable of this type`,
      ...didYouMean(dependsOn.variable, [...names]),
    });
  if (defaultValue !== undefined) {
    const problem = problemWith(definition, defaultValue, allowedValues(definition, entities));
    if (problem !== undefined) problems.push({ path: ['defaultValue'], message: problem });
  }
  return problems;
}

/** Finds variables that depend on themselves, directly or through others. */
function findCycles({ variables }: TestTypeVariablesSchema): VariableProblem[] {
  const next = new Map(variables.map(({ name, dependsOn }) => [name, dependsOn?.variable]));
  const cyclic = new Set<string>();
  const done = new Set<string>();
  for (const { name } of variables) {
    // Every variable is passed once: a path ends at one that was passed before.
    const path: string[] = [];
    let at: string | undefined = name;
    while (at !== undefined && !done.has(at)) {
      done.add(at);
      path.push(at);
      at = next.get(at);
    }
    const start = at === undefined ? -1 : path.indexOf(at);
    if (start !== -1) for (const member of path.slice(start)) cyclic.add(member);
  }
  return variables.flatMap(({ name }, index) =>
    cyclic.has(name)
      ? [{ path: ['variables', index, 'dependsOn'], message: `${name} depends on itself` }]
      : [],
  );
}

/** Checks a test's overrides of the variables of its type. */
export function checkTestVariables(
  config: TestVariablesConfig,
  schema: TestTypeVariablesSchema,
  entities: Entities = {},
): VariableProblem[] {
  const known = new Map(schema.variables.toReversed().map((definition) => [definition.name, definition]));
  function* find(): Generator<VariableProblem> {
    for (const [name, override] of Object.entries(config.variables)) {
      const definition = known.get(name);
      const problems =
        definition === undefined ? [unknown(name, schema)] : checkOverride(definition, override, entities);
      yield* prefixPaths(['variables', name], problems);
    }
  }
  return takeProblems(find());
}

function checkOverride(
  definition: TestVariableDefinition,
  override: TestVariableOverride,
  entities: Entities,
): VariableProblem[] {
  const problems: VariableProblem[] = [];
  const { restrictedValues, defaultValue } = override;
  const allowed = allowedValues(definition, entities);
  for (const [index, value] of (restrictedValues ?? []).entries()) {
    const problem = problemWith(definition, value, allowed);
    if (problem !== undefined) problems.push({ path: ['restrictedValues', index], message: problem });
  }
  if (restrictedValues?.length === 0)
    problems.push({ path: ['restrictedValues'], message: `${definition.name} is left without any value` });
  if (defaultValue === undefined) return problems;
  const problem = problemWith(definition, defaultValue, restrictedValues ?? allowed);
  return problem === undefined ? problems : [...problems, { path: ['defaultValue'], message: problem }];
}

/** Checks a suite's values against the types of its tests: one of the types must have the name and allow the value. */
export function checkSuiteVariables(
  config: TestSuiteVariablesConfig,
  schemas: readonly TestTypeVariablesSchema[],
  entities: Entities = {},
): VariableProblem[] {
  const variables = schemas.flatMap((schema) => schema.variables);
  const byName = new Map<string, TestVariableDefinition[]>();
  for (const variable of variables) {
    const others = byName.get(variable.name);
    if (others === undefined) byName.set(variable.name, [variable]);
    else others.push(variable);
  }
  function* find(): Generator<VariableProblem> {
    for (const [name, value] of Object.entries(config.variables)) {
      const path = ['variables', name];
      const known = byName.get(name);
      if (known === undefined) {
        yield { ...unknown(name, { variables }), path };
        continue;
      }
      const found = known.map((definition) =>
        problemWith(definition, value, allowedValues(definition, entities)),
      );
      const [first] = found;
      if (first !== undefined && !found.includes(undefined)) yield { path, message: first };
    }
  }
  return takeProblems(find());
}

/** Describes why a variable cannot have a value; undefined if it can. */
export function problemWith(
  definition: TestVariableDefinition,
  value: unknown,
  allowed: Allowed | undefined,
): string | undefined {
  const { name, dataType } = definition;
  const checked = checkValue(value, dataType);
  if ('problem' in checked)
    return `${name}: ${isCredentialName(name) ? 'has the wrong type' : checked.problem}`;
  if (allowed === undefined || allowed.some((one) => isAllowed(one, checked.value, dataType)))
    return undefined;
  const values = allowed.length === 0 ? 'none' : allowed.map(String).join(', ');
  const shown = isCredentialName(name) ? '***' : valueText(checked.value);
  return `${name}: ${shown} is not one of the allowed values: ${values}`;
}

function isAllowed(one: unknown, value: unknown, dataType: TestVariableDefinition['dataType']): boolean {
  const checked = checkValue(one, dataType);
  return 'value' in checked && isSameValue(checked.value, value);
}

/** Puts a prefix before the paths of problems. */
function prefixPaths(
  prefix: readonly (string | number)[],
  problems: readonly VariableProblem[],
): VariableProblem[] {
  return problems.map(({ path, message, hint }) => {
    const problem = { path: [...prefix, ...path], message };
    return hint === undefined ? problem : Object.assign(problem, { hint });
  });
}

function unknown(name: string, { variables }: Pick<TestTypeVariablesSchema, 'variables'>): VariableProblem {
  const names = [...new Set(variables.map((variable) => variable.name))];
  return { path: [], message: `unknown variable ${name}`, ...didYouMean(name, names) };
}

/** The hint for an unknown name. */
function didYouMean(name: string, names: readonly string[]): { hint?: string } {
  const near = nearest(name, names);
  if (near.length > 0) return { hint: `did you mean ${near.join(', ')}?` };
  return names.length === 0 ? {} : { hint: `there is ${names.join(', ')}` };
}
