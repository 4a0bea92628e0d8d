// The `assert` of a case comes in, everything that is wrong with it goes out, before anything runs.

import type { Problem } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import type { Assertion } from '../model/case.ts';
import type { Fields } from '../schema/object.ts';
import { object, oneOrMore, optional, required } from '../schema/object.ts';
import type { Findings, Shape } from '../schema/shape.ts';
import { nameHint } from '../schema/shape.ts';
import { anything, boolean, matching, oneOf, string, that } from '../schema/values.ts';
import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import { VALUE } from './fields.ts';
import { isSelection } from './assertions/select-best.ts';
import { otherNameHint } from './other-names.ts';
import { assertionTypes, findAssertionType, findCombinator, TYPE_NAMES } from './registry.ts';
import { ofProblem, transformProblem } from './sent-messages.ts';
import { transformShape } from './transform.ts';

/** Combinators inside of combinators. */
const MAX_LEVELS = 5;
const MAX_WEIGHT = 1_000_000;

/** How an assertion counts for its case. */
const COUNTING = {
  weight: optional(
    that<number>(
      'a number from 0 to 1,000,000',
      { type: 'number', minimum: 0, maximum: MAX_WEIGHT },
      (weight) => typeof weight === 'number' && weight >= 0 && weight <= MAX_WEIGHT,
    ),
    'How much it counts for the score of the case; 1 unless said otherwise',
  ),
  metric: optional(
    matching(
      'a name of at most 64 letters, digits, spaces and _ . / -',
      /^[\p{L}\p{N}_][\p{L}\p{N}_ ./-]{0,63}$/u,
    ),
    'The name of its score',
  ),
  advisory: optional(boolean, 'Reported only: its failure or error decides nothing'),
};

const SHARED_FIELDS: Fields = {
  type: required(anything),
  message: optional(string, 'Shown when it fails'),
  negate: optional(boolean, 'Turns the judgement round'),
  of: optional(oneOf('messages'), 'Judges what hooks sent to the user instead of the answer'),
  transform: optional(
    transformShape,
    'Judges the value of an expression or of scripts.<path>.<Function> instead of the answer',
  ),
  ...COUNTING,
};

const COMBINATOR_FIELDS: Fields = { value: VALUE };

/** Where assertions stand that do not count by themselves: `inside` names the place. */
type Place = { level: number; inside?: string };

/** An assertion at a place; those of combinators are a level deeper. */
function assertionAt(place: Place): Shape<Assertion> {
  return {
    check(value, findings) {
      if (!isObject(value))
        return findings.note(`an assertion is an object with a "type", not ${quote(value)}`);
      const { type: typeName } = value;
      const type = typeof typeName === 'string' ? findAssertionType(typeName) : undefined;
      const isCombining = type === undefined && findCombinator(String(typeName)) !== undefined;
      if (type === undefined && !isCombining) {
        const { message, hint } = unknownType(typeName);
        return findings.note(message, hint);
      }
      // The type is known, so this is an assertion.
      const assertion = value as Assertion;
      checkFields(assertion, type?.fields ?? COMBINATOR_FIELDS, findings);
      if (place.inside !== undefined) refuseCounting(assertion, place.inside, findings);
      if (place.inside !== undefined && isSelection(assertion))
        findings.note(`"select_best" cannot be inside of ${place.inside}`, 'give it to the case itself');
      const problem = ofProblem(assertion) ?? transformProblem(assertion);
      if (problem !== undefined) findings.note(problem);
      // The type checks rules that depend on several fields, and its `value`.
      if (type === undefined) return checkInner(assertion, place.level, findings);
      for (const { message, hint } of type.check(assertion, findings)) findings.note(message, hint);
    },
    schema: () => allFields().schema(),
  };
}

function assertionsAt(place: Place): Shape<Assertion | Assertion[]> {
  const assertion = assertionAt(place);
  return {
    check(value, findings) {
      if (!Array.isArray(value)) return assertion.check(value, findings);
      if (value.length === 0)
        return findings.note('the list is empty', 'add an assertion, or remove the field');
      for (let index = 0; index < value.length; index++) findings.checkInside(index, assertion, value[index]);
    },
    schema: oneOrMore(assertion).schema,
  };
}

/** The `assert` field of a case or a turn: one assertion or several. */
export const assertionsShape = assertionsAt({ level: 0 });

/** The `assert` field of a checkpoint, which gets one verdict for all of them. */
export const checkpointAssertionsShape = assertionsAt({ level: 0, inside: 'a checkpoint' });

/** The assertions inside of a combinator, by the level of the combinator. */
const INNER = Array.from({ length: MAX_LEVELS }, (_, level) =>
  assertionAt({ level: level + 1, inside: 'another assertion' }),
);

function checkInner({ type, value }: Assertion, level: number, findings: Findings): void {
  const inner = INNER[level];
  if (inner === undefined)
    return findings.note(`"${type}" is nested more than ${MAX_LEVELS} levels deep`, 'combine fewer levels');
  if (!Array.isArray(value) || value.length === 0) {
    const given = value === undefined ? '' : `, not ${quote(value)}`;
    return findings.note(`"${type}" needs a list of assertions as "value"${given}`);
  }
  findings.path.push('value');
  for (const [index, one] of value.entries()) findings.checkInside(index, inner, one);
  findings.path.pop();
}

function refuseCounting(assertion: Assertion, inside: string, findings: Findings): void {
  for (const name of Object.keys(COUNTING)) {
    if (assertion[name] === undefined) continue;
    const isCheckpoint = inside === 'a checkpoint';
    findings.note(
      `an assertion inside of ${inside} cannot have "${name}"`,
      isCheckpoint
        ? 'a checkpoint with "required": false decides nothing'
        : `give "${name}" to the outer one`,
    );
  }
}

function checkFields(value: Assertion, fields: Fields, findings: Findings): void {
  for (const name in value) {
    const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const field = own ?? (Object.hasOwn(SHARED_FIELDS, name) ? SHARED_FIELDS[name] : undefined);
    if (field === undefined) reportUnknown(name, value.type, Object.keys(fields), findings);
    else if (value[name] !== undefined) findings.checkInside(name, field.shape, value[name]);
  }
}

/** Their limit is their value. */
const BUDGETS = new Set(['cost', 'latency', 'tokens']);

function reportUnknown(field: string, type: string, fields: readonly string[], findings: Findings): void {
  if (field === 'path')
    findings.note(`"${type}" has no "path"`, 'use "json_path" to look at a part of the answer');
  else if (field === 'threshold' && BUDGETS.has(type))
    findings.note(`"${type}" has no "threshold"`, 'write the limit as "value"');
  else if (field === 'provider')
    findings.note(
      `"${type}" has no "provider"`,
      'write "connector" for a model, or "use" for an agent that judges',
    );
  else
    findings.note(
      `unknown field ${quote(field)} of "${type}"`,
      nameHint(field, [...Object.keys(SHARED_FIELDS), ...fields]),
    );
}

function unknownType(name: unknown): Problem {
  const all = `the types are ${TYPE_NAMES.join(', ')}`;
  if (name === undefined) return { message: 'an assertion needs a "type"', hint: all };
  if (typeof name !== 'string')
    return { message: `the "type" of an assertion is a name, not ${quote(name)}`, hint: all };
  const hint = otherNameHint(name, TYPE_NAMES) ?? didYouMean(name, TYPE_NAMES) ?? all;
  return { message: `unknown assertion type ${quote(name)}`, hint };
}

/** The fields of all types together: an editor cannot tell which type a field belongs to. */
function allFields(): Shape {
  const fields = Object.values(assertionTypes).map((type) => type.fields);
  const type = required(oneOf(...TYPE_NAMES));
  return object({ ...Object.assign({}, ...fields), ...SHARED_FIELDS, type }, { others: 'free' });
}
