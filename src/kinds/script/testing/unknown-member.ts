// Members that do not exist: whoever uses one is told what there is instead.

/** Asked for by whatever prints, awaits or compares an object. */
const LOOKED_AT = new Set([
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
 * A prototype for objects of ours. A member that they lack can be read; calling it, or a member of it, throws what
 * `explain` says. Without an explanation it is undefined, as everywhere.
 */
export function refuseUnknown(explain: (name: string) => string | undefined): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver): unknown {
      if (isPlain(name, target)) return Reflect.get(target, name, receiver);
      const explanation = explain(name);
      return explanation === undefined ? undefined : refusal(explanation);
    },
  });
}

/** Such a prototype for object literals, which are printed with this name. */
export function createPrototype(name: string, explain: (name: string) => string | undefined): object {
  const make = Object.defineProperty(function () {}, 'name', { value: name });
  Object.setPrototypeOf(make.prototype, refuseUnknown(explain));
  // Every function of this kind has one, which the types do not tell.
  return make.prototype as object;
}

function refusal(explanation: string): object {
  const refuse = (): never => {
    throw new TypeError(explanation);
  };
  return new Proxy(refuse, {
    // `t.require.Equal(…)`
    get: (target, name): unknown => (isPlain(name, target) ? Reflect.get(target, name) : refuse()),
  });
}

function isPlain(name: string | symbol, target: object): name is symbol {
  return typeof name === 'symbol' || name in target || LOOKED_AT.has(name);
}
