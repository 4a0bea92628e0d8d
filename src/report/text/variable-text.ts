// Texts about variables, shared by several reports. They are untrusted and not escaped here.

import type { StartEvent } from '../../model/event.ts';
import type { ResolvedVariables } from '../../model/origin.ts';
import type { OnlyFailure, OnlyFailures, PossibleOnlyFailure } from '../fold/only-failures.ts';
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

/** `Only fails for AIConfiguration=b` and the cases that it is said of: `greeting/T003`. */
export type OnlyFailureGroup = { claim: string; cases: string[] };

/** Claims about single values, those that are proven first; at most `limit` cases, and the number of those left out. */
export function onlyFailureGroups(
  { only_fails_for, may_only_fail_for }: OnlyFailures,
  limit: number,
): { groups: OnlyFailureGroup[]; left: number } {
  const groups = new Map<string, string[]>();
  for (const failure of [...only_fails_for, ...may_only_fail_for].slice(0, limit)) {
    const claim = onlyFailureClaim(failure);
    const cases = groups.get(claim) ?? [];
    groups.set(claim, cases);
    cases.push(`${failure.test_id}/${failure.id}`);
  }
  return {
    groups: [...groups].map(([claim, cases]) => ({ claim, cases })),
    left: Math.max(0, only_fails_for.length + may_only_fail_for.length - limit),
  };
}

function onlyFailureClaim(failure: OnlyFailure | PossibleOnlyFailure): string {
  const name = assignment(failure.variable, failure.value);
  if (!('runs' in failure)) return `Only fails for ${name}`;
  return `May fail only for ${name} (not proven: ${failure.runs === 1 ? '1 run' : `${failure.runs} runs`})`;
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
