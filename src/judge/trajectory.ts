// The calls an agent was expected to make and those it made come in, the first difference goes out.

import type { ToolCall } from '../model/agent.ts';
import { isObject } from '../json/is-object.ts';
import { askedPart, deepEqual, isSuperset } from './deep-equal.ts';
import { diffOf } from './diff.ts';
import { findUnmatched } from './matching.ts';
import { quote } from '../text/quote.ts';
import type { ExpectedCall } from './tool-calls.ts';
import { decoded, describeCalls, isCallOf } from './tool-calls.ts';

export const MODES = ['strict', 'subset', 'superset', 'unordered'] as const;
export const COMPARISONS = ['exact', 'ignore', 'subset'] as const;

/** What the calls made are of those expected: the same in order, the same, some of them, all of them and perhaps more. */
export type Mode = (typeof MODES)[number];

/** Whether arguments are equal to those expected, are not looked at, or have at least those expected. */
export type Comparison = (typeof COMPARISONS)[number];

export type Difference = { message: string; diff?: string };

/** The first difference between the calls expected and the calls made, if there is one. */
export function firstDifference(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  { mode, comparison }: { mode: Mode; comparison: Comparison },
): Difference | undefined {
  switch (mode) {
    case 'strict':
      return differenceInOrder(expected, calls, comparison);
    case 'unordered':
      return missingCall(expected, calls, comparison) ?? unexpectedCall(expected, calls, comparison);
    case 'subset':
      return unexpectedCall(expected, calls, comparison);
    case 'superset':
      return missingCall(expected, calls, comparison);
  }
}

function differenceInOrder(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  comparison: Comparison,
): Difference | undefined {
  for (const [index, wanted] of expected.entries()) {
    const made = calls[index];
    if (made === undefined) return missing(wanted, index, calls);
    if (!isCallOf(made, wanted.name)) {
      const names = `${quote(made.name)}, but ${quote(wanted.name)} was expected`;
      return { message: `call ${index + 1} is ${names}` };
    }
    if (!hasArguments(made, wanted, comparison)) return otherArguments(made, index, wanted, comparison);
  }
  const extra = calls[expected.length];
  return extra === undefined ? undefined : unexpected(extra, expected.length);
}

function missingCall(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  comparison: Comparison,
): Difference | undefined {
  const { lefts, rights } = findUnmatched(expected, calls, (wanted, made) => fits(made, wanted, comparison));
  const [index] = lefts;
  const wanted = index === undefined ? undefined : expected[index];
  if (index === undefined || wanted === undefined) return undefined;
  for (const right of rights) {
    const made = calls[right];
    if (made !== undefined && isCallOf(made, wanted.name))
      return otherArguments(made, right, wanted, comparison);
  }
  return missing(wanted, index, calls);
}

function unexpectedCall(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  comparison: Comparison,
): Difference | undefined {
  const { lefts, rights } = findUnmatched(calls, expected, (made, wanted) => fits(made, wanted, comparison));
  const [index] = lefts;
  const made = index === undefined ? undefined : calls[index];
  if (index === undefined || made === undefined) return undefined;
  for (const right of rights) {
    const wanted = expected[right];
    if (wanted !== undefined && isCallOf(made, wanted.name))
      return otherArguments(made, index, wanted, comparison);
  }
  return unexpected(made, index);
}

function fits(made: ToolCall, wanted: ExpectedCall, comparison: Comparison): boolean {
  return isCallOf(made, wanted.name) && hasArguments(made, wanted, comparison);
}

function hasArguments(made: ToolCall, wanted: ExpectedCall, comparison: Comparison): boolean {
  if (comparison === 'ignore' || wanted.arguments === undefined) return true;
  const actual = argumentsOf(made, wanted);
  return comparison === 'exact' ? deepEqual(actual, wanted.arguments) : isSuperset(actual, wanted.arguments);
}

/** A call without arguments has an empty object of them, however its protocol writes that. */
function argumentsOf(made: ToolCall, wanted: ExpectedCall): unknown {
  const isNone = made.arguments === undefined || made.arguments === null || made.arguments === '';
  return isNone && isObject(wanted.arguments) ? {} : decoded(made.arguments, wanted.arguments);
}

function missing({ name }: ExpectedCall, index: number, calls: readonly ToolCall[]): Difference {
  return { message: `expected call ${index + 1}, ${quote(name)}, was not made; ${describeCalls(calls)}` };
}

function unexpected({ name }: ToolCall, index: number): Difference {
  return { message: `call ${index + 1}, ${quote(name)}, was not expected` };
}

function otherArguments(
  made: ToolCall,
  index: number,
  wanted: ExpectedCall,
  comparison: Comparison,
): Difference {
  const actual = argumentsOf(made, wanted);
  return {
    message: `call ${index + 1}, ${quote(made.name)}, has other arguments than expected`,
    diff: diffOf(wanted.arguments, comparison === 'exact' ? actual : askedPart(actual, wanted.arguments)),
  };
}
