// A fresh world for a file of tests inside a process that others use, too: own globals, built-ins, modules, timers, environment.

import { types } from 'node:util';
import { createContext, Script } from 'node:vm';
import { Exception } from '../../../scripts/globals/exception.ts';
import { createHttp } from '../../../scripts/globals/http.ts';
import { log } from '../../../scripts/globals/log.ts';
import { createBuiltins } from './builtins.ts';
import { createRealmProcess } from './realm-process.ts';
import { watchShared } from './shared-objects.ts';
import type { Timers } from './timers.ts';
import { trackTimers } from './timers.ts';

export type Realm = {
  /** `globalThis` of the code in there. */
  global: Record<string, unknown>;
  /** Runs CommonJS code in there and gives what it exports. */
  run(code: string, filename: string, cachedData?: Buffer): Record<string, unknown>;
  /** What was compiled so far, if it is worth keeping: it was not given before, or could not be used. */
  compiled(): Buffer | undefined;
  /** Ends what the file has left behind, and puts right what it has changed of things that all realms share. */
  close(): void;
  timers: Timers;
  /** What code in there has set `process.exitCode` to. */
  exitCode(): unknown;
};

/** What a realm needs from the worker. */
export type RealmOptions = {
  /** The application root, where the globals of scripts look for things. */
  root: string;
  /** Told when code in there calls `process.exit`; throws. */
  exit(code: unknown): never;
};

/** Made for every realm, or not to be had there. */
const MADE = new Set(['global', 'process', 'console', 'GLOBAL', 'root']);

/**
 * `instanceof` also knows what comes from outside: errors of `node:fs`, buffers, lists that an API returns.
 * Subclasses inherit the method and keep their own meaning.
 */
const BRIDGE = new Script(
  `(outer) => {
    Error.stackTraceLimit = 50;
    const ordinary = Function.prototype[Symbol.hasInstance];
    for (const name of Object.keys(outer)) {
      const inner = globalThis[name];
      if (typeof inner !== 'function') continue;
      const Outer = outer[name];
      Object.defineProperty(inner, Symbol.hasInstance, {
        configurable: true,
        value(value) {
          return ordinary.call(this, value) || (this === inner && ordinary.call(Outer, value));
        },
      });
    }
  }`,
  { filename: 'assay:bridge' },
);
const BRIDGED = {
  AggregateError,
  Array,
  ArrayBuffer,
  Date,
  Error,
  EvalError,
  Function,
  Map,
  Object,
  Promise,
  RangeError,
  ReferenceError,
  RegExp,
  Set,
  SharedArrayBuffer,
  SyntaxError,
  TypeError,
  URIError,
  Uint8Array,
  WeakMap,
  WeakSet,
};

/** The globals of Node, which all realms inherit; empty before the first. */
const shared = {};
let isFilled = false;

/** Makes a realm; about a millisecond. */
export function createRealm({ exit, root }: RealmOptions): Realm {
  const timers = trackTimers();
  const process = createRealmProcess(exit);
  const builtins = createBuiltins({ process, timers });
  // What all realms share is inherited: to define seventy properties anew takes longer than everything else here.
  const sandbox: Record<string, unknown> = Object.create(shared) as Record<string, unknown>;
  Object.assign(sandbox, timers.functions, {
    process,
    console: createConsole(),
    Exception,
    http: createHttp({ root }),
    log,
  });
  const context = createContext(sandbox);
  if (!isFilled) fillShared(OWN_NAMES.runInContext(context) as string[]);
  const global = GLOBAL.runInContext(context) as Record<string, unknown>;
  sandbox['global'] = global;
  (BRIDGE.runInContext(context) as (outer: object) => void)(BRIDGED);
  let wrapper: Script | undefined;
  let isCached = false;
  return {
    global,
    timers,
    compiled: () => (isCached ? undefined : wrapper?.createCachedData()),
    exitCode: () => process.exitCode,
    run(code, filename, cachedData) {
      wrapper = new Script(`${HEAD}${code}\n})`, {
        filename,
        columnOffset: -HEAD.length,
        ...(cachedData !== undefined && { cachedData }),
      });
      isCached = cachedData !== undefined && wrapper.cachedDataRejected !== true;
      const module: { exports: Record<string, unknown> } = { exports: {} };
      const call = wrapper.runInContext(context) as (...args: unknown[]) => void;
      call(module.exports, builtins.require, module);
      return module.exports;
    },
    close() {
      process.leave();
      timers.clear();
      builtins.restore();
    },
  };
}

/** What a console remembers: counts, times, groups. */
const STATEFUL = [
  'assert',
  'count',
  'countReset',
  'dir',
  'dirxml',
  'group',
  'groupCollapsed',
  'groupEnd',
  'table',
  'time',
  'timeEnd',
  'timeLog',
] as const;

/** The console of the process, but for its memory, which begins empty. */
function createConsole(): Console {
  let own: Console | undefined;
  const copy = { ...console };
  for (const name of STATEFUL) {
    copy[name] = (...args: unknown[]): void => {
      own ??= new console.Console(process.stdout, process.stderr);
      // A method of a console, called with what it was called with.
      (own[name] as (...args: unknown[]) => void)(...args);
    };
  }
  return copy;
}

/** Node itself asks whether something is an Error: one of a realm is one, too. */
const isOrdinaryError = Function.prototype[Symbol.hasInstance].bind(Error);
Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, value: unknown): boolean {
    if (this !== Error) return Function.prototype[Symbol.hasInstance].call(this, value);
    return isOrdinaryError(value) || types.isNativeError(value);
  },
});

const GLOBAL = new Script('globalThis');
/** Of the language, which every context has by itself. */
const OWN_NAMES = new Script('Object.getOwnPropertyNames(globalThis)');
/** Stands before the first line, whose columns are counted without it. */
export const HEAD = '(function (exports, require, module) { ';

/** Takes the globals of Node as they are before any file has run. */
function fillShared(ownNames: readonly string[]): void {
  isFilled = true;
  for (const value of [log, Exception, performance, process.hrtime, process.memoryUsage, process.nextTick])
    watchShared(value);
  for (const value of [process.stdout, process.stderr, ...Object.values(console)]) watchShared(value);
  const own = new Set(ownNames);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (own.has(name) || MADE.has(name)) continue;
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    if (descriptor === undefined) continue;
    if (descriptor.get === undefined)
      Object.defineProperty(shared, name, { ...descriptor, configurable: true, writable: true });
    else defineLazily(shared, name);
  }
}

/** Some are loaded when somebody asks; whoever sets one gets a property of its own. */
function defineLazily(globals: object, name: string): void {
  Object.defineProperty(globals, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value: unknown = Reflect.get(globalThis, name);
      watchShared(value);
      return value;
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
    },
  });
}
