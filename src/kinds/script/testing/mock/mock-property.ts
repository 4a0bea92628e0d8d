// Replaces methods, getters and setters of objects.

import type { Callable, MockFunction } from './mock-function.ts';
import { createMockFunction, requireFunction } from './mock-function.ts';
import { show } from '../assertions/show.ts';

type Part = 'value' | 'get' | 'set';

const CALLERS = { value: 't.mock.method', get: 't.mock.getter', set: 't.mock.setter' } as const;
const NOUNS = { value: 'method', get: 'getter', set: 'setter' } as const;

/** Replaces one part of a property with a mock, which behaves like the original unless an implementation is given. */
export function mockProperty(
  part: Part,
  object: unknown,
  name: unknown,
  implementation: unknown,
): MockFunction {
  const caller = CALLERS[part];
  if ((typeof object !== 'object' || object === null) && typeof object !== 'function') {
    throw new TypeError(`${caller} takes an object, not ${show(object)}`);
  }
  // JavaScript turns property names that are not symbols into strings.
  const key = typeof name === 'symbol' ? name : String(name);
  const descriptor = findProperty(object, key);
  const original: unknown = descriptor?.[part];
  if (descriptor === undefined || typeof original !== 'function') {
    throw new TypeError(`${caller}: ${show(object)} has no ${NOUNS[part]} ${String(key)}`);
  }
  return replace(object, key, { part, descriptor, original: original as Callable, implementation, caller });
}

type Replacement = {
  part: Part;
  descriptor: PropertyDescriptor;
  original: Callable;
  implementation: unknown;
  caller: string;
};

function replace(
  object: object,
  key: string | symbol,
  { part, descriptor, original, implementation, caller }: Replacement,
): MockFunction {
  const own = Object.getOwnPropertyDescriptor(object, key);
  const mock = createMockFunction(original, {
    implementation: implementation === undefined ? original : requireFunction(implementation, caller),
    undo() {
      if (own === undefined) Reflect.deleteProperty(object, key);
      else Object.defineProperty(object, key, own);
    },
  });
  // An inherited property becomes an own one until it is restored.
  const replaced = { ...descriptor, [part]: mock, configurable: true };
  const isFixed = own === undefined ? !Object.isExtensible(object) : own.configurable === false;
  const isSettable = part === 'value' && own?.writable === true;
  if (isFixed && !isSettable) throw new TypeError(`${caller}: ${String(key)} cannot be replaced there`);
  Object.defineProperty(object, key, isFixed ? { value: mock } : replaced);
  return mock;
}

function findProperty(object: object, key: string | symbol): PropertyDescriptor | undefined {
  for (let holder: unknown = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
    const own = Object.getOwnPropertyDescriptor(holder, key);
    if (own !== undefined) return own;
  }
  return undefined;
}
