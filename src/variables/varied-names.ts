// Finds the names of a matrix that neither cases nor agents use: all their combinations would be the same attempt.

import { readFileSync } from 'node:fs';
import type { Problem } from '../errors.ts';
import { AGENT_AXIS, CONNECTOR_NAMES } from '../model/axis-names.ts';
import type { AgentDefinition } from '../model/agent.ts';
import { statsOf } from '../platform/file-stats.ts';
import { nearest } from '../text/nearest.ts';

/** An agent under test, with its files. */
type VariedAgent = {
  definition: AgentDefinition;
  files: readonly string[];
  /** Assay makes its model calls. */
  callsModel: boolean;
};

export type VariedNames = {
  /** Takes a case as its file has it. */
  takeCase(value: unknown): void;
  takeAgent(agent: VariedAgent): void;
  /** What is wrong, and what the user may not have meant; `declared` are the names of `vars` in cases. */
  result(declared: ReadonlySet<string>): { problems: Problem[]; notes: string[] };
};

/** What the model calls of an assistant use, whatever its prompts say. */
const OF_MODEL_CALLS: ReadonlySet<string> = new Set([...CONNECTOR_NAMES, 'MaxTokens', 'Temperature']);
const PLACEHOLDER = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
/** Longer files are no code that someone wrote. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Undefined if nothing varies. */
export function watchVariedNames(varied: readonly string[]): VariedNames | undefined {
  const names = new Set(varied.filter((name) => name !== AGENT_AXIS));
  if (names.size === 0) return undefined;
  const unused = new Set(names);
  const placeholders = new Set<string>();
  const agents = new Map<string, VariedAgent>();
  return {
    takeCase(value) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (!text.includes('{{')) return;
      for (const [, name = ''] of text.matchAll(PLACEHOLDER)) {
        unused.delete(name);
        placeholders.add(name);
      }
    },
    takeAgent(agent) {
      const { id } = agent.definition;
      if (agents.has(id)) return;
      agents.set(id, agent);
      for (const name of unused)
        if ((agent.callsModel && OF_MODEL_CALLS.has(name)) || mentions(agent, name)) unused.delete(name);
    },
    result(declared) {
      const left = [...unused].filter((name) => !declared.has(name));
      const others = [...new Set([...placeholders, ...declared, ...OF_MODEL_CALLS, AGENT_AXIS])];
      const known = others.filter((name) => !names.has(name));
      const isClosed = [...agents.values()].every(({ definition }) => definition.run.type === 'assistant');
      const problems: Problem[] = [];
      const notes: string[] = [];
      for (const name of left) {
        const near = nearest(name, known);
        const message = `neither the cases nor the agent use ${name}, so all its values would give the same answers`;
        const hint =
          near.length > 0 ? `did you mean ${near.join(', ')}?` : `write {{${name}}} in a case or a prompt`;
        if (near.length > 0 || isClosed) problems.push({ message, at: '--matrix', hint });
        else
          notes.push(
            `--matrix ${name}: no case has {{${name}}}, and no file of the agent mentions ${name}. It has an effect only if the agent reads ctx.variables.${name}.`,
          );
      }
      return { problems, notes };
    },
  };
}

/** True if the settings, prompts or files of an agent have the name. */
function mentions({ definition, files }: VariedAgent, name: string): boolean {
  // What the variables themselves have set proves nothing.
  const { chosen: _chosen, defaults: _defaults, forced_connector: _connector, ...own } = definition;
  const word = new RegExp(`\\b${name}\\b`);
  return word.test(JSON.stringify(own)) || files.some((file) => isWordIn(word, file));
}

function isWordIn(word: RegExp, file: string): boolean {
  const stats = statsOf(file);
  if (stats === undefined || !stats.isFile() || stats.size > MAX_BYTES) return false;
  try {
    return word.test(readFileSync(file, 'utf8'));
  } catch {
    // A file that cannot be read is reported where the agent is loaded.
    return false;
  }
}
