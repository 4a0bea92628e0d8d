// Flags, environment, configuration and an earlier log become one checked plan of a run.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openApplication } from '../application/open.ts';
import { findApplicationRoot } from '../application/root.ts';
import { configFiles } from '../application/config-file.ts';
import { collectProblems, ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import { generatorOf, resolveInputs } from './inputs/inputs.ts';
import type { CaseGenerator, InputSource, Named } from './inputs/inputs.ts';
import type { Prepared } from './inputs/prepare.ts';
import { prepareRun } from './inputs/prepare.ts';
import type { AgentDefinition } from '../model/agent.ts';
import type { SuiteDefinition } from '../model/definition.ts';
import type { LoggedInput, StartEvent } from '../model/event.ts';
import type { Settings } from '../model/settings.ts';
import type { Select } from '../plan/filter.ts';
import { createSelect } from '../plan/filter.ts';
import type { Redactor } from '../secrets/redact.ts';
import { createRedactor } from '../secrets/redact.ts';
import { keylessEnv } from '../secrets/keyless-env.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { secretsIn, secretsInEnv } from '../secrets/secrets.ts';
import { isBuiltIn } from '../report/formats/registry.ts';
import type { ResumableRun } from './earlier/earlier-run.ts';
import { findLog, readNotPassed, readResumable } from './earlier/earlier-run.ts';
import type { TestFlags } from './request.ts';
import type { GeneratedOptions } from './inputs/generated-inputs.ts';
import type { Io } from './io.ts';
import type { DefinedRun } from './inputs/definition-run.ts';
import { flagsOf, hasMaskedName, refuseChanges } from './earlier/logged-run.ts';
import { withTests } from './inputs/expand-patterns.ts';
import type { TapeSettings } from '../tapes/worker-tapes.ts';
import type { RunValues } from './inputs/run-variables.ts';
import { hasRunValues } from './inputs/run-variables.ts';
import { writableState } from '../platform/writable-state.ts';

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
  /** Knows every secret that is known so far. */
  redactor: Redactor;
  /** The agent that `-r` names, if it is no built-in reporter. */
  reporter?: AgentDefinition;
  /** Cases of an earlier log that this run is limited to. */
  only?: string[];
  resumed?: ResumableRun;
  /** What definitions say about it. */
  defined?: Pick<DefinedRun, 'flags' | 'logged'>;
  /** What the run gives to variables. */
  values?: RunValues;
  /** The connector of the settings was not typed, but configured. */
  isConnectorDefault?: boolean;
  /** How traffic is recorded or replayed. */
  tapes?: TapeSettings;
};

/** Which script tests and skill tests a run is about, and which of them come first. */
export type Focus = { only?: ReadonlySet<string>; first?: ReadonlySet<string> };

/** Reads and checks everything a run needs; throws ConfigError with all problems. Gives undefined if nothing is left to do. */
export async function planRun(flags: TestFlags, io: Io, focus: Focus = {}): Promise<RunPlan | undefined> {
  if (flags.resume !== undefined) return planResumed(flags, flags.resume, io);
  if (flags.failed !== undefined) return planFailed(flags, flags.failed, io);
  return plan(flags, io, { focus });
}

async function planFailed(flags: TestFlags, failed: string | true, io: Io): Promise<RunPlan | undefined> {
  const root = findApplicationRoot(startFolder(flags.input ?? [], io.cwd), io.cwd);
  const log = findLog(failed === true ? 'last' : failed, { cwd: io.cwd, root });
  const { start, notPassed } = await readNotPassed(log);
  if (notPassed.size === 0) return undefined;
  const only = [...notPassed];
  if (flags.input !== undefined) return plan(flags, io, { run: { only } });
  // A report of a part does not replace the report of the whole.
  const { output: _output, reporter: _reporter, ...inherited } = flagsOf(start, flags);
  return plan(
    { ...inherited, ...flags },
    { ...io, cwd: folderOf(start, io) },
    { run: { only }, inputs: start.inputs },
  );
}

/** Where the earlier run was; a log from another machine is taken as if it had been made here. */
function folderOf(start: StartEvent, io: Io): string {
  return existsSync(start.cwd) ? start.cwd : io.cwd;
}

async function planResumed(flags: TestFlags, reference: string, io: Io): Promise<RunPlan> {
  const fixed = (
    ['input', 'runs', 'run', 'tag', 'failed', 'dryRun', 'watch', 'matrix', 'preset', 'varFile'] as const
  ).filter((flag) => flags[flag] !== undefined);
  if (fixed.length > 0) throw notWithResume(flags.name === undefined ? fixed : [...fixed, 'name']);
  const root = findApplicationRoot(io.cwd, io.cwd);
  const resumed = await readResumable(findLog(reference, { cwd: io.cwd, root }));
  if (flags.name !== undefined && !hasMaskedName(resumed.start)) throw notWithResume(['name']);
  const only = resumed.start.flags['only'];
  const next = await plan(
    { ...flagsOf(resumed.start, flags), ...flags },
    { ...io, cwd: folderOf(resumed.start, io) },
    {
      run: { resumed, ...(Array.isArray(only) ? { only: only.map(String) } : {}) },
      inputs: resumed.start.inputs,
    },
  );
  if (flags.force !== true) refuseChanges(resumed.start, next);
  return next;
}

function notWithResume(flags: readonly string[]): ConfigError {
  const names = flags.map((flag) => `--${kebab(flag)}`).join(', ');
  return new ConfigError(`--resume cannot be combined with ${names}`, {
    hint: 'the log already says what the run consists of',
  });
}

/** What an earlier run says about this one: its part of the plan, and the inputs it had. */
type Earlier = {
  run?: Pick<RunPlan, 'only' | 'resumed'>;
  inputs?: readonly LoggedInput[];
  focus?: Focus;
};

async function plan(flags: TestFlags, io: Io, earlier: Earlier): Promise<RunPlan> {
  const { cwd } = io;
  const values = flags.input ?? [];
  // Standard input is kept inside of the application, so then its root is needed before the inputs are known.
  let typedRoot: string | undefined;
  const stdinFolder = (): string => {
    typedRoot ??= findApplicationRoot(startFolder(values, cwd), cwd);
    return writableState(typedRoot, 'stdin').folder;
  };
  const inputProblems: Problem[] = [];
  if (values.length === 0 && flags.selection === undefined) inputProblems.push(NO_INPUT);
  const inputs = { cwd, readStdin: () => io.stdin, stdinFolder };
  const found = (await collectProblems(inputProblems, () => resolveInputs(values, inputs))) ?? [];

  const start = typedRoot ?? folderOfFirst(found) ?? (found.length > 0 ? cwd : startFolder(values, cwd));
  const fallback = found.some(({ type }) => type === 'skills') ? await skillsFolder(cwd) : cwd;
  const problems: Problem[] = [];
  const application = await collectProblems(problems, () =>
    openApplication({ cwd, env: io.env, flags, start, fallback }),
  );
  problems.push(...inputProblems);
  if (application === undefined || problems.length > 0) throw ConfigError.of(problems);
  for (const source of found) {
    if (source.type === 'message' && source.note !== undefined) io.stderr.write(`${source.note}\n`);
  }
  const { root, dotenv, env: known } = application;
  const asked = { ...application.settings, ...earlierConnector(flags) };
  const isReplay = asked.replay !== undefined && asked.record_missing !== true;
  const env = isReplay ? keylessEnv(known) : known;
  const given = await givenValues(flags, { settings: asked, env, cwd });
  const warn = (text: string): void => void io.stderr.write(`${text}\n`);
  const defined = await definedRun(flags, given, { root, cwd, env, settings: asked, warn });
  const settings = defined?.settings ?? asked;
  const pattern = settings.run === undefined ? undefined : await loadPattern(settings.run);
  const only = earlier.run?.only === undefined ? undefined : new Set(earlier.run.only);
  const select = createSelect({ pattern, tags: settings.tags, only });
  const redactor = createRedactor([...secretsInEnv(known), ...(await connectorSecrets({ root, env, cwd }))]);
  const reporter = await findReporter(settings.reporter, { root, cwd, env, redactor });
  const meant = await withTests(found, { root, cwd, settings, warn });
  const named = focused(meant, earlier.focus ?? {});
  const marked = markGenerated(named, earlier.inputs ?? [], cwd);
  const typed = await withoutGenerators(marked, { settings, cwd, root, env, dotenv, redactor });
  const { sources, values: used } =
    defined === undefined
      ? await withRunValues(typed, given, root)
      : { sources: defined.sources, values: given };
  redactor.learn(secretValues(sources));
  const isConnectorTyped = flags.connector !== undefined;
  const prepared = await prepareRun({ settings, sources, cwd, root, env, select, isConnectorTyped });
  redactor.learn(prepared.secrets);
  const tapes = await tapesOf(settings, { prepared, cwd });
  for (const note of [...(defined?.notes ?? []), ...prepared.notes]) io.stderr.write(`${note}\n`);
  prepared.files.push(...(defined?.files ?? []));
  const suite = defined?.logged.definitions?.suite;
  prepared.files.push(...(await hookFiles(settings, prepared, { cwd, suite })), ...configFiles(root));
  return {
    settings,
    root,
    cwd,
    sources,
    prepared,
    select,
    dotenv,
    redactor,
    ...reporter,
    ...earlier.run,
    ...(defined !== undefined && { defined }),
    ...(used !== undefined && { values: used }),
    ...(tapes !== undefined && { tapes }),
    ...(settings.connector !== undefined && !isConnectorTyped && { isConnectorDefault: true }),
  };
}

async function tapesOf(
  settings: Settings,
  place: Pick<RunPlan, 'cwd' | 'prepared'>,
): Promise<TapeSettings | undefined> {
  const { record, replay, record_missing, replay_speed } = settings;
  if ((record ?? replay ?? replay_speed ?? record_missing) === undefined) return undefined;
  const { tapeSettings } = await import('./outputs/tape-session.ts');
  return tapeSettings(settings, place);
}

/** Nothing is loaded for the many runs that give no values to variables. */
async function givenValues(
  flags: TestFlags,
  sources: { settings: Settings; env: Record<string, string>; cwd: string },
): Promise<RunValues | undefined> {
  if (!hasRunValues(flags, sources)) return undefined;
  const { readRunValues } = await import('./inputs/run-variables.ts');
  const values = await readRunValues(flags, sources);
  if (flags.connector !== undefined) {
    const at = values.places['AIConfiguration'];
    if (at === '--var' || at === '--matrix')
      throw new ConfigError(`-c and ${at} AIConfiguration both choose the connector`, {
        hint: 'leave one of them out',
      });
  }
  return values;
}

async function definedRun(
  flags: TestFlags,
  given: RunValues | undefined,
  place: {
    root: string;
    cwd: string;
    env: Record<string, string>;
    settings: Settings;
    warn: (text: string) => void;
  },
): Promise<DefinedRun | undefined> {
  if (flags.selection === undefined) return undefined;
  const { defineRun } = await import('./inputs/definition-run.ts');
  const values = given ?? { given: { values: {}, matrix: {} }, places: {} };
  const { pairwise = false, seed } = flags;
  return defineRun(flags.selection, { ...place, flags, values, pairwise, seed });
}

/** Values for inputs that have no definition. */
async function withRunValues(
  sources: InputSource[],
  given: RunValues | undefined,
  root: string,
): Promise<{ sources: InputSource[]; values?: RunValues }> {
  if (given === undefined) return { sources };
  const { giveValues } = await import('./inputs/assign-variables.ts');
  return giveValues(sources, given, root);
}

/** The connector that an earlier part of the run had from its configuration. */
function earlierConnector({ connector, earlierConnector: earlier }: TestFlags): { connector?: string } {
  return connector === undefined && earlier !== undefined ? { connector: earlier } : {};
}

/** Values of variables whose names say that they are secret. */
function secretValues(sources: readonly InputSource[]): string[] {
  const values = sources.flatMap(({ variables }) => Object.entries(variables?.resolved.values ?? {}));
  const secrets = values
    .filter(([name]) => isCredentialName(name))
    .flatMap(([, value]) => secretsIn(String(value)));
  return [...new Set(secrets)];
}

/** Skills are found in an application that nothing else marks as one. */
async function skillsFolder(cwd: string): Promise<string> {
  const { nearestSkills } = await import('../kinds/skill/skill-files.ts');
  return nearestSkills(cwd);
}

/** Keys of connectors that only a hook may choose are secrets from the beginning. */
async function connectorSecrets(options: {
  root: string;
  env: Record<string, string>;
  cwd: string;
}): Promise<string[]> {
  if (!existsSync(join(options.root, 'connectors'))) return [];
  const { secretsOfConnectors } = await import('../connectors/find-connector.ts');
  return secretsOfConnectors(options);
}

/** Resolves the reporter before anything runs, if it is an agent. */
async function findReporter(
  name: string | undefined,
  {
    redactor,
    ...surroundings
  }: { root: string; cwd: string; env: Record<string, string>; redactor: Redactor },
): Promise<{ reporter?: AgentDefinition }> {
  if (name === undefined || isBuiltIn(name)) return {};
  const { resolveReporter } = await import('./outputs/reporter-agent.ts');
  const { definition, secrets } = await resolveReporter(name, surroundings);
  redactor.learn(secrets);
  return { reporter: definition };
}

/** A log names generated cases by their file; what they were generated by is their test. */
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

function focused<Source extends { type: string }>(sources: Source[], { only, first }: Focus): Source[] {
  const nameOf = (source: Source): string => ('name' in source ? String(source.name) : '');
  const wanted = only === undefined ? sources : sources.filter((source) => only.has(nameOf(source)));
  if (first === undefined || first.size === 0) return wanted;
  const rank = (source: Source): number => (first.has(nameOf(source)) ? 0 : 1);
  return wanted.toSorted((a, b) => rank(a) - rank(b));
}

async function withoutGenerators(
  sources: readonly (CaseGenerator | InputSource)[],
  options: GeneratedOptions,
): Promise<InputSource[]> {
  const isThere = (source: CaseGenerator | InputSource): source is InputSource => source.type !== 'generator';
  if (sources.every(isThere)) return [...sources];
  const { generateInputs } = await import('./inputs/generated-inputs.ts');
  return generateInputs(sources, options);
}

async function hookFiles(
  settings: Settings,
  { targets }: Prepared,
  place: { cwd: string; suite?: SuiteDefinition | undefined },
): Promise<string[]> {
  const [target] = targets;
  if (target === undefined || (settings.before_all ?? settings.after_all) === undefined) return [];
  const { checkRunHooks } = await import('./hooks.ts');
  return checkRunHooks(settings, target, place);
}

const NO_INPUT: Problem = {
  message: 'nothing to test',
  hint: 'name the input: -i tests/inputs.jsonl, or -i "a message"',
};

async function loadPattern(source: string): Promise<{ test(text: string): boolean }> {
  const { compilePattern } = await import('../platform/regex.ts');
  return compilePattern(source);
}

/** The folder of the first input that is a file; standard input is kept in one, but comes from nowhere. */
function folderOfFirst(found: readonly Named[]): string | undefined {
  for (const source of found)
    if ('path' in source && source.path !== undefined && !('stdin' in source)) return dirname(source.path);
  return undefined;
}

/** The folder of the first value of `-i` that looks like a path, else the working directory. */
function startFolder(values: readonly string[], cwd: string): string {
  const isPath = (value: string): boolean => !/\s/.test(value) && /[/\\]|\.jsonl$/.test(value);
  const path = values.find((value) => isPath(value) && generatorOf(value) === undefined);
  return path === undefined ? cwd : dirname(resolve(cwd, path.replace(/[*?{[].*$/, 'x')));
}

function kebab(flag: string): string {
  return flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
