// `t.mock`: what is replaced for the time of one test, with the names of node:test.

import { mockFetch } from './mock-fetch.ts';
import type { MockFunction } from './mock-function.ts';
import { createMockFunction, requireFunction } from './mock-function.ts';
import { mockModule } from './mock-module.ts';
import { mockProperty } from './mock-property.ts';
import { MockTimers } from './mock-timers.ts';
import type { Scope } from '../scope.ts';
import { explainMock } from '../member-hints.ts';
import { createPrototype } from '../unknown-member.ts';

const PROTOTYPE = createPrototype('Mock', explainMock);

/** Builds the `t.mock` of a test or subtest; everything is undone when that ends. */
export function createMock(scope: Scope) {
  const { host } = scope.record;
  let undos: (() => void)[] = [];
  const restoreAll = (): void => {
    const last = undos;
    undos = [];
    for (const undo of last.reverse()) undo();
  };
  const keep = (undo: () => void): void => {
    scope.requireOpen('t.mock');
    undos.push(undo);
  };
  const kept = (mock: MockFunction): MockFunction => {
    keep(() => mock.mock.restore());
    return mock;
  };
  const timers = new MockTimers(host.realm, () => keep(() => timers.reset()));
  scope.onEnd(restoreAll);

  return {
    __proto__: PROTOTYPE,
    timers,
    fetch: (answers: unknown) => kept(mockFetch(host.realm, answers)),
    fn(original: unknown = () => undefined, implementation: unknown = original) {
      const first = requireFunction(original, 't.mock.fn');
      return kept(
        createMockFunction(first, { implementation: requireFunction(implementation, 't.mock.fn') }),
      );
    },
    getter: (object: unknown, name: unknown, implementation?: unknown) =>
      kept(mockProperty('get', object, name, implementation)),
    method: (object: unknown, name: unknown, implementation?: unknown) =>
      kept(mockProperty('value', object, name, implementation)),
    module(specifier: unknown, exports: unknown) {
      const undo = mockModule(host, specifier, exports);
      keep(undo);
      return { restore: undo };
    },
    reset: restoreAll,
    restoreAll,
    setter: (object: unknown, name: unknown, implementation?: unknown) =>
      kept(mockProperty('set', object, name, implementation)),
  };
}
