// A file of `Test*` functions, as plain data: found, compiled, ready to be sent to a worker.

export type ScriptRun = {
  type: 'script';
  /** `scripts.expense.setup`. */
  name: string;
  /** The test file: its place on this machine, and as people know it (`expense/src/setup_test.ts`). */
  file: string;
  path: string;
  /** Its code with everything it imports, and the source map of that. */
  bundle: string;
  /** `context`: a fresh context in a worker that other files use, too; `process`: a process of its own. */
  isolation: 'context' | 'process';
  /** Modules that its tests replace: the specifier they write, and the name it has in the bundle. */
  mocks: Record<string, string>;
  /** The application root. */
  root: string;
  /** Why it could not be compiled; then it has no tests but one that says so. */
  problem?: string;
};

/** A part of a test function that `t.run` made, known by its path: `TestTotal/empty cart/with tax`. */
export type Subtest = {
  name: string;
  status: 'passed' | 'failed' | 'skipped' | 'error';
  duration_ms: number;
  /** Why it failed or was skipped. */
  error?: string;
};
