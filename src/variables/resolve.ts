// The values of a test's variables: run over suite over test over type, each with where it comes from.

import type {
  ResolvedTestVariables,
  TestSuiteVariablesConfig,
  TestTypeVariablesSchema,
  TestVariableDefinition,
  TestVariableDependency,
  TestVariableOverride,
  TestVariablesConfig,
  TestVariableSource,
  TestVariableValue,
} from '../model/variables.ts';
import type { Entities } from './check-schema.ts';
import { allowedValues, problemWith } from './check-schema.ts';
import { checkValue, parseValue, valueText } from './values.ts';

/** What each level says; levels that say nothing are left out. */
export type Levels = {
  schema: TestTypeVariablesSchema;
  test?: TestVariablesConfig | undefined;
  suite?: TestSuiteVariablesConfig | undefined;
  /** Values of the right data type, or texts if they were typed (then already converted by `parseRunValues`). */
  run?: { [variableName: string]: TestVariableValue } | undefined;
  entities?: Entities;
};

export type Resolution = {
  resolved: ResolvedTestVariables;
  /** Why the test cannot run with these values. */
  problems: string[];
  /** The same, for values that are fine and only do not go together. */
  conflicts: string[];
  /** What was given and has no effect on this test. */
  warnings: string[];
};

/** The same, each with the variable that it is about. */
type NamedResolution = { resolved: ResolvedTestVariables } & Record<
  'conflicts' | 'problems' | 'warnings',
  NamedText[]
>;
export type NamedText = { name: string; message: string };

type Found = { value: TestVariableValue; source: TestVariableSource };

/** Resolves every variable of the type. Nothing is thrown: all problems come out together. */
export function resolveVariables(levels: Levels): Resolution {
  const { resolved, problems, conflicts, warnings } = resolveByName(levels);
  const texts = (found: readonly NamedText[]): string[] => found.map(({ message }) => message);
  return { resolved, problems: texts(problems), conflicts: texts(conflicts), warnings: texts(warnings) };
}

/** For forms, which show what is wrong beside the variable. */
export function resolveByName(levels: Levels): NamedResolution {
  const { schema, test, run = {}, entities = {} } = levels;
  const resolved: ResolvedTestVariables = { values: {}, sources: {} };
  const problems: NamedText[] = [];
  const warnings: NamedText[] = [];
  for (const definition of schema.variables) {
    const { name } = definition;
    const override = own(test?.variables, name);
    const isGiven = own(run, name) !== undefined;
    if (isGiven && override?.exposed === false)
      warnings.push({ name, message: `${name} has no effect here: the test does not expose it` });
    else if (isGiven && override?.locked === true)
      warnings.push({ name, message: `${name} has no effect here: the test locks it` });
    if (override?.exposed === false) continue;
    const found = valueOf(definition, override, levels);
    if (found === undefined) {
      if (definition.required)
        problems.push({ name, message: `the variable ${name} is required and has no value` });
      continue;
    }
    if (definition.required && found.value === '') {
      const message = `the variable ${name} is required and is empty (set by the ${found.source})`;
      problems.push({ name, message });
      continue;
    }
    const allowed = override?.restrictedValues ?? allowedValues(definition, entities);
    const problem = problemWith(definition, found.value, allowed);
    if (problem !== undefined) {
      problems.push({ name, message: `${problem} (set by the ${found.source})` });
      continue;
    }
    const checked = checkValue(found.value, definition.dataType);
    if ('problem' in checked) continue;
    resolved.values[name] = checked.value;
    resolved.sources[name] = found.source;
  }
  return { resolved, problems, conflicts: dependencyProblems(schema, resolved), warnings };
}

function valueOf(
  definition: TestVariableDefinition,
  override: TestVariableOverride | undefined,
  { suite, run }: Levels,
): Found | undefined {
  const { name } = definition;
  const levels: [TestVariableSource, TestVariableValue | undefined][] = [
    ['run', own(run, name)],
    ['suite', own(suite?.variables, name)],
    ['test', override?.defaultValue],
    ['type', definition.defaultValue],
  ];
  const open = override?.locked === true ? levels.slice(2) : levels;
  const [source, value] = open.find(([, candidate]) => candidate !== undefined && candidate !== null) ?? [];
  return source === undefined || value === undefined ? undefined : { value, source };
}

/** Names may be those of methods, which every object has. */
function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The same time can be written in many ways. */
function allowedBy(
  { values }: TestVariableDependency,
  other: TestVariableValue,
): (string | number | boolean)[] | undefined {
  const isSame = (text: string): boolean => {
    const checked = parseValue(text, other instanceof Date ? 'date' : 'string');
    return 'value' in checked && valueText(checked.value) === valueText(other);
  };
  return Object.entries(values).find(([text]) => isSame(text))?.[1];
}

/** A value must be one of those that the value of another variable allows. */
function dependencyProblems(schema: TestTypeVariablesSchema, { values }: ResolvedTestVariables): NamedText[] {
  return schema.variables.flatMap(({ name, dependsOn, dataType }) => {
    const value = values[name];
    const other = dependsOn === undefined ? undefined : values[dependsOn.variable];
    if (dependsOn === undefined || value === undefined || other === undefined) return [];
    const allowed = allowedBy(dependsOn, other);
    if (allowed === undefined) return [];
    const definition = { name, dataType } as TestVariableDefinition;
    const problem = problemWith(definition, value, allowed);
    if (problem === undefined) return [];
    return [{ name, message: `${problem} (while ${dependsOn.variable} is ${valueText(other)})` }];
  });
}
