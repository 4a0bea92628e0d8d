// trajectory: the agent made the expected tool calls.

import type { Problem } from '../../errors.ts';
import type { Assertion } from '../../model/case.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { quote } from '../../text/quote.ts';
import { readExpectedCall, requireCalls } from '../tool-calls.ts';
import { COMPARISONS, firstDifference, MODES } from '../trajectory.ts';
import { VALUE, checkTool } from '../fields.ts';
import { optional } from '../../schema/object.ts';
import { oneOf } from '../../schema/values.ts';

/**
 * The value is a list of names and `{name, arguments}`. `mode` selects how the list of calls is compared, `arguments`
 * how the arguments of a call are.
 */
export const trajectory: AssertionType = {
  fields: {
    arguments: optional(oneOf(...COMPARISONS), 'How arguments are compared, for trajectory'),
    mode: optional(oneOf(...MODES), 'What the calls made are of those expected, for trajectory'),
    value: VALUE,
  },
  check: checkCalls,
  judge(assertion, { transcript: { tool_calls: calls } }) {
    requireCalls(calls);
    const { value } = assertion;
    const expected = Array.isArray(value) ? value.map(readExpectedCall) : [];
    const mode = MODES.find((name) => name === assertion['mode']) ?? 'strict';
    const comparison = COMPARISONS.find((name) => name === assertion['arguments']) ?? 'exact';
    const difference = firstDifference(expected, calls, { mode, comparison });
    if (difference === undefined) return PASS;
    const actual = calls.map((call) => ({
      name: call.name,
      ...(call.arguments !== undefined && { arguments: call.arguments }),
    }));
    return { pass: false, ...difference, expected: value, actual };
  },
};

function checkCalls(assertion: Assertion): readonly Problem[] {
  const { value, mode } = assertion;
  if (value === undefined) return missingValue(assertion);
  if (!Array.isArray(value))
    return [{ message: `"trajectory" needs a list of calls as "value", not ${quote(value)}` }];
  if (value.length === 0 && mode === 'superset')
    return [{ message: 'the list of "trajectory" is empty, so in mode "superset" every answer passes' }];
  return value.length === 0 ? NO_PROBLEMS : value.flatMap((tool) => checkTool('trajectory', tool));
}
