// `t.mock`: replacements for the time of one test, with the method names of node:test.

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

/** Builds the `t.mock` of a test or subtest; its end undoes all replacements. */
export function createMock(scope: Scope) {
  const { host } = scope.shared;
  let undos: (() => void)[] = [];
  const restoreAll = (): void => {
    const last = undos;
    undos = [];
    for (const undo of last.reverse()) undo();
  };
  const onRestore = (undo: () => void): void => {
    scope.requireOpen('t.mock');
    undos.push(undo);
  };
  const tracked = (mock: MockFunction): MockFunction => {
    onRestore(() => mock.mock.restore());
    return mock;
  };
  const timers = new MockTimers(host.realm, () => onRestore(() => timers.reset()));
  scope.onEnd(restoreAll);

  return {
    __proto__: PROTOTYPE,
    timers,
    fetch: (answers: unknown) => tracked(mockFetch(host.realm, answers)),
    fn(original: unknown = () => undefined, implementation: unknown = original) {
      const first = requireFunction(original, 't.mock.fn');
      return tracked(
        createMockFunction(first, { implementation: requireFunction(implementation, 't.mock.fn') }),
      );
    },
    getter: (object: unknown, name: unknown, implementation?: unknown) =>
      tracked(mockProperty('get', object, name, implementation)),
    method: (object: unknown, name: unknown, implementation?: unknown) =>
      tracked(mockProperty('value', object, name, implementation)),
    module(specifier: unknown, exports: unknown) {
      const undo = mockModule(host, specifier, exports);
      onRestore(undo);
      return { restore: undo };
    },
    reset: restoreAll,
    restoreAll,
    setter: (object: unknown, name: unknown, implementation?: unknown) =>
      tracked(mockProperty('set', object, name, implementation)),
  };
}
