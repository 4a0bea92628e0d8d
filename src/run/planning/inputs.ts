// Stage 3 of planning: names become what is tested. Definitions, generators and the values of variables are resolved here.

import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import type { LoggedInput, StartEvent } from '../../model/event.ts';
import type { Settings } from '../../application/options/options.ts';
import type { Select } from '../../plan/filter.ts';
import { createSelect } from '../../plan/filter.ts';
import { isCredentialName } from '../../secrets/credential-name.ts';
import { secretsIn } from '../../secrets/secrets.ts';
import type { RunSettings } from '../deciding-settings.ts';
import { decidingSettings } from '../deciding-settings.ts';
import type { DefinedRun } from '../definitions/definition-run.ts';
import { withTests } from '../inputs/expand-patterns.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { CaseGenerator } from '../inputs/inputs.ts';
import type { RunValues } from '../inputs/run-variables.ts';
import type { AssignedInputs } from '../definitions/assign-variables.ts';
import { CONNECTOR_NAMES } from '../../model/axis-names.ts';
import { withOrder } from '../case-order.ts';
import { hasRunValues } from '../inputs/run-variables.ts';
import type { Io } from '../io.ts';
import type { TestFlags } from '../request.ts';
import type { RunApplication } from './application.ts';
import type { Focus, RunRequest } from './request.ts';
import { escapeControls } from '../../text/untrusted.ts';

export type RunInputs = {
  /** Those of the application, with what definitions say about the run. */
  settings: RunSettings;
  sources: InputSource[];
  /** Messages were sent and no tests run: such a run leaves fewer traces. */
  isOnlyMessages: boolean;
  /** Which cases of the sources are meant. */
  select: Select;
  /** The part that definitions contribute, if tests or a suite were asked for by id. */
  defined?: DefinedRun | undefined;
  /** The values that the run gives to variables. */
  values?: RunValues | undefined;
  /** Variables with several values; the run has all combinations of them, or a selection. */
  matrix?: StartEvent['matrix'];
  /** Notes about the values, to show before the run. */
  notes?: readonly string[] | undefined;
};

/** Finds everything that is tested, and runs the generators; throws ConfigError. */
export async function readInputs(
  request: RunRequest,
  application: RunApplication,
  io: Pick<Io, 'stderr'>,
): Promise<RunInputs> {
  const { flags } = request;
  const { redactor } = application;
  const warn = (text: string): void => void io.stderr.write(`${escapeControls(text)}\n`);
  const given = await givenValues(flags, application);
  const defined = await definedRun(flags, given, { ...application, warn });
  const chosen = withOrder(defined?.settings ?? application.settings, flags);
  const { env, config } = application;
  const settings = await decidingSettings(chosen, { flags, env, config });
  const select = await selectCases(settings, request.only);

  const typed = await typedSources(request, { ...application, settings }, warn);
  const { sources, values, matrix, notes } =
    defined === undefined
      ? await withRunValues(typed, given, { root: application.root, flags })
      : { ...defined, values: given };
  redactor.learn(secretValues(sources));
  // Answers to a matrix need its table.
  const isOnlyMessages = matrix === undefined && sources.every(({ type }) => type === 'message');
  return { settings, sources, isOnlyMessages, select, defined, values, matrix, notes };
}

/** Loads nothing for the many runs that give no values to variables. */
async function givenValues(flags: TestFlags, application: RunApplication): Promise<RunValues | undefined> {
  if (!hasRunValues(flags, application)) return undefined;
  const { readRunValues } = await import('../inputs/run-variables.ts');
  const values = await readRunValues(flags, application);
  for (const name of CONNECTOR_NAMES) {
    const place = values.places[name];
    if (flags.connector !== undefined && (place === '--var' || place === '--matrix'))
      throw new ConfigError(`-c and ${place} ${name} both choose the connector`, {
        hint: 'leave one of them out',
      });
  }
  return values;
}

/** The tests or the suite that were asked for by id. */
async function definedRun(
  flags: TestFlags,
  given: RunValues | undefined,
  application: RunApplication & { warn: (text: string) => void },
): Promise<DefinedRun | undefined> {
  if (flags.selection === undefined) return undefined;
  const { defineRun } = await import('../definitions/definition-run.ts');
  const values = given ?? { given: { values: {}, matrix: {} }, places: {} };
  const { pairwise = false, orderSeed: seed } = flags;
  const { root, cwd, env, settings, warn } = application;
  return defineRun(flags.selection, { root, cwd, env, settings, warn, flags, values, pairwise, seed });
}

async function selectCases({ run, tags }: Settings, earlier: readonly string[] | undefined): Promise<Select> {
  const only = earlier === undefined ? undefined : new Set(earlier);
  if (run === undefined) return createSelect({ pattern: undefined, tags, only });
  const { compilePattern } = await import('../../platform/regex.ts');
  return createSelect({ pattern: compilePattern(run), tags, only });
}

/** The inputs of `-i`: patterns expanded, in the order of the focus, generators replaced by what they generate. */
async function typedSources(
  { focus, earlierInputs }: RunRequest,
  application: RunApplication & { settings: RunSettings },
  warn: (text: string) => void,
): Promise<InputSource[]> {
  const { root, cwd, settings } = application;
  const found = await withTests(application.named, { root, cwd, settings, warn });
  const wanted = markGenerated(focused(found, focus), earlierInputs, cwd);
  const isThere = (source: CaseGenerator | InputSource): source is InputSource => source.type !== 'generator';
  if (wanted.every(isThere)) return wanted;
  const { generateInputs } = await import('../optional/generated-inputs.ts');
  return generateInputs(wanted, application);
}

/** Only what the focus is on, and first what comes first. */
function focused<Source extends { type: string }>(sources: Source[], { only, first }: Focus): Source[] {
  const nameOf = (source: Source): string => ('name' in source ? String(source.name) : '');
  const wanted = only === undefined ? sources : sources.filter((source) => only.has(nameOf(source)));
  if (first === undefined || first.size === 0) return wanted;
  const rank = (source: Source): number => (first.has(nameOf(source)) ? 0 : 1);
  return wanted.toSorted((a, b) => rank(a) - rank(b));
}

/** A log names generated cases by their file; their test is named by the generator. */
function markGenerated<Source extends { type: string }>(
  sources: readonly Source[],
  logged: readonly LoggedInput[],
  cwd: string,
): Source[] {
  const generated = new Map<string, string>();
  for (const input of logged) {
    if (input.type === 'file' && input.generated !== undefined)
      generated.set(resolve(cwd, input.path), input.generated);
  }
  return sources.map((source) => {
    const by = 'path' in source && typeof source.path === 'string' ? generated.get(source.path) : undefined;
    return by === undefined ? source : { ...source, generated: by };
  });
}

/** Gives values to inputs that have no definition. */
async function withRunValues(
  sources: InputSource[],
  given: RunValues | undefined,
  options: { root: string; flags: TestFlags },
): Promise<Omit<AssignedInputs, 'values'> & { values?: RunValues }> {
  if (given === undefined && options.flags.pairwise !== true) return { sources };
  const { assignVariables } = await import('../definitions/assign-variables.ts');
  const values = given ?? { given: { values: {}, matrix: {} }, places: {} };
  return assignVariables(sources, values, options);
}

/** Values of variables whose names say that they are secret. */
function secretValues(sources: readonly InputSource[]): string[] {
  const values = sources.flatMap(({ variables }) => Object.entries(variables?.resolved.values ?? {}));
  const secrets = values
    .filter(([name]) => isCredentialName(name))
    .flatMap(([, value]) => secretsIn(String(value)));
  return [...new Set(secrets)];
}
