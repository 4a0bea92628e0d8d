// What an agent was asked to say as JSON, found in what it said around it.

import { isObject } from '../platform/is-object.ts';
import { findObjects } from '../platform/json-in-text.ts';

/**
 * The one object in an answer that has any of these fields. An answer may quote others before it speaks for itself: if
 * several such objects say different things, nobody knows which is meant, and none is given.
 */
export function findStatement(
  output: unknown,
  fields: readonly string[],
): { statement?: Record<string, unknown>; isAmbiguous?: true } {
  if (isObject(output)) return { statement: output };
  if (typeof output !== 'string') return {};
  const meant = findObjects(output).filter((object) => fields.some((field) => Object.hasOwn(object, field)));
  const [statement] = meant;
  if (statement === undefined) return {};
  const said = JSON.stringify(statement);
  return meant.every((other) => JSON.stringify(other) === said) ? { statement } : { isAmbiguous: true };
}
