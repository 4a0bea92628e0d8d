// Resolves the references of cases before anything runs; returns their files, secrets and problems.

import { resolve } from 'node:path';
import { callsModel } from '../../../agents/calls-model.ts';
import { checkFunction, scriptFiles } from '../../../scripts/check-function.ts';
import { hookFolder } from '../../../scripts/locate-function.ts';
import { resolveAgent } from '../../../agents/resolve/resolve.ts';
import type { Problem } from '../../../errors.ts';
import { collectProblems, ConfigError } from '../../../errors.ts';
import type { FoundConnector } from '../../../connectors/find-connector.ts';
import type { AgentDefinition } from '../../../model/agent.ts';
import { isFile } from '../../../platform/file-stats.ts';
import { findProgram } from '../../../platform/find-program.ts';
import type { CaseReferences } from './references.ts';

export type ReferencePlace = {
  root: string;
  cwd: string;
  env: Record<string, string | undefined>;
  /** How people know the input. */
  source: string;
  /** The folder of the cases. */
  base: string;
  /** The agent under test, if it could be found. */
  agent: AgentDefinition | undefined;
};

export type CheckedReferences = {
  problems: Problem[];
  files: string[];
  /** Those of them that judge answers or run around the cases. */
  judges: string[];
  secrets: string[];
};

/** Checks everything the cases name, each once. */
export async function checkReferences(
  references: CaseReferences,
  place: ReferencePlace,
): Promise<CheckedReferences> {
  const { root, cwd, env, source, base, agent } = place;
  const checked: CheckedReferences = { problems: [], files: [], judges: [], secrets: [] };

  async function check(names: Map<string, number>, find: (name: string) => Promise<Found>): Promise<void> {
    for (const [name, line] of names) {
      const problems: Problem[] = [];
      const found = await collectProblems(problems, () => find(name));
      const at = `${source}:${String(line)}`;
      for (const problem of problems) checked.problems.push({ ...problem, at: problem.at ?? at });
      checked.files.push(...(found?.files ?? []));
      checked.secrets.push(...(found?.secrets ?? []));
    }
  }
  const findConnector = async (id: string, folder?: string): Promise<FoundConnector> => {
    const { findConnector: find } = await import('../../../connectors/find-connector.ts');
    return find(id, { root, env, cwd, ...(folder !== undefined && { folder }) });
  };
  const own = agent?.run.type === 'assistant' ? agent.run : undefined;

  const scriptPlace = { root, cwd, folder: base, env };
  await check(references.scripts, async (name) => ({ files: await scriptFiles(name, scriptPlace) }));
  // The check of the cases has made sure that it is a list of texts.
  await check(references.commands, async (json) => findCommand(JSON.parse(json) as string[], { base, env }));
  await check(references.agents, (name) => resolveAgent({ name, from: root, root, cwd, env }));
  await check(references.connectors, (id) => findConnector(id));
  await check(references.embedders, async (id) => {
    const found = await findConnector(id);
    if (found.connector.type !== 'openai') throw noVectors(id, found.connector.type);
    return found;
  });
  // Only an assistant calls a model through a connector; to other agents the option may mean anything.
  const others = checked.files.length;
  if (own !== undefined) await check(references.ownConnectors, (id) => findConnector(id, own.folder));
  const ownFiles = new Set(checked.files.slice(others));
  if (agent !== undefined) {
    await check(references.hooks, async (name) => {
      return checkFunction(name, { root, cwd, folder: hookFolder(name, { agent, base, root }) });
    });
    if (own !== undefined) checked.problems.push(...missingConnector(agent, references));
  }
  checked.judges = checked.files.filter((file) => !ownFiles.has(file));
  return checked;
}

/** The files of a program that judges: the program itself and those of its arguments that are files. Throws if there is no such program. */
function findCommand(
  [name = '', ...args]: readonly string[],
  { base, env }: Pick<ReferencePlace, 'base' | 'env'>,
): Found {
  const program = findProgram(name, { folder: base, path: env['PATH'] });
  if (typeof program !== 'string')
    throw new ConfigError(`command: ${program.problem}`, { hint: program.hint });
  const own = program.includes('/') ? [program] : [];
  return { files: [...own, ...args.map((argument) => resolve(base, argument)).filter(isFile)] };
}

/** Only chat completions have embeddings beside them. */
function noVectors(id: string, type: string): ConfigError {
  return new ConfigError(`connector "${id}" is of type ${type}, which has no embeddings`, {
    hint: 'name one of type openai, or leave "connector" out to compare the texts themselves',
  });
}

type Found = { files: readonly string[]; secrets?: readonly string[] };

/** An assistant with prompts needs a model; its hook Create may choose one when it runs. */
function missingConnector(agent: AgentDefinition, { needsConnector }: CaseReferences): Problem[] {
  const { run, chosen, connector, defaults, forced_connector } = agent;
  if (run.type !== 'assistant' || run.hooks !== undefined || !needsConnector) return [];
  const named = connector ?? forced_connector ?? chosen?.connector ?? defaults?.connector;
  if (named !== undefined || !callsModel(run)) return [];
  return [
    {
      message: `assistant ${agent.id} has prompts or tools but no connector to a model`,
      hint: 'add "connector": "<id>" to its package.yao, or choose one with -c',
    },
  ];
}
