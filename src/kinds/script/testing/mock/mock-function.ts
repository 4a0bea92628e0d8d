// Functions that record their calls.

/** A recorded call, as tests read it. */
type MockCall = { arguments: unknown[]; result: unknown; error: unknown; this: unknown };

export type Callable = (...args: unknown[]) => unknown;

/** The `mock` property of a mock function. */
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
  /** Puts the original back; called once. */
  undo?: (() => void) | undefined;
};

/**
 * Creates a function that behaves like `implementation` until it is restored, then like `original`. It is a proxy of the
 * original, which keeps name, length and properties and lets classes be mocked.
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

  const recordCall = (self: unknown, args: unknown[], call: (subject: Callable) => unknown): unknown => {
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
      recordCall(self, args, (subject) => Reflect.apply(subject, self, args)),
    construct(target, args: unknown[], newTarget) {
      // `new mock()` creates an instance of the class behind the mock.
      const construct = (subject: Callable): unknown =>
        Reflect.construct(subject, args, newTarget === mock ? target : newTarget) as unknown;
      return recordCall(undefined, args, construct) as object;
    },
    get: (target, key, receiver) =>
      key === 'mock' ? record : (Reflect.get(target, key, receiver === mock ? target : receiver) as unknown),
    has: (target, key) => key === 'mock' || Reflect.has(target, key),
  });
  // The proxy adds the property `mock`, which the type of `new Proxy` does not show.
  return mock as MockFunction;
}

/** Returns the value if it is a function; otherwise throws an error that names the caller. */
export function requireFunction(value: unknown, caller: string): Callable {
  if (typeof value !== 'function') throw new TypeError(`${caller} takes a function`);
  // Any function may be called with any arguments.
  return value as Callable;
}
