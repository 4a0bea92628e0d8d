// `require('node:fs')` in a realm: copies of Node's modules, which a test file may patch without effect on other files.

import type { Agent, AgentOptions } from 'node:http';
import { createRequire, isBuiltin } from 'node:module';
import { inspect } from 'node:util';
import {
  isPlain,
  restoreShared,
  watch,
  watchModule,
  watchShared,
  watchSharedParts,
} from './shared-objects.ts';
import type { Timers } from './timers.ts';

export type Builtins = {
  require(specifier: string): unknown;
  /** Undoes changes to things that cannot be copied: classes, functions with properties, settings; false if some cannot be undone. */
  restore(): boolean;
};

/** Process-wide state of a Node module. */
type ModuleState = { objects: object[]; settings: Setting[] };
/** A value behind a getter and a setter, or an instance that files must not share. */
type Setting = { restore(): void };
type WithAgent = { Agent: typeof Agent; globalAgent: Agent };

const load = createRequire(import.meta.url);
/** The state of Node's modules when the first file required them. */
const initialStates = new Map<string, ModuleState>();
/** The module whose state includes the global classes of Node. */
const GLOBALS = 'buffer';
/** Process-wide settings behind accessors of a module. */
const ACCESSORS: Record<string, string[]> = {
  buffer: ['INSPECT_MAX_BYTES'],
  events: ['defaultMaxListeners', 'captureRejections'],
};
const WITH_AGENTS = new Set(['http', 'https']);

/** Parts of a realm that its modules contain. */
type OwnParts = { process: NodeJS.Process; timers: Timers; console: Console };

/** Creates the `require` of a realm. Packages and files are inside its bundle, so it only serves built-ins. */
export function createBuiltins({ process, timers, console }: OwnParts): Builtins {
  const copies = new Map<string, unknown>();
  const used = new Set<string>();
  const replacements: Record<string, () => unknown> = {
    console: () => console,
    process: () => process,
    timers: () => Object.assign(copyModule(load('node:timers'), 'timers') as object, timers.functions),
  };
  function requireBuiltin(specifier: string): unknown {
    if (!isBuiltin(specifier)) throw missingModule(specifier);
    const name = specifier.replace(/^node:/, '');
    if (copies.has(name)) return copies.get(name);
    const real: unknown = load(specifier);
    used.add(name);
    if (!initialStates.has(name)) initialStates.set(name, captureState(name, real));
    const copy = replacements[name]?.() ?? requirePromises(name) ?? copyModule(real, name);
    copies.set(name, copy);
    return copy;
  }
  /** `fs/promises` is the property `promises` of `fs`. */
  function requirePromises(name: string): unknown {
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
      const states = [...used].flatMap((name) => initialStates.get(name) ?? []);
      const isRestored = restoreShared(states.flatMap(({ objects }) => objects));
      for (const { settings } of states) for (const setting of settings) setting.restore();
      return isRestored;
    },
  };
}

function missingModule(specifier: string): Error {
  return Object.assign(new Error(`Cannot find module '${specifier}'`), { code: 'MODULE_NOT_FOUND' });
}

/** Copies a module with the objects inside it (`fs.promises`). A module that is a function cannot be copied. */
function copyModule(real: unknown, name: string): unknown {
  if (typeof real !== 'object' || real === null) return real;
  const copy = copyObject(real, new Map<object, object>());
  defineLazily(copy, real, name);
  // Requests without an agent use the one of the real module.
  if (WITH_AGENTS.has(name)) defineAgent(copy, real as WithAgent);
  return copy;
}

/** Copies an object with the plain objects and lists in it; keeps shared references and cycles. */
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

/** Defines properties that Node loads lazily: a file may replace its own, and reading one copies (`fs.promises`) or snapshots the value. */
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
        if (isPlain(value)) {
          watchSharedParts(value);
          own = { value: copyModule(value, `${name}/${key}`) };
          return own.value;
        }
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

function captureState(name: string, real: unknown): ModuleState {
  const settings = (ACCESSORS[name] ?? []).map((key) => captureSetting(real as object, key));
  if (WITH_AGENTS.has(name)) settings.push(captureAgent(real as WithAgent));
  const objects = watchModule(real);
  if (name === GLOBALS) objects.push(...globalClasses().flatMap((value) => watch(value)));
  // The getter returns the shared options themselves.
  if (name === 'util') objects.push(...watch(inspect.defaultOptions));
  return { objects, settings };
}

function captureSetting(object: object, key: string): Setting {
  const before: unknown = Reflect.get(object, key);
  return {
    restore() {
      if (Reflect.get(object, key) !== before) Reflect.set(object, key, before);
    },
  };
}

/** Gives the next file a new agent, without the connections and settings of this one. */
function captureAgent(real: WithAgent): Setting {
  const { options } = real.globalAgent as Agent & { options: AgentOptions };
  const before = { ...options };
  // All agents share the functions of this one.
  watch(real.globalAgent);
  return {
    restore() {
      // A test may have replaced it with anything.
      try {
        real.globalAgent.destroy();
      } catch {
        // Its connections end with their own timeouts.
      }
      real.globalAgent = new real.Agent(before);
    },
  };
}

/** Only loaded classes: reading `fetch` would load it. */
function globalClasses(): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(globalThis))
    .map((descriptor) => descriptor.value as unknown)
    .filter((value) => typeof value === 'function');
}
