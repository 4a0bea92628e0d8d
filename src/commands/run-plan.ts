// Flags, environment, configuration and an earlier log become one checked plan of a run.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findApplicationRoot, mergeEnv, readDotEnv } from '../config/application.ts';
import { readConfigFile } from '../config/file.ts';
import { resolveSettings } from '../config/settings.ts';
import { collectProblems, ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import { resolveInputs } from '../load/inputs.ts';
import type { InputSource } from '../load/inputs.ts';
import type { Prepared } from '../load/prepare.ts';
import { prepareRun } from '../load/prepare.ts';
import type { LoggedInput, StartEvent } from '../model/event.ts';
import type { Settings } from '../model/settings.ts';
import type { Select } from '../plan/filter.ts';
import { createSelect } from '../plan/filter.ts';
import type { ResumableRun } from './earlier-run.ts';
import { findLog, readNotPassed, readResumable } from './earlier-run.ts';
import { evaluateInWorker } from '../execute/evaluate.ts';
import type { TestFlags } from './flags.ts';
import type { Io } from './io.ts';
import { writableState } from './writable-state.ts';

/** Everything that is known before the first attempt. */
export type RunPlan = {
  settings: Settings;
  root: string;
  cwd: string;
  sources: InputSource[];
  prepared: Prepared;
  select: Select;
  /** `.env` of the application: what workers get besides the environment. */
  dotenv: Record<string, string>;
  /** Cases of an earlier log that this run is limited to. */
  only?: string[];
  resumed?: ResumableRun;
};

/** Reads and checks everything a run needs; throws ConfigError with all problems. Gives undefined if nothing is left to do. */
export async function planRun(flags: TestFlags, io: Io): Promise<RunPlan | undefined> {
  if (flags.resume !== undefined) return planResumed(flags, flags.resume, io);
  if (flags.failed !== undefined) return planFailed(flags, flags.failed, io);
  return plan(flags, io, {});
}

async function planFailed(flags: TestFlags, failed: string | true, io: Io): Promise<RunPlan | undefined> {
  const root = findApplicationRoot(startFolder(flags.input ?? [], io.cwd), io.cwd);
  const log = findLog(failed === true ? 'last' : failed, { cwd: io.cwd, root });
  const { start, notPassed } = await readNotPassed(log);
  if (notPassed.size === 0) return undefined;
  const only = [...notPassed];
  if (flags.input !== undefined) return plan(flags, io, { only });
  // A report of a part does not replace the report of the whole.
  const { output: _output, reporter: _reporter, ...inherited } = flagsOf(start, flags);
  return plan({ ...inherited, ...flags }, { ...io, cwd: folderOf(start, io) }, { only });
}

/** Where the earlier run was; a log from another machine is taken as if it had been made here. */
function folderOf(start: StartEvent, io: Io): string {
  return existsSync(start.cwd) ? start.cwd : io.cwd;
}

async function planResumed(flags: TestFlags, reference: string, io: Io): Promise<RunPlan> {
  const fixed = (['input', 'runs', 'run', 'tag', 'failed', 'dryRun', 'watch'] as const).filter(
    (flag) => flags[flag] !== undefined,
  );
  if (fixed.length > 0) throw notWithResume(flags.name === undefined ? fixed : [...fixed, 'name']);
  const root = findApplicationRoot(io.cwd, io.cwd);
  const resumed = await readResumable(findLog(reference, { cwd: io.cwd, root }));
  if (flags.name !== undefined && !hasMaskedName(resumed.start)) throw notWithResume(['name']);
  const only = resumed.start.flags['only'];
  const next = await plan(
    { ...flagsOf(resumed.start, flags), ...flags },
    { ...io, cwd: folderOf(resumed.start, io) },
    Array.isArray(only) ? { only: only.map(String), resumed } : { resumed },
  );
  if (flags.force !== true) refuseChanges(resumed.start.inputs, next.prepared.inputs);
  return next;
}

function notWithResume(flags: readonly string[]): ConfigError {
  const names = flags.map((flag) => `--${kebab(flag)}`).join(', ');
  return new ConfigError(`--resume cannot be combined with ${names}`, {
    hint: 'the log already says what the run consists of',
  });
}

async function plan(flags: TestFlags, io: Io, earlier: Pick<RunPlan, 'only' | 'resumed'>): Promise<RunPlan> {
  const { cwd } = io;
  const values = flags.input ?? [];
  const guess = findApplicationRoot(startFolder(values, cwd), cwd);
  const stdinFolder = (): string => writableState(guess, 'stdin').folder;
  const problems: Problem[] = [];
  await collectProblems(problems, () => resolveSettings({ flags, env: io.env, config: {} }));
  if (values.length === 0) problems.push(NO_INPUT);
  const inputs = { cwd, readStdin: () => io.stdin, stdinFolder };
  const sources = (await collectProblems(problems, () => resolveInputs(values, inputs))) ?? [];
  if (problems.length > 0) throw ConfigError.of(problems);
  for (const source of sources) {
    if (source.type === 'message' && source.note !== undefined) io.stderr.write(`${source.note}\n`);
  }
  const first = sources.find((source) => source.type === 'file' && source.stdin !== true);
  const root = findApplicationRoot(first?.type === 'file' ? dirname(first.path) : cwd, cwd);
  const found = readDotEnv(root);
  const env = mergeEnv(io.env, found);
  // The environment wins: workers get only what it does not have.
  const dotenv = Object.fromEntries(
    Object.entries(found).filter(([name, value]) => env[name] === value && io.env[name] !== value),
  );
  const config = await readConfigFile(root, (file) => evaluateInWorker(file, root));
  const settings = resolveSettings({ flags, env, config, root });
  const pattern = settings.run === undefined ? undefined : await loadPattern(settings.run);
  const only = earlier.only === undefined ? undefined : new Set(earlier.only);
  const select = createSelect({ pattern, tags: settings.tags, only });
  const prepared = await prepareRun({ settings, sources, cwd, root, env, select });
  return { settings, root, cwd, sources, prepared, select, dotenv, ...earlier };
}

const NO_INPUT: Problem = {
  message: 'nothing to test',
  hint: 'name the input: -i tests/inputs.jsonl, or -i "a message"',
};

async function loadPattern(source: string): Promise<{ test(text: string): boolean }> {
  const { compilePattern } = await import('../platform/regex.ts');
  return compilePattern(source);
}

/** The folder of the first input that is a path, else the working directory. */
function startFolder(values: readonly string[], cwd: string): string {
  const path = values.find((value) => !/\s/.test(value) && /[/\\]|\.jsonl$/.test(value));
  return path === undefined ? cwd : dirname(resolve(cwd, path.replace(/[*?{[].*$/, 'x')));
}

/** The flags that shape a run, as the log keeps them. Secrets never are flags. */
export function loggedFlags(settings: Settings, only: string[] | undefined): Record<string, unknown> {
  const { inputs: _inputs, outputs, verbose: _verbose, ...rest } = settings;
  const reports = outputs.filter((output) => output !== '-' && !output.endsWith('.jsonl'));
  return {
    ...rest,
    ...(reports.length > 0 ? { outputs: reports } : {}),
    ...(only === undefined ? {} : { only }),
  };
}

/** The other way round: a log's inputs and flags as if they had been typed. */
function flagsOf(start: StartEvent, given: TestFlags): TestFlags {
  const { flags } = start;
  if (hasMaskedName(start) && given.name === undefined) {
    throw new ConfigError('the log does not hold the secret in the agent’s address', {
      hint: 'give the address again with -n, or keep the secret in a package.yao with $ENV.NAME in run.http',
    });
  }
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const list = (name: string): string[] | undefined => {
    const value = flags[name];
    return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
  };
  const timeout = text('timeout_ms');
  const typed = {
    input: start.inputs.map((input) => (input.type === 'file' ? input.path : input.message)),
    output: list('outputs')?.map((output) => resolve(start.cwd, output)),
    name: text('name'),
    connector: text('connector'),
    user: text('user'),
    team: text('team'),
    ctx: text('ctx'),
    reporter: text('reporter'),
    runs: text('runs'),
    run: text('run'),
    tag: list('tags'),
    timeout: timeout === undefined ? undefined : `${timeout}ms`,
    parallel: text('parallel'),
    retries: text('retries'),
    minPassRate: text('min_pass_rate'),
    failFast: flags['fail_fast'] === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
}

function hasMaskedName({ flags }: StartEvent): boolean {
  return typeof flags['name'] === 'string' && flags['name'].includes('***');
}

/** A resumed run must be the same run: same cases, same agent. */
function refuseChanges(before: readonly LoggedInput[], now: readonly LoggedInput[]): void {
  const problems: Problem[] = [];
  const hint = 'start a new run, or --force to go on with what is there now';
  for (const [index, old] of before.entries()) {
    const input = now[index];
    if (old.type === 'file' && input?.type === 'file' && old.sha256 !== input.sha256) {
      problems.push({ message: 'the case file has changed since the run began', at: old.path, hint });
    }
    if (input !== undefined && old.agent_sha256 !== input.agent_sha256) {
      problems.push({ message: `agent ${old.agent_id} has changed since the run began`, hint });
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
}

function kebab(flag: string): string {
  return flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
