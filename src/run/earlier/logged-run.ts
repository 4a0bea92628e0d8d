// What a log keeps of how its run was asked for, and how a later run is asked for in the same way.

import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { variantOf } from '../../variables/variables-key.ts';
import type { GivenValues } from '../../variables/given.ts';
import type { DefinedRun, DefinitionFlags } from '../inputs/definition-run.ts';
import type { TestFlags } from '../request.ts';
import type { Prepared } from '../inputs/prepare.ts';
import type { RunInputs } from '../planning/inputs.ts';

/** The flags that shape a run, as the log keeps them. Secrets never are among them: the address of a history may hold one. */
export function loggedFlags({
  settings,
  only,
  defined,
  values,
  isConnectorDefault,
}: LoggedPlan): Record<string, unknown> {
  const {
    inputs: _inputs,
    outputs,
    verbose: _verbose,
    presets: _presets,
    store: _store,
    history: _history,
    tapes: _tapes,
    ...rest
  } = settings;
  const reports = outputs.filter((output) => output !== '-' && !output.endsWith('.jsonl'));
  return {
    ...rest,
    ...(reports.length > 0 ? { outputs: reports } : {}),
    ...(only === undefined ? {} : { only }),
    ...(isConnectorDefault === true && { connector_default: true }),
    ...(defined !== undefined && { definition: defined.flags }),
    ...(defined === undefined && values !== undefined && { given: values.given }),
  };
}

type LoggedPlan = Pick<RunInputs, 'settings' | 'values'> & {
  only?: readonly string[] | undefined;
  defined?: Pick<DefinedRun, 'flags'> | undefined;
  /** The connector of the settings was configured, not typed. */
  isConnectorDefault?: boolean;
};

/** The other way round: a log's inputs and flags as if they had been typed. */
export function flagsOf(start: StartEvent, given: TestFlags): TestFlags {
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
  const definition = flags['definition'] as DefinitionFlags | undefined;
  const typed = {
    ...(definition === undefined ? { input: typedInputs(start.inputs) } : selectionOf(definition)),
    // What the environment says by now is not what the run was given.
    given: definition?.given ?? (flags['given'] as GivenValues | undefined) ?? { values: {}, matrix: {} },
    output: list('outputs')?.map((output) => resolve(start.cwd, output)),
    name: text('name'),
    connector: flags['connector_default'] === true ? undefined : text('connector'),
    earlierConnector: flags['connector_default'] === true ? text('connector') : undefined,
    user: text('user'),
    team: text('team'),
    ctx: text('ctx'),
    reporter: text('reporter'),
    beforeAll: text('before_all'),
    afterAll: text('after_all'),
    runs: text('runs'),
    run: text('run'),
    tag: list('tags'),
    timeout: timeout === undefined ? undefined : `${timeout}ms`,
    parallel: text('parallel'),
    retries: text('retries'),
    record: text('record'),
    recordMissing: flags['record_missing'] === true ? true : undefined,
    replay: text('replay'),
    replaySpeed: text('replay_speed'),
    minPassRate: text('min_pass_rate'),
    failFast: flags['fail_fast'] === true ? true : undefined,
    allowEmpty: flags['allow_empty'] === true ? true : undefined,
    requireTests: flags['require_tests'] === true ? true : undefined,
  };
  const fromDefinitions = (definition?.untyped ?? []).map((name) => FLAGS_OF[name] ?? name);
  return Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => value !== undefined && !fromDefinitions.includes(name)),
  );
}

/** Settings whose flags have another name. */
const FLAGS_OF: Record<string, string> = {
  after_all: 'afterAll',
  before_all: 'beforeAll',
  fail_fast: 'failFast',
  timeout_ms: 'timeout',
};

/** Tests or a suite, as if they had been asked for again. */
function selectionOf(definition: DefinitionFlags): Pick<TestFlags, 'pairwise' | 'seed' | 'selection'> {
  const { pairwise, seed } = definition;
  return {
    selection: 'suite' in definition ? { suite: definition.suite } : { tests: definition.tests },
    ...(pairwise !== undefined && { pairwise }),
    ...(seed !== undefined && { seed }),
  };
}

/** One name may mean many files of script tests, or many skills, each of which is logged. */
function typedInputs(inputs: readonly LoggedInput[]): string[] {
  const typed = inputs.map(typedInput);
  const isOfMany = (input: LoggedInput | undefined): boolean =>
    input?.type === 'script' || input?.type === 'skill';
  return typed.filter((text, index) => !isOfMany(inputs[index]) || typed.indexOf(text) === index);
}

function typedInput(input: LoggedInput): string {
  switch (input.type) {
    case 'file':
    case 'cases':
      return input.path;
    case 'message':
      return input.message;
    case 'script':
    case 'skill':
      return input.input;
  }
}

/** True if the log could not keep the agent's address as it was given. */
export function hasMaskedName({ flags }: StartEvent): boolean {
  return typeof flags['name'] === 'string' && flags['name'].includes('***');
}

const CHANGED_SCRIPT = 'the tests or what they import have changed since the run began';

type ResumedPlan = {
  prepared: Pick<Prepared, 'inputs'>;
  defined?: Pick<DefinedRun, 'logged'> | undefined;
};

/** A resumed run must be the same run: same cases, same agent. */
export function refuseChanges(start: StartEvent, { prepared, defined }: ResumedPlan): void {
  const { inputs: before } = start;
  const { inputs: now } = prepared;
  const problems: Problem[] = [];
  const hint = 'start a new run, or --force to go on with what is there now';
  refuseOtherTests(start, { prepared, defined }, problems, hint);
  for (const [index, old] of before.entries()) {
    const input = now[index];
    const isSameKind = (old.type === 'file' || old.type === 'cases') && input?.type === old.type;
    if (isSameKind && old.sha256 !== input.sha256) {
      problems.push({ message: 'the case file has changed since the run began', at: old.path, hint });
    }
    if (old.type === 'skill') {
      const isSame = input?.type === 'skill' && old.sha256 === input.sha256;
      if (!isSame)
        problems.push({ message: CHANGED_SCRIPT, at: old.skill_path ?? `skill ${old.skill}`, hint });
      continue;
    }
    if (old.type === 'script') {
      const isSame = input?.type === 'script' && old.sha256 === input.sha256;
      if (!isSame) problems.push({ message: CHANGED_SCRIPT, at: old.script_path, hint });
      continue;
    }
    if (input !== undefined && old.agent_sha256 !== input.agent_sha256) {
      problems.push({ message: `agent ${old.agent_id} has changed since the run began`, hint });
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
}

/** Definitions and values may have changed in ways that the inputs themselves do not show. */
function refuseOtherTests(
  { inputs: before, definitions }: StartEvent,
  { prepared: { inputs: now }, defined }: ResumedPlan,
  problems: Problem[],
  hint: string,
): void {
  for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
    if (identityOf(before[index]) === identityOf(now[index])) continue;
    const test = before[index]?.test ?? now[index]?.test;
    const what = test === undefined ? 'what variables are set to' : `what is defined for ${test}`;
    problems.push({ message: `${what} has changed since the run began`, hint });
    return;
  }
  const then = definitions === undefined ? undefined : JSON.stringify(definitions);
  // What is secret is not in the log.
  if (then === undefined || then.includes('***')) return;
  if (then !== JSON.stringify(defined?.logged.definitions))
    problems.push({ message: 'the definitions have changed since the run began', hint });
}

function identityOf(input: LoggedInput | undefined): string {
  return JSON.stringify([input?.test_id, input?.runs, variantOf(input?.resolved_variables?.values)]);
}
