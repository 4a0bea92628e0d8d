// Tracks the timers of a test file, so that they can be cleared with it.

import { attemptScope } from '../../../execute/worker/capture.ts';
import * as real from '../../../execute/process/intrinsics.ts';

type TimerFunctions = Pick<
  typeof globalThis,
  'clearImmediate' | 'clearInterval' | 'clearTimeout' | 'setImmediate' | 'setInterval' | 'setTimeout'
>;

export type Timers = {
  functions: TimerFunctions;
  /** True if a timeout or immediate has not fired yet; intervals do not count, because they never end. */
  arePending(): boolean;
  clear(): void;
};

const { clearImmediate, setInterval } = globalThis;

type TimerScopes = Map<unknown, ReturnType<typeof attemptScope.getStore>>;
type Callback = (...args: unknown[]) => unknown;

/** Creates timer functions like the real ones, whose timers can all be cleared at once. */
export function trackTimers(): Timers {
  const timeouts: TimerScopes = new Map();
  const intervals: TimerScopes = new Map();

  function setTimeout(callback: Callback, delay?: number, ...args: unknown[]): NodeJS.Timeout {
    if (typeof callback !== 'function') return real.setTimeout(callback, delay);
    const timer = real.setTimeout(() => {
      forget(timeouts, timer);
      callback(...args);
    }, delay);
    keep(timeouts, timer);
    return timer;
  }
  function trackedInterval(callback: Callback, delay?: number, ...args: unknown[]): NodeJS.Timeout {
    const timer = setInterval(callback, delay, ...args);
    keep(intervals, timer);
    return timer;
  }
  function trackedImmediate(callback: Callback, ...args: unknown[]): NodeJS.Immediate {
    if (typeof callback !== 'function') return real.setImmediate(callback);
    const timer = real.setImmediate(() => {
      forget(timeouts, timer);
      callback(...args);
    });
    keep(timeouts, timer);
    return timer;
  }
  const clear = (timer: unknown): void => {
    // Accepts anything, as the real functions do.
    forget(timeouts, timer);
    forget(intervals, timer);
    real.clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
  };
  copySymbols(real.setTimeout, setTimeout);
  copySymbols(real.setImmediate, trackedImmediate);
  Object.defineProperty(trackedInterval, 'name', { value: 'setInterval' });
  Object.defineProperty(trackedImmediate, 'name', { value: 'setImmediate' });

  const functions = {
    setTimeout,
    setInterval: trackedInterval,
    setImmediate: trackedImmediate,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  return {
    // The cast is needed because the real functions have more overloads.
    functions: functions as unknown as TimerFunctions,
    arePending: () => timeouts.size > 0,
    clear() {
      for (const timer of [...timeouts.keys(), ...intervals.keys()]) clear(timer);
    },
  };
}

function keep(scopes: TimerScopes, timer: unknown): void {
  const scope = attemptScope.getStore();
  if (scope !== undefined) scope.timers = (scope.timers ?? 0) + 1;
  scopes.set(timer, scope);
}

function forget(scopes: TimerScopes, timer: unknown): void {
  const scope = scopes.get(timer);
  if (scopes.delete(timer) && scope?.timers !== undefined) scope.timers -= 1;
}

/** A symbol on a timer function defines its `util.promisify`. */
function copySymbols(from: object, to: object): void {
  for (const symbol of Object.getOwnPropertySymbols(from))
    Object.defineProperty(to, symbol, Object.getOwnPropertyDescriptor(from, symbol) ?? {});
}
