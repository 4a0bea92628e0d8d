// Methods, getters and setters that are replaced on their objects.

import type { Callable, MockFunction } from './mock-function.ts';
import { createMockFunction, requireFunction } from './mock-function.ts';
import { show } from '../assertions/show.ts';

type Part = 'value' | 'get' | 'set';

const WHO = { value: 't.mock.method', get: 't.mock.getter', set: 't.mock.setter' } as const;
const NAMES = { value: 'method', get: 'getter', set: 'setter' } as const;

/** Replaces one part of a property by a mock, which behaves like the original unless there is an implementation. */
export function mockProperty(
  part: Part,
  object: unknown,
  name: unknown,
  implementation: unknown,
): MockFunction {
  const who = WHO[part];
  if ((typeof object !== 'object' || object === null) && typeof object !== 'function') {
    throw new TypeError(`${who} takes an object, not ${show(object)}`);
  }
  // Property names that are neither texts nor symbols become texts, as everywhere.
  const key = typeof name === 'symbol' ? name : String(name);
  const found = findProperty(object, key);
  const original: unknown = found?.[part];
  if (found === undefined || typeof original !== 'function') {
    throw new TypeError(`${who}: ${show(object)} has no ${NAMES[part]} ${String(key)}`);
  }
  return replace(object, key, { part, found, original: original as Callable, implementation, who });
}

type Replacement = {
  part: Part;
  found: PropertyDescriptor;
  original: Callable;
  implementation: unknown;
  who: string;
};

function replace(
  object: object,
  key: string | symbol,
  { part, found, original, implementation, who }: Replacement,
): MockFunction {
  const own = Object.getOwnPropertyDescriptor(object, key);
  const mock = createMockFunction(original, {
    implementation: implementation === undefined ? original : requireFunction(implementation, who),
    undo() {
      if (own === undefined) Reflect.deleteProperty(object, key);
      else Object.defineProperty(object, key, own);
    },
  });
  // A property that was inherited becomes an own one until it is restored.
  const replaced = { ...found, [part]: mock, configurable: true };
  const isFixed = own === undefined ? !Object.isExtensible(object) : own.configurable === false;
  const isSettable = part === 'value' && own?.writable === true;
  if (isFixed && !isSettable) throw new TypeError(`${who}: ${String(key)} cannot be replaced there`);
  Object.defineProperty(object, key, isFixed ? { value: mock } : replaced);
  return mock;
}

function findProperty(object: object, key: string | symbol): PropertyDescriptor | undefined {
  for (let holder: unknown = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}
