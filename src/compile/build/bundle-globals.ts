// Replaces `@yao/*` in a bundle. Scripts import types from there, and also globals of their runtime.

/**
 * A CommonJS module, so that any name may be imported from it. Each name stands for the global of that name. A name
 * without a global, such as a type, may be imported; using it throws a ReferenceError.
 */
export const GLOBALS_MODULE = `
  const missing = (name) => {
    const fail = (trap) => {
      const error = new ReferenceError(name + ' is not defined');
      Error.captureStackTrace(error, trap);
      throw error;
    };
    const call = () => fail(call);
    const get = (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : fail(get));
    return new Proxy(function () {}, { apply: call, construct: call, get });
  };
  const get = (_, name) => {
    if (typeof name === 'symbol' || name === '__esModule') return undefined;
    return name in globalThis ? globalThis[name] : missing(name);
  };
  module.exports = Object.create(new Proxy({}, { get }));
`;
