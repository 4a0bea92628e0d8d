// Objects of the context whose unknown members are errors that name them.

import { didYouMean } from '../../text/nearest.ts';

/** Names that Node and libraries look up on any object. */
const PROBED = /^(?:then|toJSON|asymmetricMatch|nodeType|tagName|length|[_$@].*)$/;

/** `members` with an error for every other name. `label` is what scripts write: `ctx.memory.user`. */
export function strict<T extends object>(label: string, members: T): T {
  const known = Object.keys(members);
  // Not enumerable, so that a context can be copied and printed.
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(members)))
    if (typeof member.value === 'function') Object.defineProperty(members, name, { enumerable: false });
  return Object.setPrototypeOf(
    members,
    fallback((name) => {
      throw new TypeError(unknownMember(label, name, known));
    }),
  ) as T;
}

/** A prototype that calls `missing` for names that neither the object nor Object.prototype has. */
export function fallback(missing: (name: string, object: unknown) => undefined): object {
  return new Proxy(
    {},
    {
      get(target, name, object): unknown {
        if (typeof name === 'symbol' || name in target || PROBED.test(name))
          return Reflect.get(target, name, object);
        return missing(name, object);
      },
    },
  );
}

export function unknownMember(label: string, name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) ?? `it has ${known.join(', ')}`;
  return `${label}.${name} does not exist; ${hint}`;
}
