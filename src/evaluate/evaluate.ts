// The API for programs: an agent and cases come in, the report of their run goes out.

import type { Problem } from '../errors.ts';
import { ConfigError, RuntimeError } from '../errors.ts';
import type { RunEvent } from '../model/event.ts';
import type { LoggedIsolation } from '../model/isolation.ts';
import type { EventSource } from '../model/sink.ts';
import type { JsonReport } from '../report/formats/json-report.ts';
import type { TestFlags } from '../run/request.ts';
import type { CheckedOptions, EvaluateOptions } from './options.ts';

/** The JSON report of a run with its exit code: 0 passed, 1 failed, 3 could not measure, 130 interrupted. */
export type EvaluateRun = JsonReport & {
  exit_code: number;
  /** The path of the run log, if one was asked for. */
  log?: string;
};

/** A run on its way: its events, and how it ended. */
export type RunRequest = {
  flags: TestFlags;
  cwd: string;
  /** The function or the agent of a framework, if the agent is one. */
  agent: unknown;
  signal: AbortSignal | undefined;
  onEvent(event: RunEvent): void;
  onNote(text: string): void;
};

export type RunEnd = { exit_code: number; log?: string };

/**
 * Runs cases against an agent. A case that fails does not throw; a configuration error throws ConfigError with all problems,
 * before anything runs.
 *
 * @example const run = await evaluate({ agent: './agent.ts', cases: [{ input: '2 + 2', expected: '4' }] })
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluateRun> {
  return evaluateCases(options, {});
}

/** The same for the parts of Assay that need more than the report. */
export async function evaluateCases(
  options: EvaluateOptions,
  { only, onEvent }: { only?: readonly string[] | undefined; onEvent?: (event: RunEvent) => void },
): Promise<EvaluateRun> {
  const { checkOptions } = await import('./options.ts');
  const checked = checkOptions(options);
  const { isolation, signal, onResult, onNote, cwd } = checked;
  const flags = await completeFlags(checked);
  if (only !== undefined) flags.program = { ...flags.program, only: [...only] };
  const events: RunEvent[] = [];
  const request: RunRequest = {
    flags,
    cwd,
    agent: checked.agent.type === 'value' ? checked.agent.value : undefined,
    signal,
    onNote,
    onEvent(event) {
      events.push(event);
      onEvent?.(event);
      if (event.type === 'result') onResult?.(event);
    },
  };
  const run =
    isolation === 'none'
      ? (await import('./run-here.ts')).runHere
      : (await import('./run-child.ts')).runChild;
  try {
    const end = await run(request);
    return { ...(await readReport(events)), ...end };
  } catch (error) {
    throw inWordsOfOptions(error);
  }
}

/** The flags with cases and agent by value. */
export async function completeFlags(options: CheckedOptions): Promise<TestFlags> {
  const { flags, cases, agent, isolation, name } = options;
  const logged: LoggedIsolation | undefined =
    isolation === 'none' ? 'none' : agent.type === 'value' ? 'verdicts' : undefined;
  const program = { ...flags.program };
  if (logged !== undefined) program.isolation = logged;
  if (cases !== undefined) program.cases = { name: name ?? 'cases', cases: await readCases(cases) };
  if (agent.type === 'value') {
    const { fingerprint } = await import('./fingerprint.ts');
    program.agent = { type: 'function', id: agentName(agent.value, name), sha256: fingerprint(agent.value) };
  }
  if (agent.type === 'definition') {
    const { id } = agent.value;
    program.agent = {
      type: 'definition',
      id: typeof id === 'string' && id !== '' ? id : 'agent',
      value: agent.value,
    };
  }
  return { ...flags, program };
}

/** Cases by value, with an id each; throws ConfigError for values that JSON does not have. */
async function readCases(cases: Exclude<CheckedOptions['cases'], undefined>): Promise<unknown[]> {
  const { collectCases } = await import('../kinds/agent/cases/load-cases.ts');
  const { value, problems } = await collectCases(cases);
  if (problems.length > 0) throw ConfigError.of(problems.map((message) => ({ message, at: 'cases' })));
  // Nothing else than a list comes out of something that can be iterated.
  const list = value as unknown[];
  if (list.length === 0) throw new ConfigError('cases is empty', { hint: 'give at least one case' });
  return list.map((one, index) =>
    isNamed(one) ? one : Object.assign({ id: `case-${String(index + 1)}` }, one),
  );
}

/** True also for what is no case, which is reported later, and for the defaults of a list. */
function isNamed(one: unknown): boolean {
  return typeof one !== 'object' || one === null || Array.isArray(one) || 'id' in one || 'defaults' in one;
}

/** The name of a function, or that of an agent of a framework. */
function agentName(value: object, name: string | undefined): string {
  const own: unknown =
    'id' in value && typeof value.id === 'string' ? value.id : 'name' in value ? value.name : undefined;
  return typeof own === 'string' && own !== '' && own !== 'agent' ? own : (name ?? 'agent');
}

/** The report on these events, as it would be written to a file. */
export async function readReport(events: readonly RunEvent[]): Promise<JsonReport> {
  if (!events.some(({ type }) => type === 'start')) throw new RuntimeError('the run ended without a report');
  const { jsonReport } = await import('../report/formats/json.ts');
  const source: EventSource = {
    async *events() {
      yield* events;
    },
  };
  let text = '';
  for await (const piece of jsonReport(source)) text += piece;
  // The cast is safe: `jsonReport` writes this type.
  return JSON.parse(text) as JsonReport;
}

/** The options of a program have the names of flags in camel case. */
export function inWordsOfOptions(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  const problems = error.problems.map((problem): Problem => {
    const at = problem.at?.replace(
      /^--?([a-z][a-z-]*)$/,
      (_, flag: string) => OPTION_NAMES[flag] ?? camelCase(flag),
    );
    return at === problem.at ? problem : { ...problem, at };
  });
  return ConfigError.of(problems);
}

const OPTION_NAMES: Record<string, string> = {
  c: 'connector',
  i: 'cases',
  n: 'agent',
  name: 'agent',
  tag: 'tags',
  var: 'variables',
};

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
