// tokens: the answer stayed within a token budget.

import type { Usage } from '../../model/agent.ts';
import type { Problem } from '../../errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { quote } from '../../text/quote.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';

const COUNTERS = ['input', 'output', 'total'] as const;
type Counter = (typeof COUNTERS)[number];

/** The maximum number of tokens: in total, or as `{input, output, total}`. Unknown usage cannot be judged. */
export const tokens: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (isCount(value)) return NO_PROBLEMS;
    if (isObject(value) && Object.keys(value).length > 0) return Object.entries(value).flatMap(checkLimit);
    return [{ message: `"tokens" needs a number or {input, output, total} as "value", not ${quote(value)}` }];
  },
  judge({ value: expected }, { transcript }) {
    const limits = isObject(expected) ? expected : { total: expected };
    const exceeded = COUNTERS.filter((counter) => Object.hasOwn(limits, counter))
      .map((counter) => ({
        counter,
        limit: Number(limits[counter]),
        count: countTokens(transcript.usage, counter),
      }))
      .filter(({ count, limit }) => count > limit);
    if (exceeded.length === 0) return PASS;
    const message = exceeded.map(
      ({ counter, limit, count }) => `${count} ${counter} tokens, more than ${limit}`,
    );
    return {
      pass: false,
      message: `the answer took ${message.join(', and ')}`,
      expected,
      actual: transcript.usage,
    };
  },
};

function countTokens(usage: Usage | undefined, counter: Counter): number {
  const { input_tokens: input, output_tokens: output } = usage ?? {};
  const known = counter === 'input' ? input : counter === 'output' ? output : sum(input, output);
  if (known === undefined) throw new Error('the agent does not report its token usage');
  return known;
}

function sum(input: number | undefined, output: number | undefined): number | undefined {
  return input === undefined || output === undefined ? undefined : input + output;
}

function checkLimit([name, limit]: [string, unknown]): Problem[] {
  if (!(COUNTERS as readonly string[]).includes(name)) {
    const hint = didYouMean(name, COUNTERS) ?? `it may have ${COUNTERS.join(', ')}`;
    return [{ message: `unknown field "${name}" in the value of "tokens"`, hint }];
  }
  return isCount(limit) ? [] : [{ message: `"${name}" of "tokens" must be a number, not ${quote(limit)}` }];
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
