// Global types for script tests. In tsconfig.json: "types": ["assay/testing"].

declare global {
  namespace testing {
    /** The first argument of a test function. Its methods may be destructured: `const { assert, log } = t`. */
    interface T {
      /** Soft assertions: the test continues after a failed one. */
      readonly assert: Assert;
      /** Mocks for functions, timers, modules and `fetch`; undone after the test. */
      readonly mock: Mock;
      /** The name of the function; in a subtest `Parent/name`. */
      readonly name: string;
      /** True if something has failed so far. */
      readonly failed: boolean;

      /** Logs a line, formatted like console.log. */
      log(...values: unknown[]): void;
      /** Logs a line marked as an error and marks the test as failed; the function continues. */
      error(...values: unknown[]): void;

      /** Stops the function and marks the test as skipped. */
      skip(reason?: unknown, ...values: unknown[]): never;
      /** Marks the test as failed and continues. */
      fail(reason?: unknown, ...values: unknown[]): void;
      /** Marks the test as failed and stops the function. */
      fatal(reason?: unknown, ...values: unknown[]): never;

      /** Runs a subtest; returns true if it did not fail. */
      run(name: string, test: (t: T, ctx: agent.Context) => never): boolean;
      run(name: string, test: (t: T, ctx: agent.Context) => Promise<unknown>): Promise<boolean>;
      run(name: string, test: (t: T, ctx: agent.Context) => unknown): boolean;
      /** Calls the function after the test, also if it failed; last registered first. */
      cleanup(undo: (t: T, ctx: agent.Context) => unknown): void;
      /** Creates a temporary folder, removed after the test. */
      tempDir(): string;
    }

    /** Each assertion returns true if it holds. The message may be followed by values for its `%s` and `%d`. */
    interface Assert {
      /** The value is `true` itself. */
      True(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** The value is `false` itself. */
      False(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** Deep equality, also of dates, maps, sets and classes; undefined properties count. */
      Equal(actual: unknown, expected: unknown, message?: string, ...values: unknown[]): boolean;
      NotEqual(actual: unknown, expected: unknown, message?: string, ...values: unknown[]): boolean;
      /** The value is null or undefined. */
      Nil(value: unknown, message?: string, ...values: unknown[]): boolean;
      NotNil(value: unknown, message?: string, ...values: unknown[]): boolean;
      /** A text contains this part; a list, a set or the keys of a map contain this element. */
      Contains(value: unknown, part: unknown, message?: string, ...values: unknown[]): boolean;
      NotContains(value: unknown, part: unknown, message?: string, ...values: unknown[]): boolean;
      /** The number of characters of a text, or of elements of a list, a set or a map. */
      Len(value: unknown, length: number, message?: string, ...values: unknown[]): boolean;
      /** a > b, for numbers, bigints, texts or dates. */
      Greater<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a >= b */
      GreaterOrEqual<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a < b */
      Less<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** a <= b */
      LessOrEqual<V extends Ordered>(a: V, b: V, message?: string, ...values: unknown[]): boolean;
      /** The value is an Error, an object with a message, or a non-empty text. */
      Error(error: unknown, message?: string, ...values: unknown[]): boolean;
      /** The value is null or undefined. */
      NoError(error: unknown, message?: string, ...values: unknown[]): boolean;
      /** The function throws, or its promise rejects. */
      Panic(subject: () => never, message?: string, ...values: unknown[]): boolean;
      Panic(subject: () => Promise<unknown>, message?: string, ...values: unknown[]): Promise<boolean>;
      Panic(subject: () => unknown, message?: string, ...values: unknown[]): boolean;
      /** The function does not throw, and its promise does not reject. */
      NoPanic(subject: () => never, message?: string, ...values: unknown[]): boolean;
      NoPanic(subject: () => Promise<unknown>, message?: string, ...values: unknown[]): Promise<boolean>;
      NoPanic(subject: () => unknown, message?: string, ...values: unknown[]): boolean;
      /** The text matches the pattern anywhere. */
      Match(value: unknown, pattern: RegExp | string, message?: string, ...values: unknown[]): boolean;
      NotMatch(value: unknown, pattern: RegExp | string, message?: string, ...values: unknown[]): boolean;
      /** The result of the path equals the value: a single match, or the list of matches. */
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
      /** The criteria for the response. */
      criteria?: unknown;
      [option: string]: unknown;
    }

    /** Mocks that last for one test. */
    interface Mock {
      readonly timers: MockTimers;
      /** A function that records its calls. */
      fn(): MockFunction<(...args: Anything[]) => undefined>;
      fn<F extends Callable>(implementation: F): MockFunction<F>;
      /** Behaves like `implementation`, and like the original after `mock.restore()`. */
      fn<F extends Callable>(original: F, implementation: F): MockFunction<F>;
      /** Replaces a method, or only records its calls if there is no replacement. */
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
      /** Replaces the exports of a module, named by its specifier in the test file; accepts the options of node:test too. */
      module(
        specifier: string,
        exports:
          Record<string, unknown> | { namedExports?: Record<string, unknown>; defaultExport?: unknown },
      ): { restore(): void };
      /** Undoes all mocks. */
      reset(): void;
      /** Undoes all mocks. */
      restoreAll(): void;
    }

    type Callable = (this: Anything, ...args: Anything[]) => Anything;

    /** A function that records its calls. */
    type MockFunction<F extends Callable> = F & { readonly mock: MockRecord<F> };

    interface MockRecord<F extends Callable> {
      readonly calls: readonly MockCall<F>[];
      callCount(): number;
      mockImplementation(implementation: F): void;
      /** Replaces the next call, or the call with this number, counted from 0. */
      mockImplementationOnce(implementation: F, onCall?: number): void;
      resetCalls(): void;
      /** Restores the original. */
      restore(): void;
    }

    interface MockCall<F extends Callable> {
      readonly arguments: Parameters<F>;
      readonly result: ReturnType<F> | undefined;
      readonly error: unknown;
      readonly this: unknown;
    }

    /** An object is sent as JSON, a text as text; an Error makes the request fail. */
    type FetchAnswer =
      | FetchResponse
      | { status: number; body?: unknown; headers?: Record<string, string> }
      | Error
      | object
      | string;

    type FetchHandler = (url: string, init: Anything) => FetchAnswer | Promise<FetchAnswer>;

    /** A mock clock that only advances on command. */
    interface MockTimers {
      /** Replaces timers and Date, or only the named ones; by default the clock starts at 0. */
      enable(options?: TimerApi[] | { apis?: TimerApi[]; now?: number | Date }): void;
      /** Advances the clock and runs the timers that are due. */
      tick(ms?: number): void;
      /** Does the same and lets promises settle in between. */
      tickAsync(ms?: number): Promise<void>;
      /** Advances the clock until all timers have run. */
      runAll(): void;
      runAllAsync(): Promise<void>;
      /** Sets the clock without running timers. */
      setTime(ms: number): void;
      /** Restores the real timers. */
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

    /** The argument of `TestMain`. */
    interface M {
      /** Runs the tests of the file. */
      run(): Promise<number>;
      Run(): Promise<number>;
    }
  }

  namespace agent {
    /** The context of hooks, tools and tests. Each test gets its own and may change it. */
    interface Context {
      /** From `-u`. */
      get User(): { ID: string; Name?: string };
      set User(user: { ID: string; Name?: string } | null | undefined);
      /** From `-t`. */
      get Team(): { ID: string; Name?: string };
      set Team(team: { ID: string; Name?: string } | null | undefined);
      /** By default `en-us`. */
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
      theme: string;
      route: string;
      referer: string;
      accept: string;

      /** Values that last as long as the test. */
      readonly memory: Memory;
      /** Steps and lines for the report. */
      readonly trace: Trace;

      /** Tools, resources and prompts of tool servers. */
      readonly mcp: Mcp;
      /** Models, by the id of their connector. */
      readonly llm: Llm;
      /** Other agents. */
      readonly agent: Agents;
      /** Needs mocks. */
      readonly search: Search;
      /** A folder of the attempt, if package.yao has `sandbox`. */
      readonly sandbox?: Sandbox;

      /** Sends a message to the user; returns its id. */
      Send(message: Message | string, blockId?: string): string;
      /** Begins a message that `Append` continues and `End` ends. */
      SendStream(message: Message | string, blockId?: string): string;
      /** Appends to a text or a list in the `props` of a message, by default to `content`. */
      Append(id: string, content: unknown, path?: string): string;
      Replace(id: string, message: Message | string): string;
      /** Merges an object into the `props` of a message. */
      Merge(id: string, data: object, path?: string): string;
      /** Sets a value in the `props` of a message. */
      Set(id: string, value: unknown, path?: string): string;
      End(id: string, content?: string): string;
      /** `M1`, `M2` … */
      MessageID(): string;
      /** `B1`, `B2` … */
      BlockID(): string;
      /** `T1`, `T2` … */
      ThreadID(): string;
      EndBlock(id: string): void;
      /** Aborts on timeout. */
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
      /** null if the value does not exist. */
      Get(key: string): Anything;
      Set(key: string, value: unknown, ttlSeconds?: number): void;
      Has(key: string): boolean;
      Del(key: string): void;
      GetDel(key: string): Anything;
      Keys(): string[];
      Len(): number;
      Clear(): void;
      Incr(key: string, by?: number): number;
      Decr(key: string, by?: number): number;
      /** Appends to a list; returns its length. */
      Push(key: string, items: unknown[]): number;
      /** Removes and returns the last element. */
      Pop(key: string): Anything;
      /** Removes and returns the first elements. */
      Pull(key: string, count: number): Anything[];
      PullAll(key: string): Anything[];
      /** Appends the items that the list does not have; returns its length. */
      AddToSet(key: string, items: unknown[]): number;
      ArrayLen(key: string): number;
      /** -1 is the last element. */
      ArrayGet(key: string, index: number): Anything;
      ArraySet(key: string, index: number, value: unknown): void;
      ArraySlice(key: string, from: number, to?: number): Anything[];
      /** Pages count from 1. */
      ArrayPage(key: string, page: number, size: number): Anything[];
      ArrayAll(key: string): Anything[];
    }

    /** A message to the user; a text is `{type: "text", props: {content}}`. */
    interface Message {
      type: string;
      props?: Record<string, unknown>;
      [field: string]: unknown;
    }

    interface Mcp {
      ListTools(server: string): Anything;
      /** The parsed result; throws the error of the tool. */
      CallTool(server: string, tool: string, args?: unknown): Anything;
      CallTools(server: string, calls: { name: string; arguments?: unknown }[]): Anything[];
      CallToolsParallel(server: string, calls: { name: string; arguments?: unknown }[]): Anything[];
      All(calls: McpCall[]): McpAnswer[];
      Any(calls: McpCall[]): McpAnswer[];
      Race(calls: McpCall[]): McpAnswer[];
      ListResources(server: string): Anything;
      ReadResource(server: string, uri: string): Anything;
      ListPrompts(server: string): Anything;
      GetPrompt(server: string, name: string, args?: unknown): Anything;
    }

    interface McpCall {
      mcp: string;
      tool: string;
      arguments?: unknown;
    }

    interface McpAnswer {
      mcp: string;
      tool: string;
      result?: Anything;
      error?: string;
    }

    interface ChatMessage {
      role: string;
      content: unknown;
      [field: string]: unknown;
    }

    interface CallOptions {
      onChunk?: (message: Anything) => unknown;
      [option: string]: unknown;
    }

    interface SeveralOptions {
      onChunk?: (id: string, index: number, message: Anything) => unknown;
    }

    interface Llm {
      Stream(connector: string, messages: ChatMessage[] | string, options?: CallOptions): LlmAnswer;
      All(calls: LlmCall[], options?: SeveralOptions): LlmAnswer[];
      Any(calls: LlmCall[], options?: SeveralOptions): LlmAnswer[];
      Race(calls: LlmCall[], options?: SeveralOptions): LlmAnswer[];
    }

    interface LlmCall {
      connector: string;
      messages: ChatMessage[] | string;
      options?: CallOptions;
    }

    interface LlmAnswer {
      connector: string;
      response?: Anything;
      content?: string;
      error?: string;
    }

    interface Agents {
      Call(id: string, messages: ChatMessage[] | string, options?: CallOptions): AgentAnswer;
      All(calls: AgentCall[], options?: SeveralOptions): AgentAnswer[];
      Any(calls: AgentCall[], options?: SeveralOptions): AgentAnswer[];
      Race(calls: AgentCall[], options?: SeveralOptions): AgentAnswer[];
    }

    interface AgentCall {
      agent: string;
      messages: ChatMessage[] | string;
      options?: CallOptions;
    }

    interface AgentAnswer {
      agent_id: string;
      response?: Anything;
      content?: string;
      error?: string;
    }

    interface Search {
      Web(query: string, options?: unknown): SearchAnswer;
      KB(query: string, options?: unknown): SearchAnswer;
      DB(query: string, options?: unknown): SearchAnswer;
      All(queries: SearchQuery[]): SearchAnswer[];
      Any(queries: SearchQuery[]): SearchAnswer[];
      Race(queries: SearchQuery[]): SearchAnswer[];
    }

    interface Sandbox {
      readonly workdir: string;
      ReadFile(path: string): string;
      WriteFile(path: string, content: unknown): void;
      ListDir(path?: string): { name: string; size: number; is_dir: boolean }[];
      /** The output of a program; throws if it fails. */
      Exec(argv: string[]): string;
    }

    interface SearchQuery {
      type: 'web' | 'kb' | 'db';
      query: string;
      [option: string]: unknown;
    }

    interface SearchAnswer {
      type: string;
      query: string;
      source: string;
      items: Anything[];
      error?: string;
    }

    interface Trace {
      Add(input?: unknown, option?: TraceOption): TraceNode;
      Parallel(steps: { input?: unknown; option?: TraceOption }[]): TraceNode[];
      Info(message: unknown, ...values: unknown[]): void;
      Debug(message: unknown, ...values: unknown[]): void;
      Warn(message: unknown, ...values: unknown[]): void;
      Error(message: unknown, ...values: unknown[]): void;
    }

    interface TraceOption {
      label?: string;
      type?: string;
      icon?: string;
      description?: string;
    }

    interface TraceNode extends Trace {
      SetOutput(output: unknown): TraceNode;
      SetMetadata(key: string, value: unknown): TraceNode;
      Complete(output?: unknown): TraceNode;
      Fail(error: unknown): TraceNode;
    }

    interface Memory extends Namespace {
      user: Namespace;
      team: Namespace;
      chat: Namespace;
      context: Namespace;
    }

    /** The response to a request. Without a response, status and code are 0 and the message is the reason. */
    interface HttpResponse {
      status: number;
      code: number;
      data: Anything;
      headers: Record<string, string[]>;
      message: string;
    }

    /** Synchronous HTTP requests. */
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

    /** Logs lines with a level; values replace `%s`, `%d` and `%v`. */
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

  // `var` creates properties of globalThis, so that tests can replace them.
  /* oxlint-disable no-var */
  var http: agent.Http;
  var log: agent.Log;
  /* oxlint-enable no-var */

  /** An error with a status, by default 500. */
  class Exception extends Error {
    constructor(message: string, code?: number);
    readonly code: number;
  }
}

// Only the author of the test knows the type of these values; `unknown` would need a cast for every use.
// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

// Defined if the types of the DOM or of Node are available.
type FetchResponse = typeof globalThis extends { Response: { prototype: infer R } } ? R : Anything;
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : Anything;

// Makes this file a module; otherwise it could not declare globals.
// oxlint-disable-next-line unicorn/require-module-specifiers
export {};
