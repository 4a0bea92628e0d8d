// What stands for `@yao/*` in a bundle: scripts import types from there, and also what are globals of their runtime.

/**
 * A CommonJS module, because it may lack any name that is imported from it. Every name is the global of that name when
 * it is used; one that there is no global for may be imported, as types are, and fails by its name when it is used.
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
