// A compiled file of `Test*` functions as plain data, ready to be sent to a worker.

export type ScriptSubject = {
  kind: 'script';
  /** The assistant that the file belongs to; `scripts` for a script of the application. */
  id: string;
  /** `scripts.expense.setup`, or the path of the file from the root. */
  name: string;
  /** The test file: its absolute path, and its path for display (`expense/src/setup_test.ts`). */
  file: string;
  path: string;
  /** The path of its bundle, which includes its imports; the source map is beside it. */
  bundle: string;
  /** The state of the code cache beside the bundle when it was checked; without it, it is not used. */
  code_cache?: string;
  /** `context`: a new context in a worker shared with other files; `process`: a process of its own. */
  isolation: 'context' | 'process';
  /** The modules that its tests mock: specifier in the source → name in the bundle. */
  mocks: Record<string, string>;
  /** The application root. */
  root: string;
  /** Why it could not be compiled; its only test then reports this problem. */
  problem?: string;
};

/** A subtest created by `t.run`, identified by its path: `TestTotal/empty cart/with tax`. */
export type Subtest = {
  name: string;
  status: 'passed' | 'failed' | 'skipped' | 'error';
  duration_ms: number;
  /** Why it failed or was skipped. */
  error?: string;
};

/** The value of `-i` that means one file of script tests, in the folder of its run. A file without a name is meant by its path. */
export function typedScript(logged: { script: string; script_path: string; file: string }): string {
  return logged.script === logged.script_path ? logged.file : logged.script;
}
