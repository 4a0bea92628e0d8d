// Validates query parameters and request bodies.

import { object, optional, record, required } from '../schema/object.ts';
import { findProblems } from '../schema/problems.ts';
import type { Shape } from '../schema/shape.ts';
import { findFlaws } from '../schema/shape.ts';
import { count, matching, nullable, scalar, stringFor } from '../schema/values.ts';
import { ApiError } from './api-error.ts';
import type { RunOrder, SuiteChange } from './viewer-application.ts';

const REFERENCE = /^[0-9a-f-]{1,36}$|^latest$/;
const RUN_ID = /^[0-9a-f-]{36}$/;
const MAX_NUMBER = 1_000_000_000;

const id = optional(stringFor('an id'));
const runBody = object({
  test: id,
  suite: id,
  variables: optional(record(scalar)),
  runs: optional(count(1_000_000)),
});
const suiteBody = object({
  variables: required(record(nullable(scalar))),
  sha256: required(matching('the hash of the file', /^[0-9a-f]{64}$/)),
});

/** A run by its id, the beginning of it, or `latest`. */
export function runReference(text: string | null | undefined, name: string): string {
  if (text !== null && text !== undefined && REFERENCE.test(text)) return text;
  throw new ApiError(400, `${name}: expected the id of a run, the beginning of it, or latest`);
}

/** The whole id of a run, if there is one. */
export function optionalRunId(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || RUN_ID.test(text)) return text ?? undefined;
  throw new ApiError(400, `${name}: expected the id of a run`);
}

/** A whole number, limited to the range. */
export function readClamped(
  query: URLSearchParams,
  name: string,
  { otherwise, least = 1, most }: { otherwise: number; least?: number; most: number },
): number {
  const text = query.get(name);
  return text === null ? otherwise : Math.min(most, Math.max(least, wholeNumber(text, name)));
}

/** A count; 0 if it is missing. */
export function readCount(text: string | null | undefined, name: string): number {
  return text === null || text === undefined || text === '' ? 0 : wholeNumber(text, name);
}

export function requiredText(query: URLSearchParams, name: string): string {
  const text = storable(query.get(name), name);
  if (text !== null && text !== '') return text;
  throw new ApiError(400, `${name} is missing`);
}

/** The parameters that are present. */
export function optionalTexts<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts = names.map((name) => [name, storable(query.get(name), name)] as const);
  // Safe: all keys are known names.
  return Object.fromEntries(texts.filter(([, text]) => text !== null && text !== '')) as never;
}

/** Rejects NUL: no history stores it, and PostgreSQL fails on it. */
function storable(text: string | null, name: string): string | null {
  if (text?.includes('\0') !== true) return text;
  throw new ApiError(400, `${name}: expected a text without NUL`);
}

export function runOrder(body: Record<string, unknown>): RunOrder {
  const { test, suite, variables = {}, runs } = checkBody(runBody, body);
  if ((test === undefined) === (suite === undefined))
    throw new ApiError(400, 'expected either test or suite');
  return { what: test === undefined ? { suite: suite ?? '' } : { test }, variables, runs };
}

export function suiteChange(body: Record<string, unknown>): SuiteChange {
  return checkBody(suiteBody, body);
}

/** Throws what is wrong with a body: all values that are wrong, because the form shows them at their fields, or the first problem. */
function checkBody<T>(shape: Shape<T>, body: unknown): T {
  const [problem] = findProblems(shape, body, { wrong: 'expected' });
  // Safe: the shape was just checked.
  if (problem === undefined) return body as T;
  const problems = findFlaws(shape, body).flatMap(({ path: [field, name] }) => {
    if (field !== 'variables' || typeof name !== 'string') return [];
    return [{ name, message: `${name}: expected a text, a number, or true or false` }];
  });
  if (problems.length === 0) throw new ApiError(400, problem.message);
  throw new ApiError(400, 'some values cannot be used', { problems });
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_NUMBER) return Number(text);
  throw new ApiError(400, `${name}: expected a whole number`);
}
