// The sets of values that a test is run with: one, or all combinations of a matrix, or a selection of them.

import type { SourceVariables } from '../../kinds/test-binding.ts';
import type { ResolvedVariables } from '../../model/origin.ts';
import type {
  TestTypeVariablesSchema,
  TestVariablesConfig,
  TestVariableValue,
} from '../../model/variables.ts';
import { isAxis } from '../../variables/axes.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { Entities } from '../../variables/check-schema.ts';
import type { GivenSources } from '../../variables/given.ts';
import { convertGivenValues } from '../../variables/given.ts';
import { combinations, pairwise } from '../../variables/matrix.ts';
import type { Resolution } from '../../variables/resolve.ts';
import { resolveVariables } from '../../variables/resolve.ts';
import { checkValue, valueText } from '../../variables/values.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { agentOf } from './definition-sources.ts';
import type { DimensionLevels, Dimensions } from './dimensions.ts';
import { findDimensions } from './dimensions.ts';

export type Combination = { variables: SourceVariables };

export type TestCombinations = {
  combinations: Combination[];
  /** The values that were combined, as in JSON. */
  matrix: Record<string, unknown[]>;
  problems: string[];
  /** Values without an effect, and combinations that are left out. */
  notes: string[];
};

export type TestLevels = DimensionLevels & {
  /** The overrides of the test; an input without a definition has none. */
  test?: TestVariablesConfig | undefined;
  pairwise: boolean;
  entities: Entities;
  /** Every `{{Name}}` in cases must have a value. */
  isStrict: boolean;
};

/** More combinations than this are a mistake. */
const MOST_COMBINATIONS = 100_000;

/** Resolves the variables of a test, once for each combination that makes a difference to it. */
export function combinationsOf(levels: TestLevels): TestCombinations {
  const { test, values } = levels;
  const problems = new Set<string>();
  const dimensions = findDimensions(levels, problems);
  const { list, schema } = dimensions;
  const given = convertGivenValues(schema, values.given.values);
  for (const { name, message } of given.problems) problems.add(atPlace(message, values.places[name]));
  const count = list.reduce((product, one) => product * one.values.length, 1);
  if (count > MOST_COMBINATIONS && !levels.pairwise)
    problems.add(`the matrix has ${groupDigits(count)} combinations; --pairwise takes few of them`);
  if (problems.size > 0) return { combinations: [], matrix: {}, problems: [...problems], notes: [] };

  const resolve = createResolver(levels, dimensions, given.values);
  const isAllowed = schema.variables.some(({ dependsOn }) => dependsOn !== undefined)
    ? (combination: Record<string, TestVariableValue>) => resolve(combination).conflicts.length === 0
    : undefined;
  const wanted = levels.pairwise ? pairwise(list, isAllowed) : [...combinations(list)];
  const notes = new Set<string>();
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
    const variables = {
      ...sourceVariables(schema, resolution, test),
      ...axisValues(combination, dimensions, levels),
      ...(list.length > 0 && { varied: list.map(({ name }) => name) }),
      isStrict: levels.isStrict,
    };
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

/** Resolves the variables of a test for a combination of its dimensions. */
function createResolver(
  { test, suite, entities }: TestLevels,
  { schema, levels }: Dimensions,
  given: Record<string, TestVariableValue>,
): (combination: Record<string, TestVariableValue>) => Resolution {
  return (combination) => {
    const ofLevel = (level: 'run' | 'suite'): Record<string, TestVariableValue> =>
      Object.fromEntries(Object.entries(combination).filter(([name]) => levels.get(name) === level));
    return resolveVariables({
      schema,
      test,
      suite: { variables: { ...suite?.variables?.variables, ...ofLevel('suite') } },
      run: { ...given, ...ofLevel('run') },
      entities,
    });
  };
}

/** What a combination says about the agent and its connector, where no variable of the type does. */
function axisValues(
  combination: Record<string, TestVariableValue>,
  dimensions: Dimensions,
  { declared, suite }: TestLevels,
): Pick<SourceVariables, 'agent' | 'connector'> {
  const axis = (name: string): string | undefined => {
    const value = isAxis(name, declared) ? combination[name] : undefined;
    return value === undefined ? undefined : valueText(value);
  };
  const agent = axis('agent');
  const isOfSuite = dimensions.levels.get('agent') === 'suite' && suite !== undefined;
  return {
    // A path in a suite starts from its file.
    agent: agent !== undefined && isOfSuite ? agentOf(agent, suite.folder) : agent,
    connector: axis('connector'),
  };
}

/** The variables of a test, as its inputs carry them. */
function sourceVariables(
  schema: TestTypeVariablesSchema,
  { resolved }: Resolution,
  test?: TestVariablesConfig,
): Omit<SourceVariables, 'isStrict'> {
  const values = asJson(resolved.values);
  const names = schema.variables.map(({ name }) => name);
  const isHidden = (name: string): boolean => test?.variables[name]?.exposed === false;
  return {
    resolved: { values, sources: resolved.sources },
    dates: Object.keys(resolved.values).filter((name) => resolved.values[name] instanceof Date),
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
