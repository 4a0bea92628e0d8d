// Greater, GreaterOrEqual, Less, LessOrEqual.

import { types } from 'node:util';
import type { AssertionCheck } from './assertion.ts';
import { misuse } from './assertion.ts';
import { show } from './show.ts';

type Ordered = number | bigint | string;

/** An assertion on the order of two numbers, bigints, texts or dates. */
export function ordering(
  words: string,
  sign: string,
  holds: (a: Ordered, b: Ordered) => boolean,
): AssertionCheck {
  return {
    parameters: ['a', 'b'],
    check(a, b) {
      const [first, second] = [toOrdered(a), toOrdered(b)];
      if (first === undefined) return misuse(`${show(a)} cannot be ordered`);
      if (second === undefined) return misuse(`${show(b)} cannot be ordered`);
      if (first.kind !== second.kind) {
        return misuse(
          `${show(a)} and ${show(b)} cannot be compared: a ${first.kind} is not a ${second.kind}`,
        );
      }
      if (holds(first.value, second.value)) return undefined;
      const message = `expected ${show(a)} to be ${words} ${show(b)}`;
      return { message, expected: `${sign} ${show(b)}`, actual: a };
    },
  };
}

function toOrdered(value: unknown): { kind: string; value: Ordered } | undefined {
  if (types.isDate(value)) return { kind: 'date', value: Date.prototype.getTime.call(value) };
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string') {
    return { kind: typeof value, value };
  }
  return undefined;
}
