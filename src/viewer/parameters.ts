// Validates query parameters and request bodies.

import { isObject } from '../json/is-object.ts';
import { ApiError } from './api-error.ts';
import type { RunOrder, SuiteChange } from './viewer-application.ts';

const REFERENCE = /^[0-9a-f-]{1,36}$|^latest$/;
const RUN_ID = /^[0-9a-f-]{36}$/;
const MAX_NUMBER = 1_000_000_000;

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
  const { test, suite, variables = {}, runs, ...others } = body;
  rejectUnknownKeys(others);
  if ((test === undefined) === (suite === undefined))
    throw new ApiError(400, 'expected either test or suite');
  const id = test ?? suite;
  if (typeof id !== 'string')
    throw new ApiError(400, `${test === undefined ? 'suite' : 'test'}: expected an id`);
  if (runs !== undefined && !isCount(runs))
    throw new ApiError(400, 'runs: expected a whole number from 1 to 1000000');
  return {
    what: test === undefined ? { suite: id } : { test: id },
    variables: readValues(variables, (value) => !isPlain(value)) as RunOrder['variables'],
    runs,
  };
}

export function suiteChange(body: Record<string, unknown>): SuiteChange {
  const { variables, sha256, ...others } = body;
  rejectUnknownKeys(others);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw new ApiError(400, 'sha256: expected the hash of the file');
  const values = readValues(variables, (value) => value !== null && !isPlain(value));
  return { variables: values as SuiteChange['variables'], sha256 };
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= MAX_NUMBER) return Number(text);
  throw new ApiError(400, `${name}: expected a whole number`);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1_000_000;
}

function rejectUnknownKeys(others: Record<string, unknown>): void {
  const names = Object.keys(others);
  if (names.length > 0) throw new ApiError(400, `unknown: ${names.join(', ')}`);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value);
}

function readValues(values: unknown, isWrong: (value: unknown) => boolean): Record<string, unknown> {
  if (!isObject(values)) throw new ApiError(400, 'variables: expected an object');
  const problems = Object.keys(values)
    .filter((name) => isWrong(values[name]))
    .map((name) => ({ name, message: `${name}: expected a text, a number, or true or false` }));
  if (problems.length > 0) throw new ApiError(400, 'some values cannot be used', { problems });
  return values;
}
