// `process` as a file of tests sees it: its own environment, listeners and properties; everything else is the real one's.

import { EventEmitter } from 'node:events';

export type RealmProcess = NodeJS.Process & {
  /** Tells those who wait for the end, and forgets them. */
  leave(): void;
};

const LISTENING = [
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

/** Makes it; `exit` is what `process.exit` does. */
export function createRealmProcess(exit: (code: unknown) => never): RealmProcess {
  // What is set on it stays on it, and what it does not have is looked for in the real one.
  const own = Object.create(process) as RealmProcess & Record<string, unknown>;
  const emitter = new EventEmitter();
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(own, name, { value, configurable: true, enumerable: true, writable: true });
  };
  for (const name of LISTENING) {
    define(name, (...args: unknown[]): unknown => {
      // A method of an emitter, called with what it was called with.
      const result = (emitter[name] as (...args: unknown[]) => unknown)(...args);
      return result === emitter ? own : result;
    });
  }
  define('env', textsOnly({ ...process.env }));
  define('exit', (code?: unknown) => exit(code ?? own.exitCode ?? 0));
  define('reallyExit', (code?: unknown) => exit(code));
  define('exitCode', undefined);
  define('argv', [...process.argv]);
  define('execArgv', [...process.execArgv]);
  for (const name of ['versions', 'release', 'features'] as const) define(name, { ...process[name] });
  // Behind a setter that would reach the real one.
  for (const name of ['title', 'debugPort'] as const) define(name, process[name]);
  define('leave', () => {
    try {
      emitter.emit('exit', 0);
    } catch {
      // The file is over; what its last words were does not matter.
    }
    emitter.removeAllListeners();
  });
  return own;
}

/** An environment turns everything into text. */
function textsOnly(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
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
