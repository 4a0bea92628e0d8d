// The timers of a file of tests: known, so that they can be ended with it.

import { attemptScope } from '../../../execute/worker/capture.ts';
import * as real from '../../../execute/intrinsics.ts';

type TimerFunctions = Pick<
  typeof globalThis,
  'clearImmediate' | 'clearInterval' | 'clearTimeout' | 'setImmediate' | 'setInterval' | 'setTimeout'
>;

export type Timers = {
  functions: TimerFunctions;
  /** Whether something was set that has not happened yet; intervals do not count, they never end. */
  arePending(): boolean;
  clear(): void;
};

const { clearImmediate, setInterval } = globalThis;
const NAMED = Object.getOwnPropertySymbols(real.setTimeout);

/** Timers like the real ones, which can all be ended at once. */
export function trackTimers(): Timers {
  type Kept = Map<unknown, ReturnType<typeof attemptScope.getStore>>;
  const timeouts: Kept = new Map();
  const intervals: Kept = new Map();
  const keep = (kept: Kept, timer: unknown): void => {
    const owner = attemptScope.getStore();
    if (owner !== undefined) owner.timers = (owner.timers ?? 0) + 1;
    kept.set(timer, owner);
  };
  const forget = (kept: Kept, timer: unknown): void => {
    const owner = kept.get(timer);
    if (kept.delete(timer) && owner?.timers !== undefined) owner.timers -= 1;
  };
  type Callback = (...args: unknown[]) => unknown;

  function setTimeout(callback: Callback, delay?: number, ...args: unknown[]): NodeJS.Timeout {
    if (typeof callback !== 'function') return real.setTimeout(callback, delay);
    const timer = real.setTimeout(() => {
      forget(timeouts, timer);
      callback(...args);
    }, delay);
    keep(timeouts, timer);
    return timer;
  }
  function setTracked(callback: Callback, delay?: number, ...args: unknown[]): NodeJS.Timeout {
    const timer = setInterval(callback, delay, ...args);
    keep(intervals, timer);
    return timer;
  }
  function setSoon(callback: Callback, ...args: unknown[]): NodeJS.Immediate {
    if (typeof callback !== 'function') return real.setImmediate(callback);
    const timer = real.setImmediate(() => {
      forget(timeouts, timer);
      callback(...args);
    });
    keep(timeouts, timer);
    return timer;
  }
  const clear = (timer: unknown): void => {
    // Whatever it is: the real functions know what to do with it.
    forget(timeouts, timer);
    forget(intervals, timer);
    real.clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
  };
  for (const name of NAMED) {
    // `util.promisify` of a timer is defined by a symbol on it.
    Object.defineProperty(setTimeout, name, Object.getOwnPropertyDescriptor(real.setTimeout, name) ?? {});
    const descriptor = Object.getOwnPropertyDescriptor(real.setImmediate, name);
    if (descriptor !== undefined) Object.defineProperty(setSoon, name, descriptor);
  }
  Object.defineProperty(setTracked, 'name', { value: 'setInterval' });
  Object.defineProperty(setSoon, 'name', { value: 'setImmediate' });
  const functions = {
    setTimeout,
    setInterval: setTracked,
    setImmediate: setSoon,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  return {
    // The same functions with types that are less fussy about what they are given.
    functions: functions as unknown as TimerFunctions,
    arePending: () => timeouts.size > 0,
    clear() {
      for (const timer of [...timeouts.keys(), ...intervals.keys()]) clear(timer);
    },
  };
}
