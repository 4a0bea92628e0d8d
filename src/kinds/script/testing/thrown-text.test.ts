import { expect, test } from 'vitest';
import { createContext, runInContext } from 'node:vm';
import { AttemptError } from '../../../errors.ts';
import { thrownText } from './thrown-text.ts';

class ValidationError extends Error {}
class Plain extends Error {
  override readonly name = 'Error';
}
const chain = (depth: number): Error =>
  new Error(String(depth), { ...(depth < 6 && { cause: chain(depth + 1) }) });
const numbers = (count: number): Error[] =>
  Array.from({ length: count }, (_, index) => new Error(String(index)));
const hostile = Object.defineProperty(new Error('hostile'), 'cause', {
  get() {
    throw new Error('no');
  },
});

test.each<[unknown, string]>([
  [new Error('plain'), 'plain'],
  [new RangeError('too much'), 'RangeError: too much'],
  [new ValidationError('no name of its own'), 'ValidationError: no name of its own'],
  [new Plain('wants to be plain'), 'wants to be plain'],
  [runInContext('new RangeError("foreign")', createContext({})), 'RangeError: foreign'],
  [new RangeError(), 'RangeError'],
  [AbortSignal.abort().reason, 'AbortError: This operation was aborted'],
  [{ message: 'like one', name: 'Thing' }, 'like one'],
  ['text', '"text" was thrown, which is not an Error'],
  [new AttemptError('judge', 'no judge', { cause: new Error('why') }), 'no judge'],
  [new Error('outer', { cause: new Error('the real reason') }), 'outer (caused by: the real reason)'],
  [new Error('outer', { cause: { code: 7 } }), 'outer (caused by: { code: 7 })'],
  [chain(1), '1 (caused by: 2 (caused by: 3 (caused by: 4)))'],
  [new AggregateError(numbers(2), 'both'), 'AggregateError: both (0; 1)'],
  [new AggregateError(numbers(5)), 'AggregateError (0; 1; 2; 2 more)'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([new Error('refused')]) }),
    'TypeError: fetch failed (caused by: AggregateError (refused))',
  ],
  [hostile, 'hostile'],
])('an exception in words: %$', (thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});
