// What script tests are written with, as global namespaces. In tsconfig.json: "types": ["assay/testing"].

declare global {
  namespace testing {
    /** What a test function gets first. Its functions may be taken off it: `const { assert, log } = t`. */
    interface T {
      /** Assertions. They are soft: the test goes on after one that failed. */
      readonly assert: Assert;
      /** Replacements of functions, timers, modules and `fetch`; undone after the test. */
      readonly mock: Mock;
      /** The name of the function; in a subtest `Parent/name`. */
      readonly name: string;
      /** Whether something has failed so far. */
      readonly failed: boolean;

      /** Logs a line, formatted as console.log does it. */
      log(...values: unknown[]): void;
      /** Logs a line that is marked as an error; the test does not fail by it. */
      error(...values: unknown[]): void;

      /** Stops the function; the test is skipped. */
      skip(reason?: unknown, ...values: unknown[]): never;
      /** Marks the test as failed and goes on. */
      fail(reason?: unknown, ...values: unknown[]): void;
      /** Marks the test as failed and stops the function. */
      fatal(reason?: unknown, ...values: unknown[]): never;

      /** Runs a subtest: true if it did not fail. */
      run(name: string, test: (t: T, ctx: agent.Context) => never): boolean;
      run(name: string, test: (t: T, ctx: agent.Context) => Promise<unknown>): Promise<boolean>;
      run(name: string, test: (t: T, ctx: agent.Context) => unknown): boolean;
      /** Calls the function after the test, whatever happened; the last one first. */
      cleanup(undo: (t: T, ctx: agent.Context) => unknown): void;
      /** A new folder, removed after the test. */
      tempDir(): string;
    }

    /** Each gives true if it holds. The message may be followed by values for its `%s` and `%d`. */
    interface Assert {
      /** The value is `true` itself. */
      True(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** The value is `false` itself. */
      False(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** Deep equality, also of dates, maps, sets and classes; a property that is undefined counts. */
      Equal(actual: unknown, expected: unknown, message?: string, ...values: unknown[]): boolean;
      NotEqual(actual: unknown, expected: unknown, message?: string, ...values: unknown[]): boolean;
      /** The value is null or undefined. */
      Nil(value: unknown, message?: string, ...values: unknown[]): boolean;
      NotNil(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** A text has this part; a list, a set or the keys of a map have this element. */
      Contains(value: unknown, part: unknown, message?: string, ...values: unknown[]): boolean;
      NotContains(value: unknown, part: unknown, message?: string, ...values: unknown[]): boolean;
      /** The characters of a text, the elements of a list, a set or a map. */
      Len(value: unknown, length: number, message?: string, ...values: unknown[]): boolean;
      /** a > b, of numbers, bigints, texts or dates. */
      Greater<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a >= b */
      GreaterOrEqual<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a < b */
      Less<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a <= b */
      LessOrEqual<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** An Error, an object with a message, or a text that is not empty. */
      Error(error: unknown, message?: string, ...values: unknown[]): boolean;
      /** null or undefined. */
      NoError(error: unknown, message?: string, ...values: unknown[]): boolean;
      /** The function throws, or the promise that it returns rejects. */
      Panic(subject: () => never, message?: string, ...values: unknown[]): boolean;
      Panic(subject: () => Promise<unknown>, message?: string, ...values: unknown[]): Promise<boolean>;
      Panic(subject: () => unknown, message?: string, ...values: unknown[]): boolean;
      /** The function returns, and so does the promise that it returns. */
      NoPanic(subject: () => never, message?: string, ...values: unknown[]): boolean;
      NoPanic(subject: () => Promise<unknown>, message?: string, ...values: unknown[]): Promise<boolean>;
      NoPanic(subject: () => unknown, message?: string, ...values: unknown[]): boolean;
      /** A text matches a pattern somewhere. */
      Match(value: unknown, pattern: RegExp | string, message?: string, ...values: unknown[]): boolean;
      NotMatch(value: unknown, pattern: RegExp | string, message?: string, ...values: unknown[]): boolean;
      /** What the path leads to equals a value: the one match, or the list of them. */
      JSONPath(
        object: unknown,
        path: string,
        expected: unknown,
        message?: string,
        ...values: unknown[]
      ): boolean;
      /** A name of `typeof`, `array`, `null`, `date`, `regexp`, `map`, `set`, `error`, `promise`, `integer`, or of a class. */
      Type(value: unknown, type: string, message?: string, ...values: unknown[]): boolean;
      /** Another agent judges the response by the criteria. */
      Agent(
        response: unknown,
        agentId: string,
        options?: AgentOptions,
        message?: string,
        ...values: unknown[]
      ): Promise<boolean>;
    }

    type Ordered = number | bigint | string | Date;

    interface AgentOptions {
      /** What the response has to fulfil. */
      criteria?: unknown;
      [option: string]: unknown;
    }

    /** What replaces things for the time of one test. */
    interface Mock {
      readonly timers: MockTimers;
      /** A function that records its calls. */
      fn(): MockFunction<(...args: Anything[]) => undefined>;
      fn<F extends Callable>(implementation: F): MockFunction<F>;
      /** Behaves like the second function, and like the first one after `mock.restore()`. */
      fn<F extends Callable>(original: F, implementation: F): MockFunction<F>;
      /** Replaces a method, or only records its calls. */
      method<O extends object, K extends keyof O>(
        object: O,
        name: K,
        implementation?: O[K] & Callable,
      ): MockFunction<O[K] & Callable>;
      /** Replaces the getter of a property. */
      getter<O extends object, K extends keyof O>(
        object: O,
        name: K,
        implementation?: () => O[K],
      ): MockFunction<() => O[K]>;
      /** Replaces the setter of a property. */
      setter<O extends object, K extends keyof O>(
        object: O,
        name: K,
        implementation?: (value: O[K]) => void,
      ): MockFunction<(value: O[K]) => void>;
      /**
       * Answers all requests of `fetch`.
       * @example t.mock.fetch({ 'GET https://example.com/users': [{ id: 1 }], 'https://example.com/': { status: 404 } })
       */
      fetch(
        answers: FetchHandler | Record<string, FetchAnswer | FetchHandler>,
      ): MockFunction<(input: Anything, init?: Anything) => Promise<FetchResponse>>;
      /** Replaces what a module exports, by its specifier as the test file writes it; also as node:test takes it. */
      module(
        specifier: string,
        exports:
          Record<string, unknown> | { namedExports?: Record<string, unknown>; defaultExport?: unknown },
      ): { restore(): void };
      /** Undoes everything. */
      reset(): void;
      /** Undoes everything. */
      restoreAll(): void;
    }

    type Callable = (this: Anything, ...args: Anything[]) => Anything;

    /** A function that records its calls. */
    type MockFunction<F extends Callable> = F & { readonly mock: MockRecord<F> };

    interface MockRecord<F extends Callable> {
      readonly calls: readonly MockCall<F>[];
      callCount(): number;
      mockImplementation(implementation: F): void;
      /** For the next call, or the one with this number, counted from 0. */
      mockImplementationOnce(implementation: F, onCall?: number): void;
      resetCalls(): void;
      /** Puts the original back. */
      restore(): void;
    }

    interface MockCall<F extends Callable> {
      readonly arguments: Parameters<F>;
      readonly result: ReturnType<F> | undefined;
      readonly error: unknown;
      readonly this: unknown;
    }

    /** An object is JSON, a text is text, an Error is a request that fails. */
    type FetchAnswer =
      | FetchResponse
      | { status: number; body?: unknown; headers?: Record<string, string> }
      | Error
      | object
      | string;

    type FetchHandler = (url: string, init: Anything) => FetchAnswer | Promise<FetchAnswer>;

    /** A clock that goes on only when it is told to. */
    interface MockTimers {
      /** Replaces the timers and Date, or those named; the clock starts at 0 unless told otherwise. */
      enable(options?: TimerApi[] | { apis?: TimerApi[]; now?: number | Date }): void;
      /** Lets time pass, and everything happen that is due. */
      tick(ms?: number): void;
      /** The same, with promises settling in between. */
      tickAsync(ms?: number): Promise<void>;
      /** Lets as much time pass as all timers need. */
      runAll(): void;
      runAllAsync(): Promise<void>;
      /** Sets the clock without anything happening. */
      setTime(ms: number): void;
      /** Puts the real ones back. */
      reset(): void;
    }

    type TimerApi =
      | 'setTimeout'
      | 'setInterval'
      | 'setImmediate'
      | 'Date'
      | 'performance'
      | 'hrtime'
      | 'nextTick'
      | 'queueMicrotask';

    /** What `TestMain` gets. */
    interface M {
      /** Runs the tests of the file. */
      run(): Promise<number>;
      Run(): Promise<number>;
    }
  }

  namespace agent {
    /** What hooks, tools and tests are called with: a new one for each test, which may change it. */
    interface Context {
      /** From `-u`. */
      get User(): { ID: string; Name?: string };
      set User(user: { ID: string; Name?: string } | null | undefined);
      /** From `-t`. */
      get Team(): { ID: string; Name?: string };
      set Team(team: { ID: string; Name?: string } | null | undefined);
      /** `en-us` unless told otherwise. */
      Locale: string;
      Client: { Type: string; IP: string; UserAgent?: string };
      Metadata: Record<string, Anything>;
      ChatID: string;
      AssistantID: string;
      Referer: string;
      Accept: string;

      chat_id: string;
      assistant_id: string;
      authorized: Authorized;
      metadata: Record<string, Anything>;
      /** The values of the test's variables; dates as Date. */
      variables?: Record<string, Anything>;
      client: { type: string; ip: string; user_agent?: string };
      locale: string;
      referer: string;
      accept: string;

      /** Values that live as long as the test. */
      readonly memory: Memory;
      /** Aborts when the time is up. */
      readonly signal?: Signal;
    }

    interface Authorized {
      sub?: string;
      client_id?: string;
      scope?: string;
      session_id?: string;
      user_id?: string;
      team_id?: string;
      tenant_id?: string;
      remember_me?: boolean;
      constraints?: {
        owner_only?: boolean;
        creator_only?: boolean;
        editor_only?: boolean;
        team_only?: boolean;
        extra?: Record<string, unknown>;
      };
    }

    interface Namespace {
      /** null if there is no such value. */
      Get(key: string): Anything;
      Set(key: string, value: unknown): void;
      Has(key: string): boolean;
      Del(key: string): void;
      Keys(): string[];
      Clear(): void;
    }

    interface Memory extends Namespace {
      user: Namespace;
      team: Namespace;
      chat: Namespace;
      context: Namespace;
    }

    /** The answer to a request; status and code are 0 if there was none, and the message says why. */
    interface HttpResponse {
      status: number;
      code: number;
      data: Anything;
      headers: Record<string, string[]>;
      message: string;
    }

    /** Requests whose answer is there when the call returns. */
    interface Http {
      Delete(url: string, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
      Get(url: string, query?: unknown, headers?: unknown): HttpResponse;
      Head(url: string, query?: unknown, headers?: unknown): HttpResponse;
      Patch(url: string, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
      Post(url: string, payload?: unknown, files?: unknown, query?: unknown, headers?: unknown): HttpResponse;
      Put(url: string, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
      Send(
        method: string,
        url: string,
        payload?: unknown,
        query?: unknown,
        headers?: unknown,
        files?: unknown,
      ): HttpResponse;
    }

    /** Lines with their level; values take the place of `%s`, `%d` and `%v`. */
    interface Log {
      Debug(message: unknown, ...values: unknown[]): void;
      Error(message: unknown, ...values: unknown[]): void;
      Fatal(message: unknown, ...values: unknown[]): void;
      Info(message: unknown, ...values: unknown[]): void;
      Panic(message: unknown, ...values: unknown[]): void;
      Trace(message: unknown, ...values: unknown[]): void;
      Warn(message: unknown, ...values: unknown[]): void;
    }
  }

  /** Calls a function of another script, or a built-in process: `Process('scripts.math.Add', 1, 2)`. */
  function Process(name: string, ...args: Anything[]): Anything;

  // Only `var` makes a property of globalThis, which is where tests replace these.
  /* oxlint-disable no-var */
  var http: agent.Http;
  var log: agent.Log;
  /* oxlint-enable no-var */

  /** An error with a status, 500 unless given. */
  class Exception extends Error {
    constructor(message: string, code?: number);
    readonly code: number;
  }
}

// Values whose type only the test's author knows: `unknown` would make every use of them a cast.
// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

// These are known if the DOM's types or Node's are there.
type FetchResponse = typeof globalThis extends { Response: { prototype: infer R } } ? R : Anything;
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : Anything;

// Without it this would not be a module, and could not declare anything global.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {};
