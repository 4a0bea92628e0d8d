// JSONPath: what a path leads to equals a value.

import { messageOf } from '../../../../errors.ts';
import type { PathResult } from '../../../../json/json-path.ts';
import { compileJsonPath } from '../../../../json/json-path.ts';
import type { AssertionCheck } from './assertion.ts';
import { misuse } from './assertion.ts';
import { isEqual } from './equality.ts';
import { show } from './show.ts';

export const jsonPath: AssertionCheck = {
  parameters: ['object', 'path', 'expected'],
  check(object, path, expected) {
    if (typeof path !== 'string') return misuse(`${show(path)} is not a JSON path`);
    let found: PathResult;
    try {
      found = compileJsonPath(path).query(object);
    } catch (problem) {
      return misuse(`the path ${show(path)} cannot be followed: ${messageOf(problem)}`);
    }
    if (found.kind === 'missing') {
      const isVague = expected === undefined;
      // A value that is undefined would be found.
      const message = `the path ${show(path)} leads to nothing${isVague ? ': there is no match' : ''}`;
      return { message, expected, actual: 'no match', isMisuse: true };
    }
    const candidates = candidatesOf(found);
    if (candidates.some((candidate) => isEqual(candidate, expected))) return undefined;
    const [actual] = candidates;
    const message = `expected ${show(actual)} at ${path} to equal ${show(expected)}`;
    return { message, expected, actual, isComparison: true };
  },
};

/** A path that may lead to many values and leads to one means that value or the list of it. */
function candidatesOf(found: Exclude<PathResult, { kind: 'missing' }>): unknown[] {
  if (found.kind === 'value') return [found.value];
  return found.values.length === 1 ? [found.values[0], found.values] : [found.values];
}
