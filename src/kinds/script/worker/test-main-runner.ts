// `TestMain(m)`: a function around all tests of a file, which run when it calls `m.run()`.

import { adopt, isThenable } from '../testing/control.ts';
import { setTimeout } from '../../../execute/process/intrinsics.ts';

/** Thrown instead of exiting when test code calls `process.exit`. */
export class ExitError extends Error {
  /** The message is enough: do not print the class name. */
  override readonly name = 'Error';
  readonly code: unknown;

  constructor(code: unknown) {
    super(`process.exit(${String(code)}) was called`);
    this.code = code;
  }
}

/** Runs a TestMain in two halves: the part before `m.run()` and the part after the tests. */
export class TestMainRunner {
  #begun: Promise<void>;
  #open: () => void = () => undefined;
  #close: (code: number) => void = () => undefined;
  #over: Promise<unknown>;
  #hasRun = false;
  #code = 0;

  constructor(main: (m: object) => unknown) {
    const result = new Promise<number>((resolve) => {
      this.#close = resolve;
    });
    this.#begun = new Promise((resolve) => {
      this.#open = resolve;
    });
    const run = (): Promise<number> => {
      this.#hasRun = true;
      this.#open();
      return result;
    };
    this.#over = call(() => main({ run, Run: run })).then(
      () => undefined,
      (error: unknown) =>
        this.#hasRun && error instanceof ExitError && isExpected(error.code, this.#code)
          ? undefined
          : (error ?? new Error(`it threw ${String(error)}`)),
    );
  }

  /** Waits until the tests may run; resolves to an error if they cannot. */
  async begin(limitMs: number): Promise<unknown> {
    const ended = this.#over.then(
      (problem) => problem ?? (this.#hasRun ? undefined : new Error('it did not call m.run()')),
    );
    return Promise.race([this.#begun, ended, expired(limitMs)]);
  }

  /** Resumes it after the tests with their exit code; resolves to an error if it fails. */
  async finish(code: number, limitMs: number): Promise<unknown> {
    this.#code = code;
    this.#close(code);
    return Promise.race([this.#over, expired(limitMs)]);
  }
}

async function call(main: () => unknown): Promise<unknown> {
  const result = main();
  return isThenable(result) ? adopt(result) : result;
}

/** `process.exit` at the end of a TestMain is fine with 0, or with any code if tests failed. */
function isExpected(code: unknown, own: number): boolean {
  return Number(code) === 0 || own !== 0;
}

async function expired(limitMs: number): Promise<Error> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(new Error('it takes too long')), limitMs).unref();
  });
}
