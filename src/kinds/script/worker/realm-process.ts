// The `process` of a test file: its own environment, listeners and properties; the rest is inherited from the real one.

import { EventEmitter } from 'node:events';

export type RealmProcess = {
  /** What tests get. */
  process: NodeJS.Process;
  /** Emits `exit` and removes all listeners. */
  emitExit(): void;
  /** Passes an exception to the listeners; true if there are any. */
  emitUncaught(event: string, error: unknown, origin: unknown): boolean;
};

const EMITTER_METHODS = [
  'addListener',
  'emit',
  'eventNames',
  'getMaxListeners',
  'listenerCount',
  'listeners',
  'off',
  'on',
  'once',
  'prependListener',
  'prependOnceListener',
  'rawListeners',
  'removeAllListeners',
  'removeListener',
  'setMaxListeners',
] as const;

/** Creates the object; `exit` handles calls of `process.exit`. */
export function createRealmProcess(exit: (code: unknown) => never): RealmProcess {
  // Assignments stay on this object; missing properties come from the real process.
  const own = Object.create(process) as NodeJS.Process;
  const emitter = new EventEmitter();
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(own, name, { value, configurable: true, enumerable: true, writable: true });
  };
  for (const name of EMITTER_METHODS) {
    define(name, (...args: unknown[]): unknown => {
      // Forwards the call to the emitter.
      const result = (emitter[name] as (...args: unknown[]) => unknown)(...args);
      return result === emitter ? own : result;
    });
  }
  define('env', createEnv({ ...process.env }));
  define('exit', (code?: unknown) => exit(code ?? own.exitCode ?? 0));
  define('reallyExit', (code?: unknown) => exit(code));
  define('exitCode', undefined);
  define('argv', [...process.argv]);
  define('execArgv', [...process.execArgv]);
  for (const name of ['versions', 'release', 'features'] as const) define(name, { ...process[name] });
  // The inherited setters would change the real process.
  for (const name of ['title', 'debugPort'] as const) define(name, process[name]);
  return {
    process: own,
    emitUncaught: (event, error, origin) =>
      emitter.listenerCount(event) > 0 && emitter.emit(event, error, origin),
    emitExit() {
      try {
        emitter.emit('exit', 0);
      } catch {
        // The file is over: errors of its exit listeners do not matter.
      }
      emitter.removeAllListeners();
    },
  };
}

/** Like the real environment, turns every value into a string. */
function createEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return new Proxy(env, {
    set: (target, name, value: unknown) =>
      Reflect.set(target, name, typeof name === 'string' ? String(value) : value),
    defineProperty: (target, name, descriptor) =>
      Reflect.defineProperty(target, name, {
        ...descriptor,
        ...('value' in descriptor && { value: String(descriptor.value) }),
      }),
  });
}
