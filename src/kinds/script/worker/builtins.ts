// `require('node:fs')` in a realm: modules of Node that a file may patch as it likes without others noticing.

import type { Agent, AgentOptions } from 'node:http';
import { createRequire, isBuiltin } from 'node:module';
import { inspect } from 'node:util';
import type { RealmProcess } from './realm-process.ts';
import { isPlain, restoreShared, watch, watchModule, watchShared } from './shared-objects.ts';
import type { Timers } from './timers.ts';

export type Builtins = {
  require(specifier: string): unknown;
  /** Undoes changes of what cannot be copied: classes, functions with properties, settings. */
  restore(): void;
};

/** What a module of Node keeps for the whole process. */
type Kept = { objects: object[]; settings: Setting[] };
/** A value behind a getter and a setter, or an instance that must not be passed on. */
type Setting = { restore(): void };
type WithAgent = { Agent: typeof Agent; globalAgent: Agent };

const load = createRequire(import.meta.url);
/** Modules of Node as they were when the first file asked for them. */
const guarded = new Map<string, Kept>();
/** Stands for the classes that are globals of Node. */
const GLOBALS = 'buffer';
/** Settings of the whole process behind accessors of a module. */
const ACCESSORS: Record<string, string[]> = {
  buffer: ['INSPECT_MAX_BYTES'],
  events: ['defaultMaxListeners', 'captureRejections'],
};
const WITH_AGENTS = new Set(['http', 'https']);

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
    if (!guarded.has(name)) guarded.set(name, keptBy(name, real));
    const copy = made[name]?.() ?? promisesOf(name) ?? copyOf(real, name);
    copies.set(name, copy);
    return copy;
  }
  /** `fs/promises` is the `promises` of `fs`. */
  function promisesOf(name: string): unknown {
    const [, parent] = /^(fs|dns|readline|stream|timers)\/promises$/.exec(name) ?? [];
    const whole = parent === undefined ? undefined : requireBuiltin(parent);
    return typeof whole === 'object' && whole !== null
      ? (Reflect.get(whole, 'promises') as unknown)
      : undefined;
  }
  requireBuiltin(GLOBALS);
  return {
    require: requireBuiltin,
    restore() {
      const kept = [...used].flatMap((name) => guarded.get(name) ?? []);
      for (const { settings } of kept) for (const setting of settings) setting.restore();
      restoreShared(kept.flatMap(({ objects }) => objects));
    },
  };
}

function missing(specifier: string): Error {
  return Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
}

/** A function cannot be copied; an object can, with the objects that are part of its interface (`fs.promises`). */
function copyOf(real: unknown, name: string): unknown {
  if (typeof real !== 'object' || real === null) return real;
  const copies = new Map<object, object>();
  const copy = copyObject(real, copies);
  defineLazily(copy, real, name);
  const promises = Object.getOwnPropertyDescriptor(real, 'promises');
  if (promises?.get !== undefined) {
    let own: unknown;
    Object.defineProperty(copy, 'promises', {
      configurable: true,
      enumerable: true,
      get: () => (own ??= copyOf(Reflect.get(real, 'promises'), `${name}/promises`)),
      set(value: unknown) {
        own = value;
      },
    });
  }
  // Requests without an agent take the one of the module itself.
  if (WITH_AGENTS.has(name)) defineAgent(copy, real as WithAgent);
  return copy;
}

/** With the plain objects and lists in it; what is in there twice, or contains itself, does so in the copy. */
function copyObject(real: object, copies: Map<object, object>): object {
  const known = copies.get(real);
  if (known !== undefined) return known;
  const descriptors = Object.getOwnPropertyDescriptors(real) as Record<string, PropertyDescriptor>;
  const copy = (
    Array.isArray(real) ? [] : Object.create(Object.getPrototypeOf(real) as object | null)
  ) as object;
  copies.set(real, copy);
  for (const key of Reflect.ownKeys(descriptors)) {
    const descriptor = descriptors[key as string];
    if (descriptor === undefined || (key === 'length' && Array.isArray(real))) continue;
    descriptor.configurable = true;
    if ('value' in descriptor) {
      descriptor.writable = true;
      const value: unknown = descriptor.value;
      if (isPlain(value) || Array.isArray(value)) descriptor.value = copyObject(value, copies);
    }
    Object.defineProperty(copy, key, descriptor);
  }
  return copy;
}

/** Parts that are loaded, or found out, when somebody asks: a file gets its own to replace, and what it is given is watched. */
function defineLazily(copy: object, real: object, name: string): void {
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(real))) {
    if (get === undefined || ACCESSORS[name]?.includes(key) === true) continue;
    let own: { value: unknown } | undefined;
    Object.defineProperty(copy, key, {
      configurable: true,
      enumerable: true,
      get() {
        if (own !== undefined) return own.value;
        const value: unknown = Reflect.get(real, key);
        watchShared(value);
        return value;
      },
      set(value: unknown) {
        own = { value };
      },
    });
  }
}

function defineAgent(copy: object, real: WithAgent): void {
  Object.defineProperty(copy, 'globalAgent', {
    configurable: true,
    enumerable: true,
    get: () => real.globalAgent,
    set(value: Agent) {
      real.globalAgent = value;
    },
  });
}

function keptBy(name: string, real: unknown): Kept {
  const settings = (ACCESSORS[name] ?? []).map((key) => settingOf(real as object, key));
  if (WITH_AGENTS.has(name)) settings.push(agentOf(real as WithAgent));
  const objects = watchModule(real);
  if (name === GLOBALS) objects.push(...globalClasses().flatMap((value) => watch(value)));
  // Options that a getter gives as they are.
  if (name === 'util') objects.push(...watch(inspect.defaultOptions));
  return { objects, settings };
}

function settingOf(object: object, key: string): Setting {
  const before: unknown = Reflect.get(object, key);
  return {
    restore() {
      if (Reflect.get(object, key) !== before) Reflect.set(object, key, before);
    },
  };
}

/** The next file has an agent of its own, without the connections and settings of this one's. */
function agentOf(real: WithAgent): Setting {
  const { options } = real.globalAgent as Agent & { options: AgentOptions };
  const before = { ...options };
  return {
    restore() {
      // A test may have put anything in its place.
      if (typeof real.globalAgent?.destroy === 'function') real.globalAgent.destroy();
      real.globalAgent = new real.Agent(before);
    },
  };
}

/** Only those that are loaded: asking for `fetch` would load it. */
function globalClasses(): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(globalThis))
    .map((descriptor) => descriptor.value as unknown)
    .filter((value) => typeof value === 'function');
}
