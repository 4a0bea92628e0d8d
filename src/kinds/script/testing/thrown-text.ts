// A thrown value as text: its class, message and causes.

import { AttemptError } from '../../../errors.ts';
import { constructorName } from './assertions/equality.ts';
import { isError, readText, show } from './assertions/show.ts';

const MAX_CAUSES = 3;
const MAX_INNER = 3;
/** V8's message for calling something that is not a function. */
const CALLED_PROPERTY = /^t\.(?:assert|failed|mock|name) is not a function$/;

/** @example thrownText(new RangeError('too much', { cause: new Error('no end') })) // 'RangeError: too much (caused by: no end)' */
export function thrownText(thrown: unknown): string {
  // Its message is written for users already.
  if (thrown instanceof AttemptError) return thrown.message;
  if (isErrorLike(thrown)) return chainText(thrown, MAX_CAUSES);
  return `${show(thrown)} was thrown, which is not an Error`;
}

/** A property of an object; undefined if its getter throws. */
export function readSafely(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return undefined;
  }
}

function chainText(error: object, causes: number): string {
  const inner = innerTexts(error);
  const cause = causes > 0 ? readSafely(error, 'cause') : undefined;
  const because =
    cause === undefined || cause === null ? '' : ` (caused by: ${causeText(cause, causes - 1)})`;
  return `${ownText(error)}${inner}${because}`;
}

function causeText(cause: unknown, causes: number): string {
  return isErrorLike(cause) ? chainText(cause, causes) : show(cause);
}

/** The errors inside an AggregateError. */
function innerTexts(error: object): string {
  const errors = readSafely(error, 'errors');
  if (!isError(error) || !Array.isArray(errors) || errors.length === 0) return '';
  const texts = errors
    .slice(0, MAX_INNER)
    .map((one: unknown) => (isErrorLike(one) ? ownText(one) : show(one)));
  const rest = errors.length > MAX_INNER ? `; ${String(errors.length - MAX_INNER)} more` : '';
  return ` (${texts.join('; ')}${rest})`;
}

function ownText(error: object): string {
  const name = errorName(error);
  const message = readText(error, 'message') ?? '';
  if (message === '') return name;
  const text = CALLED_PROPERTY.test(message) ? `${message}: it is a property` : message;
  // The name "Error" adds nothing.
  return name === 'Error' ? text : `${name}: ${text}`;
}

/** Uses the class name where a class of errors inherits the name "Error". */
function errorName(error: object): string {
  // A plain object with a message. With a stack as well it is a kind of error, such as a DOMException.
  if (!isError(error) && readText(error, 'stack') === undefined) return 'Error';
  const name = readText(error, 'name') ?? 'Error';
  if (name !== 'Error' || Object.hasOwn(error, 'name')) return name;
  try {
    return constructorName(error) || name;
  } catch {
    return name;
  }
}

function isErrorLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null && readText(value, 'message') !== undefined;
}
