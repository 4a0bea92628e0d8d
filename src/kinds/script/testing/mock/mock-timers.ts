// `t.mock.timers`: a clock in the realm of the code under test that only the test advances.

import { createRequire } from 'node:module';
import type { Clock, FakeMethod } from '@sinonjs/fake-timers';
import { isObject } from '../../../../json/is-object.ts';
import { nearest } from '../../../../text/nearest.ts';
import { show } from '../assertions/show.ts';

/** The APIs that can be mocked, each with the functions to replace together. */
const APIS: Record<string, FakeMethod[]> = {
  Date: ['Date'],
  hrtime: ['hrtime'],
  nextTick: ['nextTick'],
  performance: ['performance'],
  queueMicrotask: ['queueMicrotask'],
  setImmediate: ['setImmediate', 'clearImmediate'],
  setInterval: ['setInterval', 'clearInterval'],
  setTimeout: ['setTimeout', 'clearTimeout'],
};
/** Without nextTick and queueMicrotask, so that promises and streams keep working. */
const DEFAULT_APIS = ['Date', 'setImmediate', 'setInterval', 'setTimeout'];

const load = createRequire(import.meta.url);

export class MockTimers {
  readonly #realm: Record<string, unknown>;
  readonly #onEnable: () => void;
  #clock: Clock | undefined;

  constructor(realm: Record<string, unknown>, onEnable: () => void) {
    this.#realm = realm;
    this.#onEnable = onEnable;
  }

  enable(options: unknown = {}): void {
    const { apis, now } = readOptions(options);
    if (this.#clock !== undefined) throw new Error('t.mock.timers are enabled already');
    const toFake = apis.flatMap(methodsFor);
    this.#onEnable();
    // Loaded on first use, with require because `enable` is synchronous. The cast is needed because require has no types.
    const { withGlobal } = load('@sinonjs/fake-timers') as typeof import('@sinonjs/fake-timers');
    this.#clock = withGlobal(this.#realm).install({ now: Number(now), toFake });
  }

  tick(ms = 1): void {
    this.#running('tick').tick(ms);
  }

  async tickAsync(ms = 1): Promise<void> {
    await this.#running('tickAsync').tickAsync(ms);
  }

  runAll(): void {
    this.#running('runAll').runAll();
  }

  async runAllAsync(): Promise<void> {
    await this.#running('runAllAsync').runAllAsync();
  }

  setTime(ms: number): void {
    this.#running('setTime').setSystemTime(ms);
  }

  reset(): void {
    this.#clock?.uninstall();
    this.#clock = undefined;
  }

  #running(name: string): Clock {
    if (this.#clock !== undefined) return this.#clock;
    throw new Error(`t.mock.timers.${name}: call t.mock.timers.enable() first`);
  }
}

/** Takes `{ apis, now }`, or only the list of APIs. */
function readOptions(options: unknown): { apis: unknown[]; now: unknown } {
  const { apis = DEFAULT_APIS, now = 0 } = Array.isArray(options)
    ? { apis: options as unknown[] }
    : isObject(options)
      ? options
      : { apis: options };
  if (Array.isArray(apis)) return { apis, now };
  throw new TypeError(`t.mock.timers.enable takes { apis, now } with a list of apis, not ${show(options)}`);
}

function methodsFor(api: unknown): FakeMethod[] {
  const methods = typeof api === 'string' && Object.hasOwn(APIS, api) ? APIS[api] : undefined;
  if (methods !== undefined) return methods;
  const [best] = nearest(String(api), Object.keys(APIS), { max: 1 });
  const hint =
    best === undefined ? `the mockable APIs are ${Object.keys(APIS).join(', ')}` : `did you mean ${best}?`;
  throw new TypeError(`t.mock.timers.enable: ${show(api)} cannot be mocked; ${hint}`);
}
