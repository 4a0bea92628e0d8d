// Starts runs for the viewer: each is this program in its own process, as on the command line.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { typeOf } from '../definitions/read-definitions.ts';
import { EXIT } from '../model/exit-code.ts';
import { writeChildRunInput } from '../run/child-run-input.ts';
import type { ProcessGroup } from '../platform/processes/process-group.ts';
import { withoutDebugger } from '../platform/processes/debugger.ts';
import { startGroup } from '../platform/processes/process-group.ts';
import { ApiError } from './api-error.ts';
import type { RunOrder } from './viewer-application.ts';
import { checkValuesForTests } from '../variables/check-values.ts';
import type { Given } from '../variables/given.ts';
import type { applicationDefinitions } from '../run/definitions/application-definitions.ts';
import { chooseTests } from '../run/definitions/select-definitions.ts';
import { readRunValues } from '../run/inputs/run-variables.ts';

export type ViewRunsOptions = {
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
  /** The requested history: an absolute path or an address. */
  store: string | undefined;
  /** The definitions as they are now. */
  read(): ReturnType<typeof applicationDefinitions>;
};

export type ViewRuns = {
  /** Returns the id of the run when it has waitForLog; throws ApiError with all its problems. */
  start(order: RunOrder): Promise<string>;
  stop(runId: string): boolean;
  started(): string[];
  failureText(runId: string): string | undefined;
  close(): Promise<void>;
};

const CLI = fileURLToPath(new URL('cli.js', import.meta.url));
const MAX_RUNS = 4;
const MAX_FAILURES = 50;
/** Maximum length of the error output to keep. */
const MAX_TEXT = 64 * 1024;
/** How long to wait for the start of a run; one with a hook before its first case may take longer. */
const BEGINS_MS = 3000;
const POLL_MS = 20;
/** How long runs may take to stop when the viewer does. */
const STOPS_MS = 5000;

type Started = { group: ProcessGroup; text(): string; ended: Promise<number | null> };

/** The runs of one viewer. */
export function createViewRuns(options: ViewRunsOptions): ViewRuns {
  return new RunProcesses(options);
}

class RunProcesses implements ViewRuns {
  readonly #options: ViewRunsOptions;
  readonly #running = new Map<string, Started>();
  readonly #failures = new Map<string, string>();
  /** Runs that are still being checked; they count towards the limit. */
  #beginning = 0;

  constructor(options: ViewRunsOptions) {
    this.#options = options;
  }

  async start(order: RunOrder): Promise<string> {
    if (this.#running.size + this.#beginning >= MAX_RUNS)
      throw new ApiError(429, `${String(MAX_RUNS)} runs are in progress`, {
        hint: 'wait for one of them, or stop it',
      });
    this.#beginning += 1;
    const runId = v7();
    let started: Started;
    try {
      await rejectProblems(order, this.#options);
      started = this.#launch(order, runId);
    } finally {
      this.#beginning -= 1;
    }
    const log = this.#logFile(runId);
    const code = await Promise.race([started.ended, waitForLog(log)]);
    if (code === 'begun' || existsSync(log) || code === EXIT.passed) return runId;
    throw new ApiError(code === EXIT.config ? 400 : 500, started.text() || 'the run could not be started');
  }

  stop(runId: string): boolean {
    return this.#running.get(runId)?.group.child.kill('SIGINT') ?? false;
  }

  started(): string[] {
    return [...this.#running.keys()];
  }

  failureText(runId: string): string | undefined {
    return this.#failures.get(runId);
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { group } of all) group.child.kill('SIGINT');
    const late = sleep(STOPS_MS, undefined, { ref: false });
    await Promise.race([Promise.all(all.map(({ ended }) => ended)), late]);
    await Promise.all(all.map(({ group }) => group.kill(0)));
  }

  #logFile(runId: string): string {
    return join(this.#options.root, '.assay', 'runs', `${runId}.jsonl`);
  }

  #launch(order: RunOrder, runId: string): Started {
    const given = writeChildRunInput({ ...splitVariables(order), run_id: runId });
    const { what, runs } = order;
    const command = 'suite' in what ? ['suite', what.suite] : ['run', what.test];
    const started = startProcess(
      // Always recorded, whatever the configuration says: the viewer shows runs from the history.
      [
        ...command,
        `--child-run-input=${given.file}`,
        '--history',
        ...(runs === undefined ? [] : [`--runs=${String(runs)}`]),
      ],
      this.#options,
    );
    this.#running.set(runId, started);
    void started.ended.then((code) => {
      this.#running.delete(runId);
      if (code !== EXIT.passed && !existsSync(this.#logFile(runId)))
        this.#failures.set(runId, started.text());
      for (const old of [...this.#failures.keys()].slice(0, -MAX_FAILURES)) this.#failures.delete(old);
    });
    // A file that cannot be removed does not stop the server.
    void started.ended.then(given.remove).catch(() => undefined);
    return started;
  }
}

/** Starts it in its own process group, so that Ctrl-C reaches it only through the viewer. */
function startProcess(args: readonly string[], { cwd, env, store }: ViewRunsOptions): Started {
  const { FORCE_COLOR: _color, ...rest } = env;
  const group = startGroup(process.execPath, [...withoutDebugger(), CLI, ...args], {
    cwd,
    // Not on the command line, which other users can read: an address may hold a password.
    env: { ...rest, NO_COLOR: '1', ...(store !== undefined && { ASSAY_STORE: store }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  group.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_TEXT);
  });
  const ended = new Promise<number | null>((done) => {
    group.child.on('close', done);
    group.child.on('error', (error) => {
      text ||= error.message;
      done(EXIT.unmeasured);
    });
  });
  return { group, text: () => text.trim(), ended };
}

async function waitForLog(log: string): Promise<'begun'> {
  const end = Date.now() + BEGINS_MS;
  while (!existsSync(log) && Date.now() < end) await sleep(POLL_MS);
  return 'begun';
}

/** Makes the same checks as the command line, but names the variable of each problem. */
async function rejectProblems(order: RunOrder, { cwd, read }: ViewRunsOptions): Promise<void> {
  const application = await read();
  const { definitions, entities, settings, env } = application;
  const { what } = order;
  if ('test' in what && !definitions.tests.some(({ id }) => id === what.test))
    throw new ApiError(404, `there is no test ${what.test}`);
  if ('suite' in what && !definitions.suites.some(({ id }) => id === what.suite))
    throw new ApiError(404, `there is no suite ${what.suite}`);
  const selection = 'suite' in what ? what : { tests: [what.test] };
  const { tests, suite } = chooseTests(selection, application, () => undefined);
  const { given: inherited } = await readRunValues({}, { settings, env, cwd });
  const { values, texts } = splitVariables(order);
  const given: Record<string, Given> = Object.fromEntries([
    ...Object.entries(values).map(([name, value]) => [name, { value }] as const),
    ...Object.entries(texts).map(([name, text]) => [name, { text }] as const),
  ]);
  const matrix = Object.entries(suite?.matrix ?? {}).filter(([name]) => given[name] === undefined);
  const problems = checkValuesForTests(
    tests.map((test) => ({ schema: typeOf(definitions, test)?.variablesSchema, test: test.variables })),
    {
      suite: suite?.variables,
      matrix: Object.fromEntries(matrix),
      given,
      inherited: inherited.values,
      entities,
    },
  );
  if (problems.length > 0) throw new ApiError(400, 'no test can run with these values', { problems });
}

/** Texts of a form still have to be converted to their data type; other values have it already. */
function splitVariables({ variables }: RunOrder): {
  values: Record<string, unknown>;
  texts: Record<string, string>;
} {
  const all = Object.entries(variables);
  const texts = all.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  const values = all.filter(([, value]) => typeof value !== 'string');
  return { values: Object.fromEntries(values), texts: Object.fromEntries(texts) };
}
