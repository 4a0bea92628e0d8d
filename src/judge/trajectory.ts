// Expected calls and actual calls in, the first difference out.

import type { ToolCall } from '../model/agent.ts';
import { isObject } from '../json/is-object.ts';
import { pickExpectedKeys, deepEqual, isSuperset } from './deep-equal.ts';
import { isCertainlyEqual } from './exact-numbers.ts';
import { describeDiff } from './diff.ts';
import { findUnmatched } from './matching.ts';
import { quote } from '../text/quote.ts';
import type { ExpectedCall } from './tool-calls.ts';
import { decodeJson, describeCalls, isCallTo } from './tool-calls.ts';

export const MODES = ['strict', 'subset', 'superset', 'unordered'] as const;
export const COMPARISONS = ['exact', 'ignore', 'subset'] as const;

/**
 * How the actual calls relate to the expected ones: `strict` the same in order, `unordered` the same in any order,
 * `subset` no others, `superset` at least these.
 */
export type Mode = (typeof MODES)[number];

/** Whether arguments must be equal to the expected ones, are ignored, or must include the expected ones. */
export type Comparison = (typeof COMPARISONS)[number];

export type Difference = { message: string; diff?: string };

/** The first difference between expected and actual calls; undefined if there is no difference. */
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
    if (!isCallTo(made, wanted.name)) {
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
    if (made !== undefined && isCallTo(made, wanted.name))
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
    if (wanted !== undefined && isCallTo(made, wanted.name))
      return otherArguments(made, index, wanted, comparison);
  }
  return unexpected(made, index);
}

function fits(made: ToolCall, wanted: ExpectedCall, comparison: Comparison): boolean {
  return isCallTo(made, wanted.name) && hasArguments(made, wanted, comparison);
}

function hasArguments(made: ToolCall, wanted: ExpectedCall, comparison: Comparison): boolean {
  if (comparison === 'ignore' || wanted.arguments === undefined) return true;
  const actual = readArguments(made, wanted);
  const isSame =
    comparison === 'exact' ? deepEqual(actual, wanted.arguments) : isSuperset(actual, wanted.arguments);
  return isCertainlyEqual(isSame, wanted.arguments);
}

/** The arguments of a call. Protocols write "no arguments" differently; here it is an empty object. */
function readArguments(made: ToolCall, wanted: ExpectedCall): unknown {
  const isEmpty = made.arguments === undefined || made.arguments === null || made.arguments === '';
  return isEmpty && isObject(wanted.arguments) ? {} : decodeJson(made.arguments, wanted.arguments);
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
  const actual = readArguments(made, wanted);
  return {
    message: `call ${index + 1}, ${quote(made.name)}, has other arguments than expected`,
    diff: describeDiff(
      wanted.arguments,
      comparison === 'exact' ? actual : pickExpectedKeys(actual, wanted.arguments),
    ),
  };
}
