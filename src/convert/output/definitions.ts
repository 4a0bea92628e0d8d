// Prompts and targets in; assistants, definitions and the commands that run them out.

import { stringify } from 'yaml';
import type { GivenProvider, Target } from '../providers/provider.ts';
import { addToolServer } from '../providers/tools.ts';
import type { OutputFiles } from './output-files.ts';
import { freeName, slug } from './output-files.ts';

export type Provided = { given: GivenProvider; target: Target };

/** How the cases of a prompt are run: by which agents, and on which connectors. */
export type Layout = {
  /** The agent of all cases, if there is only one. */
  agent: string | undefined;
  /** The connectors of a matrix; empty if no model is compared. */
  connectors: string[];
  /** Every agent with the labels of its prompts; all if undefined. */
  agents: { agent: string; prompts: string[] | undefined; isModel: boolean }[];
};

type Model = Target & { type: 'connector' };

/** One assistant has all models as a matrix, unless they get different prompts. */
export function planLayout(
  provided: readonly Provided[],
  name: string,
  files: OutputFiles,
  taken: Set<string>,
): Layout {
  const models = provided.filter(
    (one): one is Provided & { target: Model } => one.target.type === 'connector',
  );
  const others = provided.flatMap(({ given, target }) =>
    target.type === 'agent' ? [{ agent: target.agent, prompts: given.prompts, isModel: false }] : [],
  );
  const isApart =
    models.length > 1 &&
    models.some(
      ({ given, target }) =>
        given.prompts !== undefined ||
        JSON.stringify(target.tools) !== JSON.stringify(models[0]?.target.tools),
    );
  const assistants = isApart
    ? models.map(({ given, target }) => ({
        agent: addAssistant(target.name, target, files),
        prompts: given.prompts,
        isModel: false,
      }))
    : models.slice(0, 1).map(({ given, target }) => ({
        agent: addAssistant(freeName(name, taken), target, files),
        prompts: given.prompts,
        isModel: true,
      }));
  const agents = [...assistants, ...others];
  return {
    agents,
    agent: agents.length === 1 ? agents[0]?.agent : undefined,
    connectors: isApart || models.length < 2 ? [] : models.map(({ target }) => target.connector),
  };
}

/** A model that gets the messages of a case and nothing else. */
function addAssistant(name: string, { connector, tools }: Model, files: OutputFiles): string {
  const mcp = tools.length === 0 ? undefined : addToolServer(name, tools, files);
  files.add(`assistants/${name}/package.yao`, { connector, ...(mcp !== undefined && { mcp }) });
  files.add(`assistants/${name}/prompts.yml`, '# The cases have the prompts.\n[]\n');
  return name;
}

export type WrittenPrompt = { label: string; file: string };

/** Definitions for several agents or connectors. Gives the words after the name of the program. */
export function addDefinitions(
  layout: Layout,
  prompts: readonly WrittenPrompt[],
  suite: { id: string; name: string },
  { files, isFor }: { files: OutputFiles; isFor(labels: string[] | undefined, prompt: string): boolean },
): { words: string; isInFolder: boolean } {
  const isSimple = layout.agent !== undefined && layout.connectors.length === 0;
  if (isSimple)
    return { words: `test ${prompts.map(({ file }) => `-i ${file}`).join(' ')}`, isInFolder: true };
  const tests: string[] = [];
  const taken = new Set([suite.id]);
  for (const { label, file } of prompts) {
    for (const { agent, prompts: labels, isModel } of layout.agents) {
      if (!isFor(labels, label)) continue;
      const parts = [
        prompts.length > 1 ? slug(label, 'prompt') : undefined,
        layout.agents.length > 1 ? agent : undefined,
      ];
      const id = freeName(parts.filter((part) => part !== undefined).join('-') || 'cases', taken);
      // The matrix of connectors is for the models.
      const fixed = !isModel && layout.connectors.length > 0;
      files.add(
        `tests/${id}.test.yml`,
        stringify({
          id,
          name: prompts.length > 1 ? `${label} (${agent})` : agent,
          type: 'agent-eval',
          agent,
          input: `../${file}`,
          ...(fixed && { variables: { variables: { AIConfiguration: { exposed: false } } } }),
        }),
      );
      tests.push(id);
    }
  }
  files.add(
    `tests/${suite.id}.suite.yml`,
    stringify({
      ...suite,
      tests,
      ...(layout.connectors.length > 0 && { matrix: { AIConfiguration: layout.connectors } }),
    }),
  );
  return { words: `suite ${suite.id}`, isInFolder: true };
}
