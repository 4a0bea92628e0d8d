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

/** Checks the variables of a type. */
export function checkSchema(schema: TestTypeVariablesSchema, entities: Entities = {}): VariableProblem[] {
  const problems: VariableProblem[] = [];
  const names = schema.variables.map(({ name }) => name);
  for (const [index, definition] of schema.variables.entries()) {
    const at = (...path: (string | number)[]): (string | number)[] => ['variables', index, ...path];
    if (definition.name in Object.prototype)
      problems.push({
        path: at('name'),
        message: `${definition.name} cannot be the name of a variable`,
        hint: 'every object has a property of this name',
      });
    if (names.indexOf(definition.name) !== index)
      problems.push({ path: at('name'), message: `the variable ${definition.name} is defined twice` });
    problems.push(...prefixPaths(at(), checkDefinition(definition, names, entities)));
  }
  return [...problems, ...findCycles(schema)];
}

function checkDefinition(
  definition: TestVariableDefinition,
  names: readonly string[],
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
  if (dependsOn !== undefined && !names.includes(dependsOn.variable))
    problems.push({
      path: ['dependsOn', 'variable'],
      message: `${name} depends on ${dependsOn.variable}, which is not a variable of this type`,
      ...didYouMean(dependsOn.variable, names),
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
  return variables.flatMap(({ name }, index) => {
    const seen = new Set<string>();
    for (let at = next.get(name); at !== undefined; at = next.get(at)) {
      if (at === name)
        return [{ path: ['variables', index, 'dependsOn'], message: `${name} depends on itself` }];
      if (seen.has(at)) return [];
      seen.add(at);
    }
    return [];
  });
}

/** Checks a test's overrides of the variables of its type. */
export function checkTestVariables(
  config: TestVariablesConfig,
  schema: TestTypeVariablesSchema,
  entities: Entities = {},
): VariableProblem[] {
  return Object.entries(config.variables).flatMap(([name, override]) => {
    const definition = schema.variables.find((variable) => variable.name === name);
    const problems =
      definition === undefined ? [unknown(name, schema)] : checkOverride(definition, override, entities);
    return prefixPaths(['variables', name], problems);
  });
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
  return Object.entries(config.variables).flatMap(([name, value]) => {
    const known = schemas.flatMap(({ variables }) => variables.filter((variable) => variable.name === name));
    const path = ['variables', name];
    if (known.length === 0)
      return [{ ...unknown(name, { variables: schemas.flatMap(({ variables }) => variables) }), path }];
    const found = known.map((definition) =>
      problemWith(definition, value, allowedValues(definition, entities)),
    );
    const [first] = found;
    return first === undefined || found.includes(undefined) ? [] : [{ path, message: first }];
  });
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
