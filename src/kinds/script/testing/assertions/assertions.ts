// The assertions of `t.assert` by name, except `Agent`, which is in agent-assertion.ts.

import type { AssertionCheck, Failure } from './assertion.ts';
import { contains, len, match, notContains, notMatch } from './check-content.ts';
import { error, noError, noPanic, panic } from './check-errors.ts';
import { jsonPath } from './check-json-path.ts';
import { ordering } from './check-order.ts';
import { type } from './check-type.ts';
import { isEqual } from './equality.ts';
import { show } from './show.ts';
import { inequalityMessage } from './value-difference.ts';

export const ASSERTIONS = {
  Contains: contains,
  Equal: { parameters: ['actual', 'expected'], check: equal },
  Error: error,
  False: { parameters: ['value'], check: (value) => exactly(value, false) },
  Greater: ordering('greater than', '>', (a, b) => a > b),
  GreaterOrEqual: ordering('greater than or equal to', '>=', (a, b) => a >= b),
  JSONPath: jsonPath,
  Len: len,
  Less: ordering('less than', '<', (a, b) => a < b),
  LessOrEqual: ordering('less than or equal to', '<=', (a, b) => a <= b),
  Match: match,
  Nil: { parameters: ['value'], check: nil },
  NoError: noError,
  NoPanic: noPanic,
  NotContains: notContains,
  NotEqual: { parameters: ['actual', 'expected'], check: notEqual },
  NotMatch: notMatch,
  NotNil: { parameters: ['value'], check: notNil },
  Panic: panic,
  True: { parameters: ['value'], check: (value) => exactly(value, true) },
  Type: type,
} satisfies Record<string, AssertionCheck>;

function exactly(value: unknown, expected: boolean): Failure | undefined {
  if (value === expected) return undefined;
  return { message: `expected ${show(value)} to be ${String(expected)}`, expected, actual: value };
}

function equal(actual: unknown, expected: unknown): Failure | undefined {
  if (isEqual(actual, expected)) return undefined;
  return { message: inequalityMessage(actual, expected), expected, actual, isComparison: true };
}

function notEqual(actual: unknown, expected: unknown): Failure | undefined {
  if (!isEqual(actual, expected)) return undefined;
  const message = `expected ${show(actual)} not to equal ${show(expected)}`;
  return { message, expected: `not ${show(expected)}`, actual };
}

function nil(value: unknown): Failure | undefined {
  if (value === null || value === undefined) return undefined;
  return { message: `expected ${show(value)} to be null or undefined`, expected: null, actual: value };
}

function notNil(value: unknown): Failure | undefined {
  if (value !== null && value !== undefined) return undefined;
  return { message: `expected a value, not ${String(value)}`, expected: 'not nil', actual: value };
}
