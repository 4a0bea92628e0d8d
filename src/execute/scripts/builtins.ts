// `require('node:fs')` in a realm: modules of Node that a file may patch as it likes without others noticing.

import { createRequire, isBuiltin } from 'node:module';
import type { RealmProcess } from './realm-process.ts';
import type { Timers } from './timers.ts';

export type Builtins = {
  require(specifier: string): unknown;
  /** Undoes changes of what cannot be copied: classes, and functions with properties. */
  restore(): void;
};

const load = createRequire(import.meta.url);
/** Classes of Node as they were when the first file asked for them. */
const snapshots = new Map<object, Map<PropertyKey, PropertyDescriptor>>();
const guarded = new Map<string, object[]>();

/** Makes the `require` of a realm; packages and files are inside its bundle, so that only built-ins are asked for. */
export function createBuiltins({ process, timers }: { process: RealmProcess; timers: Timers }): Builtins {
  const copies = new Map<string, unknown>();
  const used = new Set<string>();
  const made: Record<string, () => unknown> = {
    process: () => process,
    timers: () => ({ ...(load('node:timers') as object), ...timers.functions }),
  };
  function requireBuiltin(specifier: string): unknown {
    if (!isBuiltin(specifier)) throw missing(specifier);
    const name = specifier.replace(/^node:/, '');
    if (copies.has(name)) return copies.get(name);
    const real: unknown = load(specifier);
    used.add(name);
    if (!guarded.has(name)) guarded.set(name, watched(real));
    const copy = made[name]?.() ?? copyOf(real);
    copies.set(name, copy);
    return copy;
  }
  requireBuiltin(GLOBALS);
  return {
    require: requireBuiltin,
    restore() {
      for (const name of used) for (const object of guarded.get(name) ?? []) restoreObject(object);
      for (const object of everywhere) restoreObject(object);
    },
  };
}

/** Stands for the classes that are globals of Node. */
const GLOBALS = 'buffer';
/** What all realms share besides the modules. */
const everywhere = new Set<object>();

/** Notes how something looks that all realms share, so that it looks so again after each file. */
export function watchShared(value: unknown): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || everywhere.has(value))
    return;
  const prototype: unknown =
    typeof value === 'function' ? Reflect.get(value, 'prototype') : Object.getPrototypeOf(value);
  for (const object of [value, prototype]) {
    if (typeof object !== 'object' && typeof object !== 'function') continue;
    if (object === null || object === Object.prototype || object === Function.prototype) continue;
    everywhere.add(object);
    if (!snapshots.has(object)) snapshots.set(object, descriptorsOf(object));
  }
}

function missing(specifier: string): Error {
  return Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
}

/** A function cannot be copied; an object can, with the objects that are part of its interface (`fs.promises`). */
function copyOf(real: unknown): unknown {
  if (typeof real !== 'object' || real === null) return real;
  const descriptors = Object.getOwnPropertyDescriptors(real) as Record<string, PropertyDescriptor>;
  for (const descriptor of Object.values(descriptors)) {
    descriptor.configurable = true;
    if ('value' in descriptor) {
      descriptor.writable = true;
      if (isPlain(descriptor.value)) descriptor.value = { ...descriptor.value };
    }
  }
  const copy = Object.create(Object.getPrototypeOf(real) as object | null, descriptors) as Record<
    string,
    unknown
  >;
  const promises = descriptors['promises'];
  if (promises?.get !== undefined) {
    let own: unknown;
    Object.defineProperty(copy, 'promises', {
      configurable: true,
      enumerable: true,
      get: () => (own ??= copyOf(Reflect.get(real, 'promises'))),
      set(value: unknown) {
        own = value;
      },
    });
  }
  return copy;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What of a module all realms share: its classes, and itself if it is a function. */
function watched(real: unknown): object[] {
  const objects: object[] = typeof real === 'function' ? [real] : [];
  const parts = typeof real === 'object' || typeof real === 'function' ? real : null;
  const values = Object.values(Object.getOwnPropertyDescriptors(parts ?? {})).map(
    ({ value }) => value as unknown,
  );
  for (const value of [real, ...values, ...(real === load('node:buffer') ? globalClasses() : [])]) {
    if (typeof value !== 'function') continue;
    const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')?.value as unknown;
    if (typeof prototype !== 'object' || prototype === null) continue;
    objects.push(value, prototype);
  }
  for (const object of objects) if (!snapshots.has(object)) snapshots.set(object, descriptorsOf(object));
  return objects;
}

/** Only those that are loaded: asking for `fetch` would load it. */
function globalClasses(): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(globalThis)).map(
    (descriptor) => descriptor.value as unknown,
  );
}

function descriptorsOf(object: object): Map<PropertyKey, PropertyDescriptor> {
  const found = new Map<PropertyKey, PropertyDescriptor>();
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) found.set(key, descriptor);
  }
  return found;
}

function restoreObject(object: object): void {
  const before = snapshots.get(object);
  if (before === undefined) return;
  for (const [key, descriptor] of before) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    const isSame =
      now !== undefined &&
      now.value === descriptor.value &&
      now.get === descriptor.get &&
      now.set === descriptor.set;
    if (!isSame) Reflect.defineProperty(object, key, descriptor);
  }
  for (const key of Reflect.ownKeys(object)) if (!before.has(key)) Reflect.deleteProperty(object, key);
}
