// Runs a test file with the vitest of the user's project, and counts its tests. Vitest runs the file in a process or thread
// of its own.

import { relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer, Thrown } from '../messages.ts';
import { describeThrown, readText } from './describe-thrown.ts';
import type { TestTally } from './test-tally.ts';
import { createTally } from './test-tally.ts';

/** The parts of vitest's node API that all its versions from 1 on have. */
type VitestNode = {
  startVitest(mode: 'test', filters: string[], options: object): Promise<Vitest | undefined>;
};
type Vitest = {
  state: { getFiles(): FileTask[]; getUnhandledErrors(): unknown[] };
  close(): Promise<unknown>;
};
type Task = {
  name: string;
  type: string;
  mode: string;
  result?: { state?: string; errors?: unknown[] };
  tasks?: Task[];
};
type FileTask = Task & { filepath: string };

const MISSING =
  'vitest did not run it: "include" of a project in the vitest configuration must match this file';

/** `vitest` is the path of vitest/node, `root` the folder with its configuration. */
export async function runVitest(
  file: string,
  { vitest: path, root }: { vitest: string; root: string },
): Promise<{ answer: Answer; listing: string }> {
  const { startVitest } = (await import(pathToFileURL(path).href)) as VitestNode;
  const vitest = await startVitest('test', [file], {
    root,
    watch: false,
    include: [
      relative(root, file)
        .split(sep)
        .join('/')
        .replaceAll(/[\\*?[\]{}()!@+|]/g, '\\$&'),
    ],
    exclude: [],
    passWithNoTests: true,
    reporters: [{ onUserConsoleLog: print }],
    coverage: { enabled: false },
    ui: false,
  });
  const files = vitest?.state.getFiles() ?? [];
  const unhandled = (vitest?.state.getUnhandledErrors() ?? []).map(describeError);
  await vitest?.close();

  const tally = createTally();
  for (const task of files) countFile(tally, task);
  const [crash] = [...unhandled, ...files.flatMap(importErrors)];
  if (crash !== undefined)
    return { answer: crashAnswer(tally, crash, unhandled.length === 0), listing: tally.listing() };
  if (files.length === 0) throw new Error(MISSING);
  return { answer: tally.answer(), listing: tally.listing() };
}

/** An error outside of tests breaks the file, unless failed tests already say what is wrong. */
function crashAnswer(tally: TestTally, crash: Thrown, isImport: boolean): Answer {
  const answer = tally.answer();
  if (answer.type === 'tested' && answer.failed > 0) return answer;
  return { type: 'thrown', during: isImport ? 'import' : 'test', thrown: crash };
}

/** A file that could not be imported has errors and no tests. */
function importErrors({ tasks = [], result }: FileTask): Thrown[] {
  return tasks.length === 0 ? (result?.errors ?? []).map(describeError) : [];
}

function countFile(tally: TestTally, { tasks = [], result }: FileTask): void {
  if (tasks.length > 0)
    for (const error of result?.errors ?? []) tally.fail('the file', describeError(error));
  for (const task of tasks) countTask(tally, task, []);
}

function countTask(tally: TestTally, task: Task, above: readonly string[]): void {
  const path = [...above, task.name];
  const name = path.join(' > ');
  const { state, errors = [] } = task.result ?? {};
  if (task.type === 'suite') {
    for (const error of errors) tally.fail(name, describeError(error));
    for (const inner of task.tasks ?? []) countTask(tally, inner, path);
    return;
  }
  if (state === 'pass') tally.pass(name);
  else if (state === 'fail') tally.fail(name, describeError(errors[0]));
  else if (state === 'skip' || task.mode === 'skip' || task.mode === 'todo') tally.skip(name);
  else tally.fail(name, { message: 'the test did not end' });
}

/** The positions of vitest's own list are those of the source. */
function describeError(error: unknown): Thrown {
  const thrown = describeThrown(error);
  const stacks: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'stacks') : undefined;
  const first: unknown = Array.isArray(stacks) ? stacks[0] : undefined;
  const file = readText(first, 'file');
  if (file === undefined) return thrown;
  const { line, column } = first as { line?: unknown; column?: unknown };
  return { ...thrown, stack: `${thrown.message}\n    at ${file}:${String(line)}:${String(column)}` };
}

function print({ content, type }: { content: string; type: 'stderr' | 'stdout' }): void {
  process[type === 'stderr' ? 'stderr' : 'stdout'].write(content);
}
