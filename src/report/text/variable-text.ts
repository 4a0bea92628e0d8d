// Texts about variables, shared by several reports. They are untrusted and not escaped here.

import type { StartEvent } from '../../model/event.ts';
import type { ResolvedVariables } from '../../model/origin.ts';
import type { OnlyFailure } from '../fold/by-variable.ts';
import { oneLine, readableText } from '../../text/untrusted.ts';

const VALUE_LENGTH = 60;

/** `AIConfiguration=a` */
function assignment(name: string, value: unknown): string {
  return `${name}=${variableText(value)}`;
}

/** A value on one line, cut for a table. */
export function variableText(value: unknown): string {
  return oneLine(readableText(value), VALUE_LENGTH);
}

/** Names the combination of values of a case. */
export type CombinationNamer = (named: { variables?: Record<string, unknown> }) => string;

/** ` [AIConfiguration=a, Temperature=0]`, a suffix for the name of a case; empty in a run without a matrix. */
export function combinationNamer({ matrix }: Pick<StartEvent, 'matrix'>): CombinationNamer {
  if (matrix === undefined) return () => '';
  const names = Object.keys(matrix);
  return ({ variables = {} }) => {
    const known = names.filter((name) => Object.hasOwn(variables, name));
    if (known.length === 0) return '';
    return ` [${known.map((name) => assignment(name, variables[name])).join(', ')}]`;
  };
}

/** `AIConfiguration=b` and the cases that fail only for this value: `greeting/T003`. */
export function onlyFailureGroups(failures: readonly OnlyFailure[]): { value: string; cases: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { test_id, id, variable, value } of failures) {
    const name = assignment(variable, value);
    const cases = groups.get(name) ?? [];
    groups.set(name, cases);
    cases.push(`${test_id}/${id}`);
  }
  return [...groups].map(([value, cases]) => ({ value, cases }));
}

/** A variable with its value and the source of the value. */
export type ShownVariable = { name: string; value: string; source: string };

/** The variables of the run. */
export function runVariables({
  resolved_variables,
}: Pick<StartEvent, 'resolved_variables'>): ShownVariable[] {
  return resolved_variables === undefined ? [] : shownVariables(resolved_variables);
}

/** The variables of tests that differ from those of the run, without those that a matrix varies. */
export function testVariables(start: StartEvent): (ShownVariable & { test: string })[] {
  const { matrix = {}, inputs } = start;
  const ofRun = new Set(runVariables(start).map((variable) => JSON.stringify(variable)));
  const found = new Map<string, ShownVariable & { test: string }>();
  for (const { test, resolved_variables: resolved } of inputs) {
    if (test === undefined || resolved === undefined) continue;
    for (const variable of shownVariables(resolved)) {
      if (Object.hasOwn(matrix, variable.name) || ofRun.has(JSON.stringify(variable))) continue;
      const row = { test, ...variable };
      found.set(JSON.stringify(row), row);
    }
  }
  return [...found.values()];
}

function shownVariables({ values, sources }: ResolvedVariables): ShownVariable[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: variableText(value),
    source: readableText(Object.hasOwn(sources, name) ? sources[name] : ''),
  }));
}
