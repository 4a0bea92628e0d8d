// Objects of Node that all realms of a process share: snapshots them before any file runs, and restores them after each file.

type Snapshot = Map<PropertyKey, PropertyDescriptor>;

const snapshots = new Map<object, Snapshot>();
/** Shared objects outside the modules. */
const sharedByAll = new Set<object>();
/** Properties of Node's functions are not nested deeper than this. */
const MAX_DEPTH = 3;

/** Snapshots an object that every realm has, so that it is restored after each file. */
export function watchShared(value: unknown): void {
  if (!isObject(value) || sharedByAll.has(value)) return;
  const prototype: unknown =
    typeof value === 'function' ? Reflect.get(value, 'prototype') : Object.getPrototypeOf(value);
  for (const object of [value, prototype]) {
    if (!isObject(object) || object === Object.prototype || object === Function.prototype) continue;
    sharedByAll.add(object);
    takeSnapshot(object);
  }
}

/** Snapshots a value with its properties (`util.inspect.colors`) and prototype; returns all objects found. */
export function watch(value: unknown): object[] {
  const found = new Set<object>();
  collect(value, found);
  for (const object of found) takeSnapshot(object);
  return [...found];
}

/** Snapshots the parts of a module that cannot be copied: the module if it is a function, and its functions and instances. */
export function watchModule(module: unknown): object[] {
  if (typeof module === 'function') return watch(module);
  const parts = Object.values(Object.getOwnPropertyDescriptors(module ?? {}));
  return parts.flatMap(({ value }) => (isPlain(value) || Array.isArray(value) ? [] : watch(value)));
}

function collect(value: unknown, found: Set<object>, depth = 0): void {
  if (!isObject(value) || found.has(value)) return;
  found.add(value);
  const isInstance = typeof value !== 'function' && !isPlain(value) && !Array.isArray(value);
  if (isInstance || depth > MAX_DEPTH) return;
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    const part = descriptor.value as unknown;
    if (key !== 'prototype') collect(part, found, depth + 1);
    else if (isObject(part)) found.add(part);
  }
}

/** Restores these objects, and those that every realm has. */
export function restoreShared(objects: Iterable<object>): void {
  for (const object of objects) restore(object);
  for (const object of sharedByAll) restore(object);
}

/** True for an object without a class. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function takeSnapshot(object: object): void {
  if (snapshots.has(object) || Object.isFrozen(object)) return;
  const snapshot: Snapshot = new Map();
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (descriptor !== undefined) snapshot.set(key, descriptor);
  }
  snapshots.set(object, snapshot);
}

function restore(object: object): void {
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
