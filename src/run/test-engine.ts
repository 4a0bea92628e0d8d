// The API for programs: the id of a test or suite comes in, the report of its run goes out.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../errors.ts';
import { ConfigError, RuntimeError } from '../errors.ts';
import { isObject } from '../json/is-object.ts';
import { EXIT } from '../model/exit-code.ts';
import type { TestVariableValue } from '../model/variables.ts';
import { withoutDebugger } from '../platform/processes/debugger.ts';
import { list, object, oneOrMore, optional, record } from '../schema/object.ts';
import { findProblems } from '../schema/problems.ts';
import { anything, boolean, name, number, string, that } from '../schema/values.ts';
import type { JsonReport } from '../report/formats/json-report.ts';
import { quote } from '../text/quote.ts';
import type { ChildRunInput } from './child-run-input.ts';
import { writeChildRunInput } from './child-run-input.ts';

/** How a test runs. The definition decides about every option that is left out. */
export type TestRunOptions = {
  /** Values of variables; they win over those of the suite, the test and its type. */
  variables?: { [variableName: string]: TestVariableValue };
  /** Run all combinations of these values. */
  matrix?: { [variableName: string]: TestVariableValue[] };
  /** Run only as many combinations as it takes to have every pair of values. */
  pairwise?: boolean;
  /** Names of presets in assay.config. */
  preset?: string | string[];
  runs?: number;
  parallel?: number;
  /** A Go duration such as `30s`. */
  timeout?: string;
  /** Copy the run's progress to this program's stderr. */
  verbose?: boolean;
  /** The folder of the application; the working directory by default. */
  cwd?: string;
  /** Ends the run when it aborts; the report has the results so far. */
  signal?: AbortSignal;
};

export type SuiteRunOptions = TestRunOptions & { failFast?: boolean };

/** The user of the run: an id, or an object that has one. */
export type ContextUser = string | { ID: string } | { id: string };

/** The JSON report of a run with its exit code: 0 passed, 1 failed, 3 could not measure, 130 interrupted. */
export type TestRunResult = JsonReport & { exit_code: number };

/** Runs tests and suites by the ids of their definitions, each run in a child process. */
export class TestEngine {
  static readonly #instance = new TestEngine();

  /** The one engine of this program. */
  static get Instance(): TestEngine {
    return TestEngine.#instance;
  }

  /** Throws ConfigError on a configuration error, before anything is executed. A failed test does not throw. */
  async RunTest(id: string, options: TestRunOptions = {}, user?: ContextUser): Promise<TestRunResult> {
    return run(['run', id], options, user);
  }

  /** Runs all tests of a suite in the same way. */
  async RunSuite(id: string, options: SuiteRunOptions = {}, user?: ContextUser): Promise<TestRunResult> {
    return run(['suite', id], options, user);
  }
}

const CLI = fileURLToPath(new URL('cli.js', import.meta.url));

async function run(
  command: string[],
  options: SuiteRunOptions,
  user: ContextUser | undefined,
): Promise<TestRunResult> {
  checkCall(command, options, user);
  const { cwd = process.cwd(), signal, verbose = false } = options;
  signal?.throwIfAborted();
  const args = commandLine(options, user);
  const { file, remove } = writeChildRunInput(childInput(options));
  try {
    const given = [...command, `--child-run-input=${file}`, ...args, '--json'];
    const child = spawn(process.execPath, [...withoutDebugger(), CLI, ...given], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (): void => void child.kill('SIGINT');
    signal?.addEventListener('abort', stop, { once: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      if (verbose) process.stderr.write(chunk);
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal?.removeEventListener('abort', stop);
    if (code === EXIT.config) throw new ConfigError(stderr.trim());
    return parseResult(stdout, stderr, code ?? EXIT.unmeasured);
  } finally {
    remove();
  }
}

/** Refuses what TypeScript would: the command line sees texts only. */
function checkCall([, id]: string[], options: SuiteRunOptions, user: ContextUser | undefined): void {
  const problems: Problem[] = [];
  if (typeof id !== 'string' || id === '' || id.startsWith('-'))
    problems.push({ message: `${quote(id)} is no id of a test or suite` });
  if (user !== undefined && !isUser(user))
    problems.push({ message: 'the user must be an id, or an object with "ID" or "id"' });
  problems.push(...findProblems(optionsShape, options, { wrong: 'must be', whole: 'the options' }));
  if (problems.length > 0) throw ConfigError.of(problems);
}

function isUser(user: unknown): boolean {
  const id = isObject(user) ? (user['ID'] ?? user['id']) : user;
  return typeof id === 'string' && id !== '';
}

const optionsShape = object(
  {
    variables: optional(record(anything)),
    matrix: optional(record(list(anything))),
    pairwise: optional(boolean),
    preset: optional(oneOrMore(name, { isEmptyFine: true })),
    runs: optional(number),
    parallel: optional(number),
    timeout: optional(string),
    verbose: optional(boolean),
    failFast: optional(boolean),
    cwd: optional(name),
    signal: optional(that('an AbortSignal', {}, (value) => value instanceof AbortSignal)),
  } satisfies Record<keyof SuiteRunOptions, unknown>,
  { hint: 'write { variables: { … } }' },
);

function parseResult(stdout: string, stderr: string, exit_code: number): TestRunResult {
  try {
    return Object.assign(JSON.parse(stdout) as TestRunResult, { exit_code });
  } catch (cause) {
    throw new RuntimeError(stderr.trim() || 'the run ended without a report', { cause });
  }
}

/** The values as JSON. A value that is undefined counts as not given. */
function childInput({ variables = {}, matrix = {} }: SuiteRunOptions): ChildRunInput {
  const values = Object.entries(variables).filter(([, value]) => (value as unknown) !== undefined);
  const lists = Object.entries(matrix);
  for (const [name, value] of [
    ...values,
    ...lists.flatMap(([name, list]) => list.map((one) => [name, one] as const)),
  ])
    if (!isValue(value))
      throw new ConfigError(`${name}: expected a text, a number, true or false, or a Date`, {
        hint: 'an invalid Date does not count',
      });
  return { values: Object.fromEntries(values), matrix: Object.fromEntries(lists) };
}

function isValue(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value);
}

function commandLine(options: SuiteRunOptions, user: ContextUser | undefined): string[] {
  const { pairwise, preset = [], runs, parallel, timeout, verbose, failFast } = options;
  return [
    ...[preset].flat().map((name) => `--preset=${name}`),
    ...(pairwise === true ? ['--pairwise'] : []),
    ...(runs === undefined ? [] : [`--runs=${String(runs)}`]),
    ...(parallel === undefined ? [] : [`--parallel=${String(parallel)}`]),
    ...(timeout === undefined ? [] : [`--timeout=${timeout}`]),
    ...(verbose === true ? ['--verbose'] : []),
    ...(failFast === undefined ? [] : [failFast ? '--fail-fast' : '--no-fail-fast']),
    ...(user === undefined ? [] : [`--user=${userId(user)}`]),
  ];
}

function userId(user: ContextUser): string {
  if (typeof user === 'string') return user;
  return 'ID' in user ? user.ID : user.id;
}
