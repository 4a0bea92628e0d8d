// Stage 2 of planning: the inputs that the request names say which application is meant; it is opened.

import { escapeControls } from '../../text/untrusted.ts';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Application } from '../../application/open.ts';
import { openApplication } from '../../application/open.ts';
import { findApplicationRoot } from '../../application/root.ts';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import { kindById } from '../../kinds/registry.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import { programName } from '../../platform/how-started.ts';
import { writableState } from '../../platform/writable-state.ts';
import { isBuiltIn } from '../../report/registry.ts';
import { keylessEnv } from '../../secrets/keyless-env.ts';
import type { Redactor } from '../../secrets/redact.ts';
import { createRedactor } from '../../secrets/redact.ts';
import { secretsInEnv } from '../../secrets/environment.ts';
import type { Named } from '../inputs/inputs.ts';
import { resolveInputs } from '../inputs/inputs.ts';
import { typedFolder } from '../inputs/typed-folder.ts';
import type { Io } from '../io.ts';
import { programProblems, programSource } from '../program-input.ts';
import type { TestFlags } from '../request.ts';
import type { RunRequest } from './request.ts';

/** The application of a run. In a run that only replays, keys that are not set have a placeholder in `env`. */
export type RunApplication = Application & {
  cwd: string;
  /** The inputs by name; those of script and skill tests may still mean many files. */
  named: Named[];
  /** Masks all secrets that are known so far; later stages and workers add theirs. */
  redactor: Redactor;
  /** The agent that `-r` names, unless that is a built-in reporter. */
  reporter?: AgentDefinition | undefined;
};

const NO_INPUT: Problem = {
  message: 'nothing to test',
  hint: `name the cases and the agent: ${programName()} test cases.jsonl ./agent.ts; or send a message: -i "hello"; ${programName()} init writes a first agent and its cases`,
};

/** Throws ConfigError with all problems of the inputs, the settings and the configuration. */
export async function openRunApplication(
  { flags, cwd, named: given }: RunRequest,
  io: Pick<Io, 'env' | 'stderr' | 'stdin'>,
): Promise<RunApplication> {
  const isNamed = (flags.input ?? []).length > 0 || (flags.selection ?? flags.program?.cases) !== undefined;
  const { application, named } =
    given === undefined
      ? await (isNamed ? openNamed : openConfigured)(flags, cwd, io)
      : {
          application: await openApplication({ cwd, env: io.env, flags, start: cwd, fallback: cwd }),
          named: given,
        };
  for (const input of named)
    if (input.type === 'message' && input.note !== undefined) io.stderr.write(`${input.note}\n`);

  const { root } = application;
  const settings = { ...application.settings, ...earlierConnector(flags) };
  const isReplay = settings.replay !== undefined && settings.record_missing !== true;
  const env = isReplay ? keylessEnv(application.env) : application.env;
  const redactor = createRedactor([
    ...secretsInEnv(application.env),
    ...(await connectorSecrets({ root, env, cwd })),
  ]);
  const reporter = await findReporter(settings.reporter, { root, cwd, env, redactor });
  return { ...application, env, settings, cwd, named, redactor, reporter };
}

type OpenedInputs = { application: Application; named: Named[] };

/** The inputs of the command line say where the application is. */
async function openNamed(
  flags: TestFlags,
  cwd: string,
  io: Pick<Io, 'env' | 'stderr' | 'stdin'>,
): Promise<OpenedInputs> {
  const { named, start, fallback, problems: inputProblems } = await nameInputs(flags.input ?? [], cwd, io);
  const problems: Problem[] = [];
  const { program } = flags;
  if (program !== undefined) inputProblems.push(...programProblems(named));
  if (program?.cases !== undefined) named.push(programSource(program.cases, cwd));
  const application = await collectProblems(problems, () =>
    openApplication({ cwd, env: io.env, flags, start, fallback }),
  );
  problems.push(...inputProblems);
  if (application === undefined || problems.length > 0) throw ConfigError.of(problems);
  return { application, named };
}

/** The application around the working directory says what its inputs are; their paths start from its root. */
async function openConfigured(
  flags: TestFlags,
  cwd: string,
  io: Pick<Io, 'env' | 'stderr' | 'stdin'>,
): Promise<OpenedInputs> {
  const problems: Problem[] = [];
  const application = await collectProblems(problems, () => openApplication({ cwd, env: io.env, flags }));
  if (application === undefined) throw ConfigError.of(problems);
  const { inputs } = application.settings;
  if (inputs.length === 0) throw ConfigError.of([NO_INPUT]);

  const { named, problems: wrong } = await nameInputs(inputs, application.root, io);
  for (const problem of wrong) problem.at ??= '"input" in assay.config';
  if (wrong.length > 0) throw ConfigError.of(wrong);
  return { application, named };
}

type NamedInputs = {
  named: Named[];
  /** Where the search for the root of the application starts, and the root if nothing is found. */
  start: string;
  fallback: string;
  problems: Problem[];
};

async function nameInputs(
  values: readonly string[],
  cwd: string,
  io: Pick<Io, 'stderr' | 'stdin'>,
): Promise<NamedInputs> {
  // Standard input is kept inside of the application, whose root is then needed before the inputs are known.
  let stdinRoot: string | undefined;
  const stdinFolder = (): string => {
    stdinRoot ??= findApplicationRoot(typedFolder(values, cwd), cwd);
    return writableState(stdinRoot, 'stdin').folder;
  };

  const problems: Problem[] = [];
  const warn = (text: string): void => void io.stderr.write(`${escapeControls(text)}\n`);
  const options = { cwd, readStdin: () => io.stdin, stdinFolder, warn };
  const named = (await collectProblems(problems, () => resolveInputs(values, options))) ?? [];

  const guess = named.length > 0 ? cwd : typedFolder(values, cwd);
  const start = stdinRoot ?? folderOfFirst(named) ?? guess;
  const fallback = await fallbackRoot(named, cwd);
  return { named, start, fallback, problems };
}

/** The folder of the first input that is a file of the user. */
function folderOfFirst(named: readonly Named[]): string | undefined {
  for (const input of named)
    if ('path' in input && input.path !== undefined && !('stdin' in input)) return dirname(input.path);
  return undefined;
}

/** Tests of some kinds lie in an application that nothing else marks as one. */
async function fallbackRoot(named: readonly Named[], cwd: string): Promise<string> {
  for (const input of named) {
    const kind = input.type === 'pattern' ? kindById(input.kind) : undefined;
    if (kind?.findRoot !== undefined) return kind.findRoot(cwd);
  }
  return cwd;
}

/** The connector that the earlier part of a resumed run had from its configuration. */
function earlierConnector({ connector, earlierConnector: earlier }: TestFlags): { connector?: string } {
  return connector === undefined && earlier !== undefined ? { connector: earlier } : {};
}

/** The keys of all connectors: a hook may choose one that nothing else names. */
async function connectorSecrets(place: {
  root: string;
  env: Record<string, string>;
  cwd: string;
}): Promise<string[]> {
  if (!existsSync(join(place.root, 'connectors'))) return [];
  const { secretsOfConnectors } = await import('../../connectors/find-connector.ts');
  return secretsOfConnectors(place);
}

/** A reporter that is an agent must exist before anything runs. */
async function findReporter(
  name: string | undefined,
  { redactor, ...place }: { root: string; cwd: string; env: Record<string, string>; redactor: Redactor },
): Promise<AgentDefinition | undefined> {
  if (name === undefined || isBuiltIn(name)) return undefined;
  const { resolveReporter } = await import('../optional/reporter-agent.ts');
  const { definition, secrets } = await resolveReporter(name, place);
  redactor.learn(secrets);
  return definition;
}
