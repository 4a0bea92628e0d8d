// Modules that tests can replace: whoever imports one gets a stand-in that looks up every name when it is used.

export type Mockable = {
  /** Called by the bundle when it loads such a module. */
  module(id: string, load: () => Record<PropertyKey, unknown>): object;
  /** What an ES module exports, if it is loaded. */
  names(id: string): string[] | undefined;
  /** Replaces it by other exports; gives the undoing. */
  replace(id: string, exports: Record<string, unknown>): () => void;
};

/** Makes the stand-ins of one file. */
export function createMockable(): Mockable {
  const replaced = new Map<string, Record<PropertyKey, unknown>>();
  const originals = new Map<string, Record<PropertyKey, unknown>>();
  return {
    module(id, load) {
      const real = (): Record<PropertyKey, unknown> => {
        const known = originals.get(id) ?? load();
        originals.set(id, known);
        return known;
      };
      const holders = (): Record<PropertyKey, unknown>[] =>
        [replaced.get(id), real()].filter((holder) => holder !== undefined);
      const lookUp = (name: PropertyKey): unknown => {
        for (const holder of holders()) {
          if (Object.hasOwn(holder, name) || name in holder) return holder[name];
          // What is imported as the whole module may be meant as its default export.
          const fallback = holder['default'] as Record<PropertyKey, unknown> | undefined;
          if (
            fallback != null &&
            (typeof fallback === 'object' || typeof fallback === 'function') &&
            name in fallback
          )
            return fallback[name];
        }
        return undefined;
      };
      const callee = (): ((...args: unknown[]) => unknown) =>
        lookUp('default') as (...args: unknown[]) => unknown;
      const standIn: Record<PropertyKey, unknown> = new Proxy(
        function standIn() {} as unknown as Record<PropertyKey, unknown>,
        {
          get: (_, name) => {
            if (name === '__esModule') return true;
            // A module without a default export is its own: `import fs from 'node:fs'`.
            return lookUp(name) ?? (name === 'default' ? standIn : undefined);
          },
          has: (_, name) =>
            name === '__esModule' || name === 'default' || holders().some((holder) => name in holder),
          ownKeys: (target) => [
            ...new Set([
              ...Reflect.ownKeys(target),
              'default',
              ...holders().flatMap((holder) => Reflect.ownKeys(holder)),
            ]),
          ],
          getOwnPropertyDescriptor: (target, name) =>
            Reflect.getOwnPropertyDescriptor(target, name) ??
            (name === 'default' || holders().some((holder) => Object.hasOwn(holder, name))
              ? { value: lookUp(name), configurable: true, enumerable: true, writable: true }
              : undefined),
          apply: (_, self, args) => Reflect.apply(callee(), self, args),
          construct: (_, args) => Reflect.construct(callee(), args) as object,
        },
      );
      return standIn;
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
