// `t.assert`. Its functions are bound: `const { Equal, True } = t.assert` works.

import { nearest } from '../platform/nearest.ts';
import { askAgent } from './agent-assertion.ts';
import type { AssertionCheck } from './assertion.ts';
import { ASSERTIONS } from './assertions.ts';
import { judgeAssertion } from './judge-assertion.ts';
import type { Scope } from './scope.ts';

/** The assertions of one test; each is a getter of the prototype, so that making this object costs nothing. */
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

/** Whatever is no assertion can be looked at, but not called: the error names the one that was meant. */
const unknownAssertions = new Proxy(Object.prototype, {
  get(target, name, receiver) {
    // Awaiting and serializing an object ask for these.
    if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON') {
      return Reflect.get(target, name, receiver) as unknown;
    }
    return () => {
      const [best] = nearest(name, [...Object.keys(ASSERTIONS), 'Agent'], { max: 1 });
      const hint = best === undefined ? '' : `; did you mean ${best}?`;
      throw new TypeError(`t.assert.${name} is not an assertion${hint}`);
    };
  },
});
Object.setPrototypeOf(Assert.prototype, unknownAssertions);
