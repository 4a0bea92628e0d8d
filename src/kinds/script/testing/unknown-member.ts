// Calls of members that do not exist throw an explanation of what to use instead.

/** Names that code reads when it prints, awaits or compares an object. */
const PROBED = new Set([
  '$$typeof',
  'asymmetricMatch',
  'inspect',
  'length',
  'nodeType',
  'size',
  'then',
  'toJSON',
]);

/**
 * A prototype for Assay's own objects. Reading a missing member works; calling it, or one of its members, throws the text
 * of `explain`. Without an explanation the member is undefined, as usual.
 */
export function rejectUnknownMembers(explain: (name: string) => string | undefined): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver): unknown {
      if (isOrdinary(name, target)) return Reflect.get(target, name, receiver);
      const explanation = explain(name);
      return explanation === undefined ? undefined : throwing(explanation);
    },
  });
}

/** The same prototype for object literals, which are printed with this name. */
export function createPrototype(name: string, explain: (name: string) => string | undefined): object {
  const make = Object.defineProperty(function () {}, 'name', { value: name });
  Object.setPrototypeOf(make.prototype, rejectUnknownMembers(explain));
  // Every function has a prototype, but the types do not say so.
  return make.prototype as object;
}

function throwing(explanation: string): object {
  const explain = (): never => {
    throw new TypeError(explanation);
  };
  return new Proxy(explain, {
    // `t.require.Equal(…)`
    get: (target, name): unknown => (isOrdinary(name, target) ? Reflect.get(target, name) : explain()),
  });
}

function isOrdinary(name: string | symbol, target: object): name is symbol {
  return typeof name === 'symbol' || name in target || PROBED.has(name);
}
