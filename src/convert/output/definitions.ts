// Prompts and targets in; assistants, definitions and the command that runs them out.

import { stringify } from 'yaml';
import type { GivenProvider, Target } from '../providers/provider.ts';
import { addToolServer } from '../providers/tools.ts';
import type { OutputFiles } from './output-files.ts';
import { freeName, slug } from './output-files.ts';

export type Provided = { given: GivenProvider; target: Target };

/** How the cases are run: by which agents, and on which connectors. */
export type Layout = {
  /** Every agent with the labels of its prompts; all if undefined. */
  agents: { agent: string; prompts: string[] | undefined }[];
  /** What is compared: models of one agent, or agents. Undefined if there is nothing to compare, or not by a matrix. */
  matrix: { connector: string[] } | { agent: string[] } | undefined;
};

type Model = Target & { type: 'connector' };

/** Models that differ in nothing else are a matrix of connectors with one assistant; everything else is an agent of its own. */
export function planLayout(
  provided: readonly Provided[],
  name: string,
  { files, taken }: { files: OutputFiles; taken: Set<string> },
): Layout {
  const models = provided.map(({ target }) => target).filter((target) => target.type === 'connector');
  const hasFilter = provided.some(({ given }) => given.prompts !== undefined);
  const [first] = models;
  const isAlike = models.every(({ tools }) => JSON.stringify(tools) === JSON.stringify(first?.tools));
  if (first !== undefined && models.length === provided.length && isAlike && !hasFilter) {
    const agent = addAssistant(freeName(name, taken), first, files);
    const connector = models.map((model) => model.connector);
    return {
      agents: [{ agent, prompts: undefined }],
      matrix: connector.length > 1 ? { connector } : undefined,
    };
  }
  const agents = provided.map(({ given, target }) => ({
    agent: target.type === 'connector' ? addAssistant(target.name, target, files) : target.agent,
    prompts: given.prompts,
  }));
  const isCompared = agents.length > 1 && !hasFilter;
  return { agents, matrix: isCompared ? { agent: agents.map(({ agent }) => agent) } : undefined };
}

/** A model that gets the messages of a case and nothing else. */
function addAssistant(name: string, { connector, tools }: Model, files: OutputFiles): string {
  const mcp = tools.length === 0 ? undefined : addToolServer(name, tools, files);
  files.add(`assistants/${name}/package.yao`, { connector, ...(mcp !== undefined && { mcp }) });
  files.add(`assistants/${name}/prompts.yml`, '# The cases have the prompts.\n[]\n');
  return name;
}

export type WrittenPrompt = { label: string; file: string };

type Definitions = {
  files: OutputFiles;
  suite: { id: string; name: string };
  isFor(labels: string[] | undefined, prompt: string): boolean;
};

/** Definitions for several agents or connectors. Gives the words after the name of the program. */
export function addDefinitions(
  { agents, matrix }: Layout,
  prompts: readonly WrittenPrompt[],
  { files, suite, isFor }: Definitions,
): string {
  if (agents.length <= 1 && matrix === undefined)
    return `test ${prompts.map(({ file }) => `-i ${file}`).join(' ')}${agents.length === 0 ? ' -n <agent>' : ''}`;
  const tests: string[] = [];
  const taken = new Set([suite.id]);
  for (const { label, file } of prompts) {
    // A matrix of agents takes the place of the agent.
    const own = matrix === undefined ? agents.filter((one) => isFor(one.prompts, label)) : agents.slice(0, 1);
    for (const { agent } of own) {
      const parts = [prompts.length > 1 && slug(label, 'prompt'), own.length > 1 && agent];
      const id = freeName(parts.filter((part) => part !== false).join('-') || 'cases', taken);
      const test = {
        id,
        name: own.length > 1 ? `${label} (${agent})` : label,
        type: 'agent-eval',
        agent,
        input: `../${file}`,
      };
      files.add(`tests/${id}.test.yml`, stringify(test));
      tests.push(id);
    }
  }
  files.add(
    `tests/${suite.id}.suite.yml`,
    stringify({ ...suite, tests, ...(matrix !== undefined && { matrix }) }),
  );
  return `suite ${suite.id}`;
}
