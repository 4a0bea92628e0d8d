// The flags of a run as its log keeps them, and those flags restored for a later run.

import { resolve } from 'node:path';
import type { SettingOption, Settings } from '../../application/options/options.ts';
import { SETTINGS } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import type { Problem } from '../../errors.ts';
import { kindById } from '../../kinds/registry.ts';
import type { LoggedInput, StartEvent } from '../../model/event.ts';
import { inputKind } from '../../model/subject.ts';
import { variablesKey } from '../../variables/variables-key.ts';
import type { GivenValues } from '../../variables/given.ts';
import type { RunSettings } from '../deciding-settings.ts';
import type { DefinedRun, DefinitionFlags } from '../definitions/definition-run.ts';
import type { TestFlags } from '../request.ts';
import type { Prepared } from '../inputs/prepare.ts';
import type { RunInputs } from '../planning/inputs.ts';

/** The flags of a run as its log keeps them. */
export function loggedFlags({
  settings,
  only,
  defined,
  values,
  isConnectorDefault,
  isPairwise,
}: LoggedPlan): Record<string, unknown> {
  const { rule, ...plain } = settings;
  const kept = Object.entries(plain).filter(([name]) => optionOf(name)?.setting.log !== 'never');
  const reports = settings.outputs.filter((output) => output !== '-' && !output.endsWith('.jsonl'));
  return {
    ...Object.fromEntries(kept),
    ...(rule !== undefined && { runs: 'auto' }),
    ...(reports.length > 0 ? { outputs: reports } : {}),
    ...(only === undefined ? {} : { only }),
    ...(isConnectorDefault === true && { connector_default: true }),
    ...(defined !== undefined && { definition: defined.flags }),
    ...(defined === undefined && values !== undefined && { given: values.given }),
    ...(defined === undefined && isPairwise === true && { pairwise: true }),
  };
}

type LoggedPlan = Pick<RunInputs, 'values'> & {
  settings: Settings & Pick<RunSettings, 'rule'>;
  only?: readonly string[] | undefined;
  defined?: Pick<DefinedRun, 'flags'> | undefined;
  /** The connector of the settings was configured, not typed. */
  isConnectorDefault?: boolean;
  /** `--pairwise` of inputs without a definition. */
  isPairwise?: boolean | undefined;
};

/** The inputs and flags of a log, as if they had been typed. */
export function flagsFromLog(start: StartEvent, given: TestFlags): TestFlags {
  refuseProgram(start);
  const { flags } = start;
  if (hasMaskedName(start) && given.name === undefined) {
    throw new ConfigError('the log does not hold the secret in the agent’s address', {
      hint: 'give the address again with -n, or keep the secret in a package.yao with $ENV.NAME in run.http',
    });
  }
  const definition = flags['definition'] as DefinitionFlags | undefined;
  const untyped = (definition?.untyped ?? []).map((name) => optionOf(name)?.attribute);
  const restored = Object.entries(restoredFlags(flags)).filter(([name]) => !untyped.includes(name));
  const { connector, ...restoredTyped }: TestFlags = Object.fromEntries(restored);
  const typed = restoredTyped.cache === true ? withoutTapeFolder(restoredTyped) : restoredTyped;
  const outputs = listed(flags['outputs'])?.map((output) => resolve(start.cwd, output));
  return {
    ...typed,
    ...(definition === undefined
      ? { input: typedInputs(firstCombination(start)), ...(flags['pairwise'] === true && { pairwise: true }) }
      : selectionOf(definition)),
    // The environment may have other values now than when the run began.
    given: definition?.given ?? (flags['given'] as GivenValues | undefined) ?? { values: {}, matrix: {} },
    ...(outputs !== undefined && { output: outputs }),
    ...(connector !== undefined &&
      (flags['connector_default'] === true ? { earlierConnector: connector } : { connector })),
  };
}

/** `--cache` stands for the folder that the log also has. */
function withoutTapeFolder({
  replay: _replay,
  recordMissing: _recordMissing,
  ...others
}: TestFlags): TestFlags {
  return others;
}

/** The flags that set the same settings again. */
function restoredFlags(logged: StartEvent['flags']): Record<string, unknown> {
  const restorable = SETTINGS.filter(({ flag, setting }) => flag !== undefined && setting.log === undefined);
  const values = restorable.flatMap(({ attribute, setting }) => {
    const value = typedValue(logged[setting.name], setting.unit);
    return value === undefined ? [] : [[attribute, value] as const];
  });
  return Object.fromEntries(values);
}

/** A value of the log as the command line would give it; false is the same as no flag. */
function typedValue(value: unknown, unit = ''): string[] | string | true | undefined {
  if (typeof value === 'string' || typeof value === 'number') return `${value}${unit}`;
  return value === true ? true : listed(value);
}

function listed(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : undefined;
}

function optionOf(name: string): SettingOption | undefined {
  return SETTINGS.find(({ setting }) => setting.name === name);
}

/** The flags that select the same tests or suite again. */
function selectionOf(definition: DefinitionFlags): Pick<TestFlags, 'orderSeed' | 'pairwise' | 'selection'> {
  const { pairwise, seed } = definition;
  return {
    selection: 'suite' in definition ? { suite: definition.suite } : { tests: definition.tests },
    ...(pairwise !== undefined && { pairwise }),
    ...(seed !== undefined && { orderSeed: seed }),
  };
}

/** The log has every input of a matrix once for each combination. */
function firstCombination({ inputs, matrix }: StartEvent): readonly LoggedInput[] {
  if (matrix === undefined) return inputs;
  const first = inputs.find((input) => input.resolved_variables !== undefined);
  const combination = variablesKey(first?.resolved_variables?.values);
  return inputs.filter(
    ({ resolved_variables: own }) => own === undefined || variablesKey(own.values) === combination,
  );
}

/** One name can stand for many tests; the log has each of them. */
function typedInputs(inputs: readonly LoggedInput[]): string[] {
  const typed = inputs.map((input) => {
    const { typedAs, recognises } = kindById(inputKind(input));
    return { text: typedAs(input) ?? '', mayMeanMany: recognises !== undefined };
  });
  const texts = typed.map(({ text }) => text);
  return texts.filter((text, index) => typed[index]?.mayMeanMany !== true || texts.indexOf(text) === index);
}

/** True if the address of the agent is masked in the log. */
export function hasMaskedName({ flags }: StartEvent): boolean {
  return typeof flags['name'] === 'string' && flags['name'].includes('***');
}

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
    const changes = kindById(inputKind(old)).changes(old, now[index]);
    for (const problem of changes) problems.push({ ...problem, hint });
  }
  if (problems.length > 0) throw ConfigError.of(problems);
}

/** Finds changes of definitions and values that do not show in the inputs. */
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
  // Secrets are masked in the log, so they cannot be compared.
  if (then === undefined || then.includes('***')) return;
  if (then !== JSON.stringify(defined?.logged.definitions))
    problems.push({ message: 'the definitions have changed since the run began', hint });
}

function identityOf(input: LoggedInput | undefined): string {
  return JSON.stringify([input?.test_id, input?.runs, variablesKey(input?.resolved_variables?.values)]);
}

/** A log has neither the function of a program nor its cases. */
function refuseProgram({ inputs, isolation }: StartEvent): void {
  const isByValue = inputs.some(({ type, test }) => type === 'cases' && test === undefined);
  if (isolation === undefined && !isByValue) return;
  throw new ConfigError(
    'a program started the run with evaluate, and only that program has its agent and cases',
    {
      hint: 'start the program again',
    },
  );
}
