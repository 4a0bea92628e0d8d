// select_best: a judge chooses between the answers of all variants of a case, after the run. It makes no verdict.

import type { Problem } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Assertion } from '../../model/case.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue } from '../assertion.ts';
import { CONNECTOR, USE, VALUE } from '../fields.ts';
import { connectorName } from '../connector-name.ts';

const UNUSED = ['metric', 'negate', 'of', 'transform', 'weight'] as const;

/** The value says what makes an answer the best. `use` names the agent that chooses; a connector alone the built-in one. */
export const selectBest: AssertionType = {
  fields: { connector: CONNECTOR, use: USE, value: VALUE },
  check(assertion) {
    return [...missingValue(assertion), ...unusedFields(assertion), ...missingJudge(assertion)];
  },
  judge() {
    throw new Error('"select_best" compares whole cases, so it cannot judge a turn, a checkpoint or a part');
  },
};

/** True for an assertion that is judged after the run, over all variants of its case. */
export function isSelection(assertion: unknown): boolean {
  return isObject(assertion) && assertion['type'] === 'select_best';
}

function unusedFields(assertion: Assertion): Problem[] {
  return UNUSED.filter((field) => assertion[field] !== undefined).map((field) => ({
    message: `"select_best" makes no verdict, so it cannot have "${field}"`,
  }));
}

function missingJudge(assertion: Assertion): Problem[] {
  if ((assertion['use'] ?? connectorName(assertion)) !== undefined) return [];
  return [
    {
      message: '"select_best" needs a judge',
      hint: 'name an agent as "use", or a "connector" for the built-in judge',
    },
  ];
}
