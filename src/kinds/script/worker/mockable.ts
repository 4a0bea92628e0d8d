// Modules that tests can replace: importers get a stand-in that looks up every export when it is used.

export type Mockable = {
  /** Called by the bundle when it loads a replaceable module. */
  module(id: string, load: () => Record<PropertyKey, unknown>): object;
  /** The export names of an ES module, if it is loaded. */
  names(id: string): string[] | undefined;
  /** Replaces exports of the module; returns a function that restores them. */
  replace(id: string, exports: Record<string, unknown>): () => void;
};

type Exports = Record<PropertyKey, unknown>;

/** Creates the stand-ins of one file. */
export function createMockable(): Mockable {
  const replaced = new Map<string, Exports>();
  const originals = new Map<string, Exports>();
  return {
    module(id, load) {
      const real = (): Exports => {
        const known = originals.get(id) ?? load();
        originals.set(id, known);
        return known;
      };
      return createStandIn(() => [replaced.get(id), real()].filter((exports) => exports !== undefined));
    },
    names(id) {
      const original = originals.get(id);
      return original?.['__esModule'] === true ? Object.keys(original) : undefined;
    },
    replace(id, exports) {
      const before = replaced.get(id);
      replaced.set(id, exports);
      return () => {
        if (before === undefined) replaced.delete(id);
        else replaced.set(id, before);
      };
    },
  };
}

/** A module whose exports come from the first layer that has them: the replacement, then the real module. */
function createStandIn(layers: () => Exports[]): object {
  const callDefault = (): ((...args: unknown[]) => unknown) =>
    findExport(layers(), 'default') as (...args: unknown[]) => unknown;
  const standIn: Exports = new Proxy(function standIn() {} as unknown as Exports, {
    get: (_, name) => {
      if (name === '__esModule') return true;
      // A module without a default export is its own default: `import fs from 'node:fs'`.
      return findExport(layers(), name) ?? (name === 'default' ? standIn : undefined);
    },
    has: (_, name) =>
      name === '__esModule' || name === 'default' || layers().some((exports) => name in exports),
    ownKeys: (target) => [
      ...new Set([
        ...Reflect.ownKeys(target),
        'default',
        ...layers().flatMap((exports) => Reflect.ownKeys(exports)),
      ]),
    ],
    getOwnPropertyDescriptor: (target, name) =>
      Reflect.getOwnPropertyDescriptor(target, name) ??
      (name === 'default' || layers().some((exports) => Object.hasOwn(exports, name))
        ? { value: findExport(layers(), name), configurable: true, enumerable: true, writable: true }
        : undefined),
    apply: (_, self, args) => Reflect.apply(callDefault(), self, args),
    construct: (_, args) => Reflect.construct(callDefault(), args) as object,
  });
  return standIn;
}

function findExport(layers: Exports[], name: PropertyKey): unknown {
  for (const exports of layers) {
    if (Object.hasOwn(exports, name) || name in exports) return exports[name];
    // An import of the whole module may mean its default export.
    const fallback = exports['default'] as Exports | undefined;
    if (
      fallback != null &&
      (typeof fallback === 'object' || typeof fallback === 'function') &&
      name in fallback
    )
      return fallback[name];
  }
  return undefined;
}
