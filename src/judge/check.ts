// The `assert` of a case comes in, everything that is wrong with it goes out, before anything runs.

import type { Problem } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { Assertion } from '../model/case.ts';
import { object, oneOrMore, optional, required } from '../schema/object.ts';
import type { Findings, Shape } from '../schema/shape.ts';
import { nameHint } from '../schema/shape.ts';
import { anything, boolean, oneOf, string } from '../schema/values.ts';
import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import type { AssertionType } from './assertion.ts';
import { assertionTypes, findAssertionType } from './registry.ts';
import { ofProblem, transformProblem } from './sent-messages.ts';
import { transformShape } from './transform.ts';

const SHARED_FIELDS = {
  type: required(anything),
  message: optional(string, 'Shown when it fails'),
  negate: optional(boolean, 'Turns the judgement round'),
  of: optional(oneOf('messages'), 'Judges what hooks sent to the user instead of the answer'),
  transform: optional(
    transformShape,
    'Judges the value of an expression or of scripts.<path>.<Function> instead of the answer',
  ),
};

const assertion: Shape<Assertion> = {
  check(value, findings) {
    if (!isObject(value))
      return findings.note(`an assertion is an object with a "type", not ${quote(value)}`);
    const { type: typeName } = value;
    const type = typeof typeName === 'string' ? findAssertionType(typeName) : undefined;
    if (type === undefined) {
      const { message, hint } = unknownType(typeName);
      return findings.note(message, hint);
    }
    checkFields(value as Assertion, type, findings);
    const problem = ofProblem(value as Assertion) ?? transformProblem(value as Assertion);
    if (problem !== undefined) findings.note(problem);
    // The type checks rules that depend on several fields, and its `value`.
    for (const { message, hint } of type.check(value as Assertion, findings)) findings.note(message, hint);
  },
  schema: () => allFields().schema(),
};

/** The `assert` field of a case: one assertion or several. */
export const assertionsShape: Shape<Assertion | Assertion[]> = {
  check(value, findings) {
    if (!Array.isArray(value)) return assertion.check(value, findings);
    if (value.length === 0)
      return findings.note('the list is empty', 'add an assertion, or remove the field');
    for (let index = 0; index < value.length; index++) findings.checkInside(index, assertion, value[index]);
  },
  schema: oneOrMore(assertion).schema,
};

function checkFields(value: Assertion, { fields }: AssertionType, findings: Findings): void {
  for (const name in value) {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const field = own ?? (Object.hasOwn(SHARED_FIELDS, name) ? SHARED_FIELDS[name as 'type'] : undefined);
    if (field === undefined) reportUnknown(name, value.type, Object.keys(fields), findings);
    else if (value[name] !== undefined) findings.checkInside(name, field.shape, value[name]);
  }
}

function reportUnknown(field: string, type: string, fields: readonly string[], findings: Findings): void {
  if (field === 'path')
    findings.note(`"${type}" has no "path"`, 'use "json_path" to look at a part of the answer');
  else
    findings.note(
      `unknown field ${quote(field)} of "${type}"`,
      nameHint(field, [...Object.keys(SHARED_FIELDS), ...fields]),
    );
}

function unknownType(name: unknown): Problem {
  const names = Object.keys(assertionTypes);
  const all = `the types are ${names.join(', ')}`;
  if (name === undefined) return { message: 'an assertion needs a "type"', hint: all };
  if (typeof name !== 'string')
    return { message: `the "type" of an assertion is a name, not ${quote(name)}`, hint: all };
  return { message: `unknown assertion type ${quote(name)}`, hint: didYouMean(name, names) ?? all };
}

/** The fields of all types together: an editor cannot tell which type a field belongs to. */
function allFields(): Shape {
  const fields = Object.values(assertionTypes).map((type) => type.fields);
  const type = required(oneOf(...Object.keys(assertionTypes)));
  return object({ ...Object.assign({}, ...fields), ...SHARED_FIELDS, type }, { others: 'free' });
}
