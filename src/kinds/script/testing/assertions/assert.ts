// `t.assert`. Its methods are bound: `const { Equal, True } = t.assert` works.

import { askAgent } from './agent-assertion.ts';
import type { AssertionCheck } from './assertion.ts';
import { explainAssertion } from './assertion-aliases.ts';
import { ASSERTIONS } from './assertions.ts';
import { judgeAssertion } from './judge-assertion.ts';
import type { Scope } from '../scope.ts';
import { rejectUnknownMembers } from '../unknown-member.ts';

/** The assertions of one test. Each is a getter of the prototype, so that creating this object is cheap. */
export class Assert {
  readonly #scope: Scope;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  get Agent() {
    return (...args: unknown[]): Promise<boolean> => askAgent(this.#scope, args);
  }

  static bound(assert: Assert, name: string, check: AssertionCheck) {
    const scope = assert.#scope;
    return (...args: unknown[]): boolean | Promise<boolean> => judgeAssertion(scope, name, check, args);
  }
}

for (const [name, check] of Object.entries<AssertionCheck>(ASSERTIONS)) {
  Object.defineProperty(Assert.prototype, name, {
    get(this: Assert) {
      return Assert.bound(this, name, check);
    },
  });
}

Object.setPrototypeOf(Assert.prototype, rejectUnknownMembers(explainAssertion));
