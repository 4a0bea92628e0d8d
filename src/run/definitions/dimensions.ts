// The variables that vary in a test, each with its values: those of the run's matrix, then others of the suite's matrix.

import type { Defined } from '../../definitions/read-definitions.ts';
import type { SuiteDefinition } from '../../model/definition.ts';
import type { TestTypeVariablesSchema, TestVariableValue } from '../../model/variables.ts';
import { quote } from '../../text/quote.ts';
import { dimensionName, withAxes } from '../../variables/axes.ts';
import type { Given } from '../../variables/given.ts';
import { convertGiven } from '../../variables/given.ts';
import type { Dimension } from '../../variables/matrix.ts';
import { isSameValue, valueText } from '../../variables/values.ts';
import type { RunValues } from '../inputs/run-variables.ts';

export type Dimensions = {
  /** In the order in which they were given. */
  list: Dimension[];
  levels: Map<string, 'run' | 'suite'>;
  /** The declared variables, and the axes among the dimensions. */
  schema: TestTypeVariablesSchema;
};

export type DimensionLevels = {
  declared: TestTypeVariablesSchema | undefined;
  /** The test is one of an agent, which a matrix can vary. */
  hasAxes: boolean;
  suite: Defined<SuiteDefinition> | undefined;
  values: RunValues;
};

/** Adds what is wrong with values to `problems`. */
export function findDimensions(
  { declared, hasAxes, suite, values }: DimensionLevels,
  problems: Set<string>,
): Dimensions {
  const { matrix, values: given } = values.given;
  const named = (lists: Record<string, Given[]>): Map<string, Given[]> =>
    new Map(Object.entries(lists).map(([name, list]) => [dimensionName(name, declared), list]));
  const ofRun = named(matrix);
  const ofSuite = named(asGiven(suite?.matrix));
  const order = [...new Set([...ofRun.keys(), ...ofSuite.keys()])];
  const schema = hasAxes
    ? withAxes(declared, (name) => order.includes(name))
    : (declared ?? { schemaVersion: '1.0', variables: [] });

  const found: Dimensions = { list: [], levels: new Map(), schema };
  for (const definition of schema.variables) {
    const { name } = definition;
    const wanted = ofRun.get(name) ?? (Object.hasOwn(given, name) ? undefined : ofSuite.get(name));
    if (wanted === undefined) continue;
    const level = ofRun.has(name) ? 'run' : 'suite';
    const place = level === 'run' ? '--matrix' : suite?.at;
    const report = (message: string): void =>
      void problems.add(place === undefined ? message : `${place} ${message}`);
    const list: TestVariableValue[] = [];
    for (const one of wanted) {
      const checked = convertGiven(definition, one);
      if ('problem' in checked) report(`${name}: ${checked.problem}`);
      else if (list.some((known) => isSameValue(known, checked.value)))
        report(`${name}: ${quote(valueText(checked.value))} is in the list twice`);
      else list.push(checked.value);
    }
    found.list.push({ name, values: list });
    found.levels.set(name, level);
  }
  found.list.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  return found;
}

function asGiven(matrix: SuiteDefinition['matrix'] = {}): Record<string, Given[]> {
  return Object.fromEntries(
    Object.entries(matrix).map(([name, list]) => [name, list.map((value) => ({ value }))]),
  );
}
