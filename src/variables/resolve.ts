// Resolves the values of a test's variables and their sources: run over suite over test over type.

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

/** The values that each level sets. */
export type Levels = {
  schema: TestTypeVariablesSchema;
  test?: TestVariablesConfig | undefined;
  suite?: TestSuiteVariablesConfig | undefined;
  /** Values that are already converted to the data types of the variables. */
  run?: { [variableName: string]: TestVariableValue } | undefined;
  entities?: Entities;
};

export type Resolution = {
  resolved: ResolvedTestVariables;
  /** Why the test cannot run with these values. */
  problems: string[];
  /** Valid values that cannot be combined. */
  conflicts: string[];
  /** Given values without effect on this test. */
  warnings: string[];
};

/** A resolution whose messages name their variable. */
type NamedResolution = { resolved: ResolvedTestVariables } & Record<
  'conflicts' | 'problems' | 'warnings',
  NamedText[]
>;
export type NamedText = { name: string; message: string };

type SourcedValue = { value: TestVariableValue; source: TestVariableSource };

/** Resolves every variable of the type. Returns all problems together instead of throwing. */
export function resolveVariables(levels: Levels): Resolution {
  const { resolved, problems, conflicts, warnings } = resolveByName(levels);
  const texts = (found: readonly NamedText[]): string[] => found.map(({ message }) => message);
  return { resolved, problems: texts(problems), conflicts: texts(conflicts), warnings: texts(warnings) };
}

/** Resolves variables for forms, which show each problem beside its variable. */
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

    const found = findValue(definition, override, levels);
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

function findValue(
  definition: TestVariableDefinition,
  override: TestVariableOverride | undefined,
  { suite, run }: Levels,
): SourcedValue | undefined {
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

/** Reads an own property: a variable may be named like an inherited method. */
function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The values allowed while the other variable has this value. Compares parsed dates: the same time has many spellings. */
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

/** Finds values that the current value of another variable does not allow. */
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
