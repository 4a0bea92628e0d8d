// The sets of values that a test is run with: one, or all combinations of a matrix, or a selection of them.

import type { Defined } from '../../definitions/read-definitions.ts';
import type { SourceVariables } from '../../kinds/test-binding.ts';
import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../../model/definition.ts';
import type { ResolvedVariables } from '../../model/origin.ts';
import type {
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../../model/variables.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { Entities } from '../../variables/check-schema.ts';
import type { GivenSources } from '../../variables/given.ts';
import { convertGivenValues, convertGiven } from '../../variables/given.ts';
import { combinations, pairwise } from '../../variables/matrix.ts';
import type { Dimension } from '../../variables/matrix.ts';
import type { Resolution } from '../../variables/resolve.ts';
import { resolveVariables } from '../../variables/resolve.ts';
import { checkValue, valueText } from '../../variables/values.ts';
import type { RunValues } from '../inputs/run-variables.ts';
import { groupDigits } from '../../text/group-digits.ts';

export type Combination = { variables: SourceVariables };

export type TestCombinations = {
  combinations: Combination[];
  /** The values that were combined, as in JSON. */
  matrix: Record<string, unknown[]>;
  problems: string[];
  /** Values without an effect, and combinations that are left out. */
  notes: string[];
};

export type TestLevels = {
  test: Defined<TestDefinition>;
  type: TestTypeDefinition | undefined;
  suite: Defined<SuiteDefinition> | undefined;
  values: RunValues;
  pairwise: boolean;
  entities: Entities;
};

/** More combinations than this are a mistake. */
const MOST_COMBINATIONS = 100_000;
const NO_VARIABLES: TestTypeVariablesSchema = { schemaVersion: '1.0', variables: [] };

/** Resolves the variables of a test, once for each combination that makes a difference to it. */
export function combinationsOf(levels: TestLevels): TestCombinations {
  const { test, type, suite, values, entities } = levels;
  const schema = type?.variablesSchema ?? NO_VARIABLES;
  const given = convertGivenValues(schema, values.given.values);
  const problems = new Set(given.problems.map(({ name, message }) => atPlace(message, values.places[name])));
  const dimensions = dimensionsOf(levels, schema, problems);
  const notes = new Set<string>();
  const resolve = (combination: Record<string, TestVariableValue>): Resolution => {
    const ofLevel = (level: 'run' | 'suite'): Record<string, TestVariableValue> =>
      Object.fromEntries(
        Object.entries(combination).filter(([name]) => dimensions.levels.get(name) === level),
      );
    return resolveVariables({
      schema,
      test: test.variables,
      suite: { variables: { ...suite?.variables?.variables, ...ofLevel('suite') } },
      run: { ...given.values, ...ofLevel('run') },
      entities,
    });
  };
  const isAllowed = schema.variables.some(({ dependsOn }) => dependsOn !== undefined)
    ? (combination: Record<string, TestVariableValue>) => resolve(combination).conflicts.length === 0
    : undefined;
  const { list } = dimensions;
  const count = list.reduce((product, one) => product * one.values.length, 1);
  if (count > MOST_COMBINATIONS && !levels.pairwise)
    problems.add(`the matrix has ${groupDigits(count)} combinations; --pairwise takes few of them`);
  if (problems.size > 0) return { combinations: [], matrix: {}, problems: [...problems], notes: [] };
  const wanted = levels.pairwise ? pairwise(list, isAllowed) : [...combinations(list)];

  const found = new Map<string, Combination>();
  const conflicts: string[] = [];
  for (const combination of wanted) {
    const resolution = resolve(combination);
    for (const problem of resolution.problems) problems.add(withPlace(problem, values.places));
    for (const warning of resolution.warnings) notes.add(warning);
    const [conflict] = resolution.conflicts;
    if (conflict !== undefined) {
      conflicts.push(conflict);
      continue;
    }
    const variables = sourceVariables(schema, resolution, test.variables);
    // A variable that a test locks or hides makes no difference to it.
    found.set(variablesKey(variables.resolved.values), { variables });
  }
  const [first] = conflicts;
  if (first !== undefined && found.size === 0) problems.add(first);
  else if (first !== undefined)
    notes.add(`${String(conflicts.length)} of ${String(wanted.length)} combinations are left out: ${first}`);
  return {
    combinations: [...found.values()],
    matrix: Object.fromEntries(list.map((one) => [one.name, one.values.map(jsonValue)])),
    problems: [...problems],
    notes: [...notes],
  };
}

type Dimensions = { list: Dimension[]; levels: Map<string, 'run' | 'suite'> };

/** The variables that vary in this test: those of the run's matrix, then others of the suite's matrix. */
function dimensionsOf(
  { suite, values }: TestLevels,
  schema: TestTypeVariablesSchema,
  problems: Set<string>,
): Dimensions {
  const dimensions: Dimensions = { list: [], levels: new Map() };
  const { matrix, values: given } = values.given;
  for (const definition of schema.variables) {
    const { name } = definition;
    const ofRun = Object.hasOwn(matrix, name) ? matrix[name] : undefined;
    const isSet = Object.hasOwn(given, name);
    const ofSuite = isSet ? undefined : suite?.matrix?.[name]?.map((value) => ({ value }));
    const wanted = ofRun ?? ofSuite;
    if (wanted === undefined) continue;
    const place = ofRun === undefined ? suite?.at : '--matrix';
    const list = wanted.flatMap((one): TestVariableValue[] => {
      const checked = convertGiven(definition, one);
      if ('value' in checked) return [checked.value];
      problems.add(atPlace(`${name}: ${checked.problem}`, place));
      return [];
    });
    dimensions.list.push({ name, values: list });
    dimensions.levels.set(name, ofRun === undefined ? 'suite' : 'run');
  }
  // In the order in which they were given.
  const order = [...Object.keys(matrix), ...Object.keys(suite?.matrix ?? {})];
  dimensions.list.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return dimensions;
}

/** The variables of a test, as its inputs carry them. */
function sourceVariables(
  schema: TestTypeVariablesSchema,
  { resolved }: Resolution,
  test?: TestVariablesConfig,
): SourceVariables {
  const values = asJson(resolved.values);
  const names = schema.variables.map(({ name }) => name);
  const isHidden = (name: string): boolean => test?.variables[name]?.exposed === false;
  return {
    resolved: { values, sources: resolved.sources },
    dates: Object.keys(resolved.values).filter((name) => resolved.values[name] instanceof Date),
    isStrict: true,
    withoutValue: names.filter((name) => values[name] === undefined && !isHidden(name)),
    hidden: names.filter(isHidden),
  };
}

/** The variables of a run as a whole: what all of its tests have alike, and what suite and run set for them. */
export function runLevel(all: readonly TestCombinations[]): ResolvedVariables {
  const sets = all.flatMap((test) => test.combinations.map(({ variables }) => variables.resolved));
  const varied = new Set(all.flatMap(({ matrix }) => Object.keys(matrix)));
  const resolved: ResolvedVariables = { values: {}, sources: {} };
  for (const name of new Set(sets.flatMap(({ values }) => Object.keys(values)))) {
    const known = sets.filter(({ values }) => values[name] !== undefined);
    const isAlike = known.every(({ values }) => values[name] === known[0]?.values[name]);
    // A test may be an exception to what was set for all.
    const isSet = ({ sources }: ResolvedVariables): boolean =>
      !varied.has(name) && (sources[name] === 'run' || sources[name] === 'suite');
    const found = known.find(isSet) ?? (isAlike ? known[0] : undefined);
    if (found === undefined) continue;
    resolved.values[name] = found.values[name];
    resolved.sources[name] = found.sources[name];
  }
  return resolved;
}

/** Values that a run gives to `assay test -i`, which has no definition: only they count, no defaults. */
export function runOnly(
  schema: TestTypeVariablesSchema,
  values: RunValues,
  entities: Entities,
): { variables: SourceVariables; problems: string[] } {
  const given = convertGivenValues(schema, values.given.values);
  const variables = schema.variables
    .filter(({ name }) => given.values[name] !== undefined)
    .map(({ defaultValue: _default, ...definition }) => definition);
  const resolution = resolveVariables({ schema: { ...schema, variables }, run: given.values, entities });
  return {
    variables: { ...sourceVariables(schema, resolution), isStrict: false, withoutValue: [] },
    problems: [
      ...given.problems.map(({ name, message }) => atPlace(message, values.places[name])),
      ...resolution.problems,
    ],
  };
}

function asJson(values: Record<string, TestVariableValue>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonValue(value)]));
}

/** A date is text in JSON. */
function jsonValue(value: TestVariableValue): unknown {
  const checked = checkValue(value, 'date');
  return value instanceof Date && 'value' in checked ? valueText(checked.value) : value;
}

/** Says where a value of the run comes from: a flag, a file or the environment. */
function withPlace(problem: string, places: GivenSources): string {
  const place = places[/^\w+/.exec(problem)?.[0] ?? ''];
  return place === undefined ? problem : problem.replace('(set by the run)', `(set by ${place})`);
}

function atPlace(message: string, place: string | undefined): string {
  return place === undefined ? message : `${place} ${message}`;
}
