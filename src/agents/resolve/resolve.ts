// In the coordinator: finds an agent by name or path and checks its definition. Runs no user code.

import { readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import type { AgentDefinition, AgentRun, AssistantRun } from '../../model/agent.ts';
import { bundleModule } from '../../compile/bundle.ts';
import { cacheDirectory, sha256 } from '../../compile/bundle-cache.ts';
import { displayPath, isInside } from '../../platform/paths.ts';
import { agentId, findAgent, findUpward } from './find-agent.ts';
import { callsModel } from '../calls-model.ts';
import type { AssistantOptions } from '../assistant/read-assistant.ts';
import type { YaoFile } from '../../json/yao-file.ts';
import { DEFAULT_FUNCTION } from '../../scripts/python-reference.ts';
import { readRun } from './package-run.ts';
import { secretsInUrl } from '../../secrets/secrets.ts';
import { findUnset, hasPlaceholder, isUnfilled, readYaoFile } from '../../json/yao-file.ts';
import { findAgentFile } from '../../json/agent-file.ts';
import { isObject } from '../../json/is-object.ts';
import { isFile } from '../../platform/file-stats.ts';

/** An agent whose definition has no problems. */
export type ResolvedAgent = {
  definition: AgentDefinition;
  /** The agent's files, for watch mode and the fingerprint. */
  files: string[];
  /** Fingerprint of the files, without values of environment variables. */
  sha256: string;
  /** Values that must be masked. */
  secrets: string[];
  root: string;
};

export type ResolveOptions = {
  /** The value of `-n`. */
  name?: string;
  /** The input file or folder from which to search for the agent upward. */
  from: string;
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
  connector?: string;
  /** Variables of the test choose the connector, so that the one of the package is not used. */
  isConnectorChosen?: boolean;
};

/** Finds an agent and checks it; throws one ConfigError with all problems. */
export async function resolveAgent(options: ResolveOptions): Promise<ResolvedAgent> {
  const { name, from, root, cwd, connector } = options;
  const found =
    name === undefined
      ? { type: 'folder' as const, folder: findUpward(from, options) }
      : findAgent(name, options);
  const chosen = connector === undefined ? {} : { forced_connector: connector };
  switch (found.type) {
    case 'a2a': {
      const id = `a2a+${withoutCredentials(found.url)}`;
      const run: AgentRun = { type: 'a2a', a2a: { url: checkedUrl(found.url, 'a2a+') } };
      await checkSdk(root, cwd);
      const secrets = secretsInUrl(found.url);
      return { definition: { id, ...chosen, run }, files: [], sha256: sha256(id), secrets, root };
    }
    case 'url': {
      const id = withoutCredentials(found.url);
      const run: AgentRun = { type: 'http', http: { url: checkedUrl(found.url) } };
      const secrets = secretsInUrl(found.url);
      return { definition: { id, ...chosen, run }, files: [], sha256: sha256(`http\0${id}`), secrets, root };
    }
    case 'module': {
      const { file } = found;
      const id = isInside(root, file) ? displayPath(file, root) : basename(file);
      const files = await moduleFiles(file, root, cwd);
      return {
        definition: { id, ...chosen, run: { type: 'module', file } },
        files,
        sha256: fingerprint(files, root),
        secrets: [],
        root,
      };
    }
    case 'python': {
      const { file, function: name } = found;
      const { preparePython } = await import('../python/prepare-python.ts');
      const { run, files } = preparePython(file, name, options);
      const path = isInside(root, file) ? displayPath(file, root) : basename(file);
      const id = name === DEFAULT_FUNCTION ? path : `${path}:${name}`;
      const definition = { id, ...chosen, run };
      return { definition, files, sha256: fingerprint(files, root), secrets: [], root };
    }
    case 'folder':
      return resolveFolder(found.folder, options);
  }
}

async function resolveFolder(folder: string, options: ResolveOptions): Promise<ResolvedAgent> {
  const { root, cwd, env, connector, isConnectorChosen = connector !== undefined } = options;
  const packageFile = findAgentFile(folder, options) ?? join(folder, 'package.yao');
  const file = await readYaoFile(packageFile, { env, cwd });
  const id = agentId(folder, root);
  const details = readDetails(file);
  const place = { folder, agentId: id, root, cwd, env };
  const read =
    file.value['run'] === undefined
      ? await resolveAssistant(file, place, connector ?? (isConnectorChosen ? undefined : details.connector))
      : await resolveRun(file, place);
  file.problems.unshift(...findUnset(file, ([key]) => isUsed(key, read?.run, isConnectorChosen)));
  if (read === undefined || file.problems.length > 0) throw ConfigError.of(file.problems);

  const files = [packageFile, ...read.files];
  const definition: AgentDefinition = { id, ...details, run: read.run };
  if (connector !== undefined) definition.forced_connector = connector;
  const secrets = [...file.secrets, ...read.secrets];
  return { definition, files, sha256: fingerprint(files, root), secrets, root };
}

/** True for fields of a package that its agent uses. */
export function isUsed(key = '', run: AgentRun | undefined, isConnectorChosen: boolean): boolean {
  if (run?.type !== 'assistant') return ['name', 'description', 'options', 'run'].includes(key);
  if (key === 'connector') return !isConnectorChosen && callsModel(run) && !mayChooseConnector(run);
  return ['name', 'description', 'options', 'mcp'].includes(key);
}

/** True if a hook names a connector: which one is used is then known only when it runs. */
function mayChooseConnector({ hooks }: AssistantRun): boolean {
  return hooks !== undefined && /\bconnector\b/.test(readFileSync(hooks, 'utf8'));
}

type ReadRun = { run: AgentRun; files: string[]; secrets: string[] };

export async function resolveRun(file: YaoFile, place: AssistantOptions): Promise<ReadRun | undefined> {
  const run = readRun(file, place);
  if (run === undefined) return undefined;
  return { run, files: await agentFiles(run, place, file.problems), secrets: [] };
}

async function resolveAssistant(
  file: YaoFile,
  place: AssistantOptions,
  connector: string | undefined,
): Promise<ReadRun> {
  const { checkConnector, readAssistant } = await import('../assistant/read-assistant.ts');
  const { run, files, secrets } = await readAssistant(file, place);
  const isKnown = connector !== undefined && !isUnfilled(connector) && !hasPlaceholder(connector);
  if (!callsModel(run) || !isKnown) return { run, files, secrets };
  const at = file.value['connector'] === connector ? file.at(['connector']) : '-c';
  const checked: YaoFile = { ...file, problems: [] };
  const found = await checkConnector(connector, checked, { ...place, at });
  // A key that is not set has no effect if a hook chooses another connector.
  const isOpen = at !== '-c' && mayChooseConnector(run);
  file.problems.push(
    ...checked.problems.filter(({ message }) => !isOpen || !message.startsWith('environment variable')),
  );
  return { run, files: [...files, ...found.files], secrets: [...secrets, ...found.secrets] };
}

export function readDetails(
  file: YaoFile,
): Pick<AgentDefinition, 'connector' | 'description' | 'name' | 'options'> {
  const read: ReturnType<typeof readDetails> = {};
  for (const key of ['name', 'description', 'connector'] as const) {
    const value = file.value[key];
    if (typeof value === 'string') read[key] = value;
    else if (value !== undefined && value !== null)
      file.problems.push({ message: `${key}: expected text`, at: file.at([key]) });
  }
  const { options } = file.value;
  if (isObject(options)) read.options = options;
  else if (options !== undefined && options !== null) {
    file.problems.push({ message: 'options: expected an object', at: file.at(['options']) });
  }
  return read;
}

/** Checks the files of an agent and lists them. Completes `run` of a Python agent with its interpreter. */
async function agentFiles(
  run: AgentRun,
  { root, cwd, env }: Pick<AssistantOptions, 'cwd' | 'env' | 'root'>,
  problems: Problem[],
): Promise<string[]> {
  try {
    switch (run.type) {
      case 'assistant':
      case 'function':
        return [];
      case 'command':
        return argumentFiles(run.command, run.cwd, root);
      case 'a2a':
        await checkSdk(root, cwd);
        return [];
      case 'http':
      case 'recorded':
        return [];
      case 'module':
        return await moduleFiles(run.file, root, cwd);
      case 'python': {
        const { preparePython } = await import('../python/prepare-python.ts');
        const { run: prepared, files } = preparePython(run.file, run.function, { root, cwd, env });
        run.interpreter = prepared.interpreter;
        return files;
      }
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return [];
  }
}

/** Checks that the module has a default export; for CommonJS that is known only at run time. */
async function moduleFiles(file: string, root: string, cwd: string): Promise<string[]> {
  const { inputs, exports } = await bundleModule(file, { cacheDir: cacheDirectory(root), cwd });
  if (exports !== undefined && !exports.includes('default')) {
    const others = exports.length === 0 ? 'nothing' : exports.join(', ');
    throw new ConfigError(`has no default export (it exports ${others})`, {
      at: displayPath(file, cwd),
      hint: 'an agent is: export default async (messages, ctx) => output',
    });
  }
  return [...inputs].sort();
}

/** The arguments of a command that are files of the agent. */
function argumentFiles(command: string[], folder: string, root: string): string[] {
  const files = command.map((part) => resolve(folder, part));
  return files.filter((file) => (isInside(folder, file) || isInside(root, file)) && isFile(file)).sort();
}

function fingerprint(files: string[], root: string): string {
  return sha256(files.map((file) => `${relative(root, file)}\0${sha256(readFileSync(file))}\n`).join(''));
}

/** Checks before the run that the optional A2A SDK is installed. */
async function checkSdk(root: string, cwd: string): Promise<void> {
  const { findSdk } = await import('../a2a/sdk.ts');
  findSdk([root, cwd]);
}

function checkedUrl(url: string, scheme = ''): string {
  if (URL.canParse(url)) return url;
  throw new ConfigError(`"${scheme}${url}" is not an address`, {
    hint: `write ${scheme}http://host:port/path`,
  });
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
