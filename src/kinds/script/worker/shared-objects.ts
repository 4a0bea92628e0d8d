// Objects of Node that all realms of a process share. Classes and settings, which tests have reasons to change, are restored after each
// file. Plain functions are frozen.

import { types } from 'node:util';

type Snapshot = { properties: Map<PropertyKey, PropertyDescriptor>; isExtensible: boolean };

/** What can be changed, as it was before any file ran. */
const snapshots = new Map<object, Snapshot>();
/** Shared objects outside the modules. */
const sharedByAll = new Set<object>();
/** Properties that every function has. */
const FUNCTION_KEYS = new Set<PropertyKey>(['arguments', 'caller', 'length', 'name', 'prototype']);
/** The modules that Node has loaded, those of Assay included. */
const LOADED_MODULES = new Set<PropertyKey>(['_cache', '_pathCache']);
/** Settings of Node are not nested deeper than this. */
const MAX_DEPTH = 6;

/** Snapshots an object that every realm has, so that it is restored after each file. */
export function watchShared(value: unknown): void {
  if (!isObject(value) || sharedByAll.has(value) || Object.isFrozen(value)) return;
  for (const object of watch(value)) sharedByAll.add(object);
}

/** The same for the parts of a plain object that realms get a copy of. */
export function watchSharedParts(module: object): void {
  for (const object of watchModule(module)) sharedByAll.add(object);
}

/** Snapshots a value with everything that can be changed through it: `util.inspect.colors`, the methods of a class; returns these objects. */
export function watch(value: unknown): object[] {
  const found = new Set<object>();
  collect(value, found);
  for (const object of found) takeSnapshot(object);
  return [...found];
}

/** Snapshots the parts of a module that cannot be copied: the module if it is a function, and its functions and instances. */
export function watchModule(module: unknown): object[] {
  const parts: unknown[] = [];
  for (const [, { value }] of descriptorsOf(module as object)) {
    if (typeof module === 'function') break;
    if (!isPlain(value) && !Array.isArray(value)) parts.push(value);
    else parts.push(...functionsIn(value));
  }
  const objects = parts.flatMap((part) => watch(part));
  return typeof module === 'function' ? [...watch(module), ...objects] : objects;
}

/** The functions in an object that realms get a copy of. */
function functionsIn(object: object): unknown[] {
  return descriptorsOf(object).flatMap(([, { value }]) =>
    typeof value === 'function' ? [value as unknown] : [],
  );
}

function collect(value: unknown, found: Set<object>, depth = 0): void {
  if (!isObject(value) || found.has(value)) return;
  if (typeof value === 'function' && isLeaf(value)) return freezeLeaf(value);
  found.add(value);
  if (depth > MAX_DEPTH) return;
  const isInstance = typeof value !== 'function' && !isPlain(value) && !Array.isArray(value);
  if (!isInstance) return collectProperties(value, found, depth);
  collectProperties(Object.getPrototypeOf(value) as object, found, depth);
  collectState(value, found);
}

/** The state of an instance belongs to Node and is not restored, except for what is added to its maps. */
function collectState(instance: object, found: Set<object>): void {
  for (const [, { value }] of descriptorsOf(instance)) {
    if (types.isMap(value) || types.isSet(value) || types.isWeakMap(value)) found.add(value);
    for (const part of isPlain(value) ? functionsIn(value) : [value as unknown])
      if (typeof part === 'function' && isLeaf(part)) freezeLeaf(part);
  }
}

function collectProperties(object: object, found: Set<object>, depth: number): void {
  found.add(object);
  for (const [key, { value, get, set }] of descriptorsOf(object)) {
    for (const accessor of [get, set]) if (accessor !== undefined) freezeLeaf(accessor);
    // A getter of a function cannot be replaced for one realm: `stream.promises`.
    const part: unknown = typeof object === 'function' && get !== undefined ? readSafely(object, key) : value;
    if (!isObject(part) || LOADED_MODULES.has(key)) continue;
    if (key !== 'prototype') collect(part, found, depth + 1);
    else if (!found.has(part)) collectProperties(part, found, depth + 1);
  }
}

/** True for a function without properties that is no class. */
function isLeaf(value: object): boolean {
  if (Reflect.ownKeys(value).some((key) => !FUNCTION_KEYS.has(key))) return false;
  const { prototype, name } = value as { prototype?: unknown; name: unknown };
  if (typeof name === 'string' && /^[A-Z]/.test(name)) return false;
  return !isObject(prototype) || Reflect.ownKeys(prototype).every((key) => key === 'constructor');
}

function freezeLeaf(leaf: object): void {
  Object.freeze(leaf);
  const prototype: unknown = Object.getOwnPropertyDescriptor(leaf, 'prototype')?.value;
  if (!isObject(prototype)) return;
  Object.freeze(prototype);
  // A deprecated function has the prototype of the one that it wraps.
  const wrapped: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (typeof wrapped === 'function' && !Object.isFrozen(wrapped) && isLeaf(wrapped)) Object.freeze(wrapped);
}

function readSafely(object: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(object, key);
  } catch {
    return undefined;
  }
}

/** Restores these objects, and those that every realm has; false if one of them cannot be restored: it was frozen. */
export function restoreShared(objects: Iterable<object>): boolean {
  let isRestored = true;
  for (const object of new Set([...objects, ...sharedByAll])) isRestored = restore(object) && isRestored;
  return isRestored;
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

function descriptorsOf(object: object): [PropertyKey, PropertyDescriptor][] {
  return Reflect.ownKeys(object).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? [] : [[key, descriptor]];
  });
}

function takeSnapshot(object: object): void {
  if (snapshots.has(object) || Object.isFrozen(object)) return;
  snapshots.set(object, {
    properties: new Map(descriptorsOf(object)),
    isExtensible: Object.isExtensible(object),
  });
}

function restore(object: object): boolean {
  const snapshot = snapshots.get(object);
  if (snapshot === undefined) return true;
  const { properties: before, isExtensible } = snapshot;
  let isRestored = Object.isExtensible(object) === isExtensible;
  for (const [key, descriptor] of before) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    if (now === undefined || !isSame(now, descriptor))
      isRestored = Reflect.defineProperty(object, key, descriptor) && isRestored;
  }
  const keys = Reflect.ownKeys(object);
  if (keys.length === before.size) return isRestored;
  for (const key of keys)
    if (!before.has(key)) isRestored = Reflect.deleteProperty(object, key) && isRestored;
  return isRestored;
}

function isSame(a: PropertyDescriptor, b: PropertyDescriptor): boolean {
  const isSameValue = a.value === b.value && a.get === b.get && a.set === b.set;
  return isSameValue && a.writable === b.writable && a.configurable === b.configurable;
}
