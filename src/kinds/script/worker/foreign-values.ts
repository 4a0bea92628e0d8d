// Values of one realm in another. Assay judges in a realm of its own; Node's modules are in that of the process, and most tests have
// one for each file.

import { types } from 'node:util';
import type { Context } from 'node:vm';
import { Script } from 'node:vm';

/** The global object of the realm that judges. */
const judging = globalThis;

const BRIDGE = new Script(
  `(names, others) => {
    const ordinary = Function.prototype[Symbol.hasInstance];
    const { apply } = Reflect;
    const isOne = (Class, value) => apply(ordinary, Class, [value]);
    for (const name of names) {
      const inner = globalThis[name];
      if (typeof inner !== 'function') continue;
      const [first, second] = others.map((other) => other[name]);
      Object.defineProperty(inner, Symbol.hasInstance, {
        configurable: true,
        value(value) {
          return isOne(this, value) || (this === inner && (isOne(first, value) || isOne(second, value)));
        },
      });
    }
  }`,
  { filename: 'assay:bridge' },
);
const CLASSES = [
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'Date',
  'Error',
  'EvalError',
  'Function',
  'Map',
  'Object',
  'Promise',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'SharedArrayBuffer',
  'SyntaxError',
  'TypeError',
  'URIError',
  'Uint8Array',
  'WeakMap',
  'WeakSet',
];
/** Classes of which Assay gives instances to tests. */
const GIVEN = ['Array', 'Function', 'Object', 'Promise', 'TypeError'];

type Bridge = (names: string[], others: object[]) => void;

/**
 * Makes `instanceof` in a context accept objects from outside: errors of `node:fs`, buffers, lists that an API returns, promises of `t`.
 * Subclasses inherit the method but behave as usual.
 */
export function bridgeContext(context: Context, main: object): void {
  (BRIDGE.runInContext(context) as Bridge)(CLASSES, [main, judging]);
}

/** Makes `instanceof` of the process accept objects of Assay. */
export function bridgeProcess(main: object): void {
  if (main !== judging) (BRIDGE.runInThisContext() as Bridge)(GIVEN, [judging, judging]);
}

/** Node itself uses `instanceof Error`, and so does Assay: accept errors of other realms as well. */
export function acceptForeignErrors(OwnError: ErrorConstructor): void {
  const isOrdinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(OwnError, Symbol.hasInstance, {
    configurable: true,
    value(this: unknown, value: unknown): boolean {
      return isOrdinary.call(this, value) || (this === OwnError && types.isNativeError(value));
    },
  });
}

acceptForeignErrors(Error);
