// Functions that record their calls.

/** A call of a mock, as its author may read it. */
type MockCall = { arguments: unknown[]; result: unknown; error: unknown; this: unknown };

export type Callable = (...args: unknown[]) => unknown;

/** What hangs on a mock as `mock`. */
type MockRecord = {
  readonly calls: readonly MockCall[];
  callCount(): number;
  mockImplementation(implementation: unknown): void;
  mockImplementationOnce(implementation: unknown, onCall?: number): void;
  resetCalls(): void;
  restore(): void;
};

export type MockFunction = Callable & { mock: MockRecord };

type MockOptions = {
  implementation?: Callable;
  /** Puts the original back where it was; called once. */
  undo?: (() => void) | undefined;
};

/**
 * A function that behaves like `implementation` until it is restored, and like `original` from then on. It is a proxy of
 * the original, so that name, length and properties are kept and classes can be mocked.
 */
export function createMockFunction(
  original: Callable,
  { implementation = original, undo }: MockOptions = {},
): MockFunction {
  let calls: MockCall[] = [];
  let current = implementation;
  const once = new Map<number, Callable>();

  const record: MockRecord = {
    get calls() {
      return [...calls];
    },
    callCount: () => calls.length,
    mockImplementation(next) {
      current = requireFunction(next, 'mockImplementation');
    },
    mockImplementationOnce(next, onCall = calls.length) {
      once.set(onCall, requireFunction(next, 'mockImplementationOnce'));
    },
    resetCalls() {
      calls = [];
    },
    restore() {
      current = original;
      once.clear();
      undo?.();
      undo = undefined;
    },
  };

  const follow = (self: unknown, args: unknown[], call: (subject: Callable) => unknown): unknown => {
    const entry: MockCall = { arguments: args, result: undefined, error: undefined, this: self };
    const subject = once.get(calls.length) ?? current;
    once.delete(calls.length);
    calls.push(entry);
    try {
      entry.result = call(subject);
      return entry.result;
    } catch (error) {
      entry.error = error;
      throw error;
    }
  };

  const mock: Callable = new Proxy(original, {
    apply: (_target, self: unknown, args: unknown[]) =>
      follow(self, args, (subject) => Reflect.apply(subject, self, args)),
    construct(target, args: unknown[], newTarget) {
      // Whoever makes the mock itself new means the class behind it.
      const made = (subject: Callable): unknown =>
        Reflect.construct(subject, args, newTarget === mock ? target : newTarget) as unknown;
      return follow(undefined, args, made) as object;
    },
    get: (target, key, receiver) =>
      key === 'mock' ? record : (Reflect.get(target, key, receiver === mock ? target : receiver) as unknown),
    has: (target, key) => key === 'mock' || Reflect.has(target, key),
  });
  // A function with one more property is what the type says.
  return mock as MockFunction;
}

/** The value, if it can be called; otherwise whoever asked is told. */
export function requireFunction(value: unknown, who: string): Callable {
  if (typeof value !== 'function') throw new TypeError(`${who} takes a function`);
  // Whatever can be called may be called with anything.
  return value as Callable;
}
