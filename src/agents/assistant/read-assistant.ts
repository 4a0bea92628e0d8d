// Reads an assistant folder into its definition. Runs no user code.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findConnector } from '../../connectors/find-connector.ts';
import { collectProblems } from '../../errors.ts';
import type { AssistantRun } from '../../model/agent.ts';
import { bundleModule } from '../../compile/bundle.ts';
import { cacheDirectory } from '../../compile/bundle-cache.ts';
import { isObject } from '../../json/is-object.ts';
import { displayPath } from '../../platform/paths.ts';
import { topLevelNames } from '../../compile/top-level-names.ts';
import { usesBlockingGlobals } from '../../scripts/globals/blocking.ts';
import { calledScripts } from '../../scripts/globals/called-scripts.ts';
import { SCRIPT_EXTENSIONS } from '../../scripts/globals/locate-script.ts';
import type { YaoFile } from '../../json/yao-file.ts';
import { readTools } from '../tools/read-tools.ts';
import { callsModel } from '../calls-model.ts';
import { readPrompts } from './prompts.ts';

export type AssistantOptions = {
  folder: string;
  agentId: string;
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
};

export type ReadAssistant = { run: AssistantRun; files: string[]; secrets: string[] };

const RUN_HINT =
  'add "run": {"module": "./agent.ts"}, {"http": …}, {"a2a": …} or {"command": …}, or write prompts.yml or src/index.ts';

/** Reads an assistant. Adds problems to those of its package file. */
export async function readAssistant(file: YaoFile, options: AssistantOptions): Promise<ReadAssistant> {
  const { folder, root, cwd } = options;
  const run: AssistantRun = { type: 'assistant', folder, tool_loop: true, max_turn: 5 };
  const files: string[] = [];
  const secrets: string[] = [];

  const own = await readPrompts(folder, options);
  const shared = await readPrompts(join(root, 'agent'), options);
  for (const { files: read, secrets: found, problems } of [own, shared]) {
    files.push(...read);
    secrets.push(...found);
    file.problems.push(...problems);
  }
  if (own.prompts !== undefined) run.prompts = own.prompts;
  if (own.presets !== undefined) run.presets = own.presets;
  if (shared.prompts !== undefined) run.global_prompts = shared.prompts;

  const at = (path: readonly string[]): string => file.at(['mcp', ...path]);
  const tools = await readTools(file.value['mcp'], { ...options, at });
  file.problems.push(...tools.problems);
  files.push(...tools.files);
  secrets.push(...tools.secrets);
  if (tools.servers.length > 0) run.servers = tools.servers;
  run.tool_loop = tools.tool_loop;
  run.max_turn = tools.max_turn;

  const { sandbox, uses } = file.value;
  const search = isObject(uses) ? uses['search'] : undefined;
  // The other values name services of production.
  if (typeof search === 'string' && !['', 'builtin', 'disabled'].includes(search)) run.search = search;
  if (sandbox !== undefined && sandbox !== null && sandbox !== false) run.has_sandbox = true;

  const hooks = ['index.ts', 'index.js', 'index.mjs']
    .map((name) => join(folder, 'src', name))
    .find((path) => existsSync(path));
  const names = hooks === undefined ? undefined : topLevelNames(readFileSync(hooks, 'utf8'));
  const hasHooks = names !== undefined && (!names.isComplete || hasHook(names.names));
  if (hooks !== undefined && hasHooks) run.hooks = hooks;
  if (hooks !== undefined) {
    const bundle = await collectProblems(file.problems, () =>
      bundleModule(hooks, { cacheDir: cacheDirectory(root), cwd }),
    );
    // Scripts called through Process are part of the assistant too.
    const called = bundle === undefined ? [] : await calledScripts(hooks, { root });
    const inputs = [
      ...new Set([...(bundle?.inputs ?? []), ...called.flatMap((script) => script.inputs)]),
    ].sort();
    files.push(...inputs);
  }
  const isScript = (path: string): boolean => SCRIPT_EXTENSIONS.some((extension) => path.endsWith(extension));
  // Functions of tools are scripts, too.
  if (usesBlockingGlobals(files.filter(isScript))) run.is_blocking = true;
  // If the prompts or tools have problems, do not also report that they are missing.
  if (!hasHooks && !callsModel(run) && file.problems.length === 0) reportNothing(file, hooks, options);
  return { run, files, secrets };
}

/**
 * Checks that the assistant's connector can be used: its file and its key. Call it only if the assistant calls a model
 * and has no Create hook that may choose another connector.
 */
export async function checkConnector(
  id: string,
  file: YaoFile,
  { folder, root, cwd, env, at }: AssistantOptions & { at: string },
): Promise<{ files: string[]; secrets: string[] }> {
  const before = file.problems.length;
  const found = await collectProblems(file.problems, () => findConnector(id, { root, folder, env, cwd }));
  // Report an unknown connector where it is named.
  for (const problem of file.problems.slice(before)) problem.at ??= at;
  return { files: found?.files ?? [], secrets: found?.secrets ?? [] };
}

function hasHook(names: string[]): boolean {
  return names.includes('Create') || names.includes('Next');
}

function reportNothing(file: YaoFile, hooks: string | undefined, { folder, cwd }: AssistantOptions): void {
  if (hooks === undefined) {
    const message = `nothing to run: no "run" here, no prompts and no ${displayPath(folder, cwd)}/src/index.ts`;
    file.problems.push({ message, at: file.at([]), hint: RUN_HINT });
    return;
  }
  file.problems.push({
    message: 'has neither a function Create nor a function Next, and the assistant has no prompts',
    at: displayPath(hooks, cwd),
    hint: 'let Next(ctx, payload, options) return { data: <the answer> }',
  });
}
