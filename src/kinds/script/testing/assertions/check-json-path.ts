// JSONPath: the value at a path equals the expected one.

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
      // A property that is undefined would be a match.
      const detail = expected === undefined ? ', not even undefined' : '';
      const message = `the path ${show(path)} matches nothing${detail}`;
      return { message, expected, actual: 'no match', isMisuse: true };
    }
    const candidates = listCandidates(found);
    if (candidates.some((candidate) => isEqual(candidate, expected))) return undefined;
    const [actual] = candidates;
    const message = `expected ${show(actual)} at ${path} to equal ${show(expected)}`;
    return { message, expected, actual, isComparison: true };
  },
};

/** A path that can match several values and matches one may mean that value or the list with it. */
function listCandidates(found: Exclude<PathResult, { kind: 'missing' }>): unknown[] {
  if (found.kind === 'value') return [found.value];
  return found.values.length === 1 ? [found.values[0], found.values] : [found.values];
}
