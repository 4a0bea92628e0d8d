// The `assert` of a case comes in, everything that is wrong with it goes out, before anything runs.

import type { Problem } from '../errors.ts';
import type { Assertion } from '../model/case.ts';
import { didYouMean } from '../text/nearest.ts';
import type { CheckDeps } from './assertion.ts';
import { quote } from '../text/quote.ts';
import { assertionTypes, findAssertionType } from './registry.ts';
import { isObject } from '../json/is-object.ts';

const SHARED_FIELDS = ['type', 'message', 'negate'];
const NO_DEPS: CheckDeps = {};

/**
 * All problems of the `assert` field of a case; nothing is wrong with a field that is not there.
 * @example checkAssertions({ type: 'equal', value: 1 }) // [{ message: 'assert: unknown …', hint: 'did you mean "equals"?' }]
 */
export function checkAssertions(assert: unknown, deps: CheckDeps = NO_DEPS): Problem[] {
  const problems: Problem[] = [];
  if (assert === undefined) return problems;
  if (!Array.isArray(assert)) {
    checkOne(assert, 'assert', deps, problems);
    return problems;
  }
  if (assert.length === 0) {
    return [{ message: 'assert: the list is empty', hint: 'add an assertion, or remove the field' }];
  }
  for (const [index, assertion] of assert.entries()) checkOne(assertion, `assert[${index}]`, deps, problems);
  return problems;
}

function checkOne(assertion: unknown, at: string, deps: CheckDeps, problems: Problem[]): void {
  const report = ({ message, hint }: Problem) =>
    problems.push({ message: `${at}: ${message}`, ...(hint !== undefined && { hint }) });

  if (!isObject(assertion)) {
    report({ message: `an assertion is an object with a "type", not ${quote(assertion)}` });
    return;
  }
  const { type: name } = assertion;
  const type = typeof name === 'string' ? findAssertionType(name) : undefined;
  if (typeof name !== 'string' || type === undefined) {
    report(unknownType(name));
    return;
  }
  for (const field of Object.keys(assertion)) {
    if (!SHARED_FIELDS.includes(field) && !type.fields.includes(field))
      report(unknownField(field, name, type.fields));
  }
  const { message, negate } = assertion;
  if (message !== undefined && typeof message !== 'string') report({ message: '"message" must be a string' });
  if (negate !== undefined && typeof negate !== 'boolean')
    report({ message: '"negate" must be true or false' });
  // Its type is known and its fields are checked by the assertion type itself, which takes nothing for granted.
  for (const problem of type.check(assertion as Assertion, deps)) report(problem);
}

function unknownType(name: unknown): Problem {
  const names = Object.keys(assertionTypes);
  const all = `the types are ${names.join(', ')}`;
  if (name === undefined) return { message: 'an assertion needs a "type"', hint: all };
  if (typeof name !== 'string')
    return { message: `the "type" of an assertion is a name, not ${quote(name)}`, hint: all };
  return { message: `unknown assertion type ${quote(name)}`, hint: didYouMean(name, names) ?? all };
}

function unknownField(field: string, name: string, fields: readonly string[]): Problem {
  const known = [...SHARED_FIELDS, ...fields];
  const hint = didYouMean(field, known) ?? `it may have ${known.join(', ')}`;
  if (field === 'path')
    return { message: `"${name}" has no "path"`, hint: 'use "json_path" to look at a part of the answer' };
  return { message: `unknown field ${quote(field)} of "${name}"`, hint };
}
