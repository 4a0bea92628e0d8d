// A realm for one test file inside a shared process: its own globals, built-ins, modules, timers and environment.

import { isBuiltin } from 'node:module';
import { createContext, Script } from 'node:vm';
import { Exception } from '../../../scripts/globals/exception.ts';
import { createHttp } from '../../../scripts/globals/http.ts';
import { log } from '../../../scripts/globals/log.ts';
import { createBuiltins } from './builtins.ts';
import { acceptForeignErrors, bridgeContext } from './foreign-values.ts';
import type { RealmProcess } from './realm-process.ts';
import { createRealmProcess } from './realm-process.ts';
import { watchShared } from './shared-objects.ts';
import type { Timers } from './timers.ts';
import { trackTimers } from './timers.ts';

export type Realm = {
  /** `globalThis` of the realm. */
  global: Record<string, unknown>;
  /** Runs CommonJS code in the realm and returns its exports. */
  run(code: string, filename: string, cachedData?: Buffer): Record<string, unknown>;
  /** The code cache to save; undefined if a valid one was passed to `run`. */
  compiled(): Buffer | undefined;
  /** Ends the file's timers and restores everything that it changed in objects shared by all realms; false if that is not possible. */
  close(): boolean;
  timers: Timers;
  /** Passes an uncaught exception to the file's own listeners; true if there are any. */
  emitUncaught: RealmProcess['emitUncaught'];
  /** The value that code in the realm assigned to `process.exitCode`. */
  exitCode(): unknown;
};

export type RealmOptions = {
  /** The application root, used by the globals of scripts. */
  root: string;
  /** Called when code in the realm calls `process.exit`; throws. */
  exit(code: unknown): never;
};

/** Globals that each realm gets anew or must not have. */
const NOT_SHARED = new Set(['global', 'process', 'console', 'GLOBAL', 'root']);

/** Node's globals, which all realms inherit; filled when the first realm is created. */
const shared = {};
let isFilled = false;

/** Creates a realm in about a millisecond. */
export function createRealm({ exit, root }: RealmOptions): Realm {
  const timers = trackTimers();
  const { process, emitExit, emitUncaught } = createRealmProcess(exit);
  const console = createConsole();
  const builtins = createBuiltins({ process, timers, console });
  process.getBuiltinModule = (name: string) =>
    (isBuiltin(name) ? builtins.require(name) : undefined) as never;
  // Shared globals are inherited: defining seventy properties would take longer than everything else here.
  const sandbox: Record<string, unknown> = Object.create(shared) as Record<string, unknown>;
  Object.assign(sandbox, timers.functions, {
    process,
    console,
    Exception,
    http: createHttp({ root }),
    log,
  });
  const context = createContext(sandbox);
  if (!isFilled) fillShared(OWN_NAMES.runInContext(context) as string[]);
  const global = GLOBAL.runInContext(context) as Record<string, unknown>;
  sandbox['global'] = global;
  bridgeContext(context, globalThis);
  let wrapper: Script | undefined;
  let isCached = false;
  return {
    global,
    timers,
    emitUncaught,
    compiled: () => (isCached ? undefined : wrapper?.createCachedData()),
    exitCode: () => process.exitCode,
    run(code, filename, cachedData) {
      wrapper = new Script(`${HEAD}${code}\n})`, {
        filename,
        columnOffset: -HEAD.length,
        cachedData,
      });
      isCached = cachedData !== undefined && wrapper.cachedDataRejected !== true;
      const module: { exports: Record<string, unknown> } = { exports: {} };
      const call = wrapper.runInContext(context) as (...args: unknown[]) => void;
      call(module.exports, builtins.require, module);
      return module.exports;
    },
    close() {
      emitExit();
      timers.clear();
      return builtins.restore();
    },
  };
}

/** Console methods with state: counts, times, groups. */
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

/** The console of the process with fresh counts, times and groups. */
function createConsole(): Console {
  let own: Console | undefined;
  const copy = { ...console };
  for (const name of STATEFUL) {
    copy[name] = (...args: unknown[]): void => {
      own ??= new console.Console(process.stdout, process.stderr);
      // Forwards the call.
      (own[name] as (...args: unknown[]) => void)(...args);
    };
  }
  return copy;
}

acceptForeignErrors(Error);

const GLOBAL = new Script('Error.stackTraceLimit = 50; globalThis');
/** Globals of the language, which every context has. */
const OWN_NAMES = new Script('Object.getOwnPropertyNames(globalThis)');
/** Precedes the code on its first line; `columnOffset` keeps the columns right. */
export const HEAD = '(function (exports, require, module) { ';

/** Copies Node's globals before any file has run. */
function fillShared(ownNames: readonly string[]): void {
  isFilled = true;
  for (const value of [log, Exception, performance, process.hrtime, process.memoryUsage, process.nextTick])
    watchShared(value);
  for (const value of [process.stdout, process.stderr, ...Object.values(console)]) watchShared(value);
  const own = new Set(ownNames);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (own.has(name) || NOT_SHARED.has(name)) continue;
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
    if (descriptor === undefined) continue;
    if (descriptor.get === undefined)
      Object.defineProperty(shared, name, { ...descriptor, configurable: true, writable: true });
    else defineLazily(shared, name);
  }
}

/** Defines a global that Node loads lazily; assigning it creates an own property of the realm. */
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
