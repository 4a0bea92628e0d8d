// The tests of a run that come from definitions.

import type { LoggedInput, StartEvent } from '../../model/event.ts';
import type { ResolvedVariables } from '../../model/origin.ts';

/** One test with one combination of values, for the JSON report. */
export type DefinedTest = {
  test: string;
  test_id: string;
  agent_id: string;
  runs: number;
  resolved_variables?: ResolvedVariables;
};

export function definedTests({ inputs, runs_per_case }: StartEvent): DefinedTest[] {
  return inputs.flatMap((input) => {
    const { test, test_id = test, agent_id, runs = runs_per_case, resolved_variables } = input;
    if (test === undefined || test_id === undefined) return [];
    return [{ test, test_id, agent_id, runs, resolved_variables }];
  });
}

/** The names of the tests, with the number of combinations if there are several: `greeting × 4 combinations`. */
export function testTexts(inputs: readonly LoggedInput[], times: string): string[] {
  const combinations = new Map<string, Set<string>>();
  for (const { test, resolved_variables } of inputs) {
    if (test === undefined) continue;
    const known = combinations.get(test) ?? new Set();
    combinations.set(test, known.add(JSON.stringify(resolved_variables?.values ?? {})));
  }
  return [...combinations].map(([test, { size }]) =>
    size === 1 ? test : `${test} ${times} ${size} combinations`,
  );
}

/** True if a run has more than one test; combinations of values count as one test. */
export function hasSeveralTests({ inputs }: Pick<StartEvent, 'inputs'>): boolean {
  return new Set(inputs.map(({ test_id: testId }, index) => testId ?? index)).size > 1;
}
