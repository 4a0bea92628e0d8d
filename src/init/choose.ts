// What the agent is: from flags, from questions on a terminal, or from what is in the folder.

import { ConfigError } from '../errors.ts';
import { readPythonReference } from '../scripts/python-reference.ts';
import { didYouMean } from '../text/nearest.ts';
import { isScriptName } from '../agents/resolve/package-run.ts';
import type { AgentType } from './agent-type.ts';
import { AGENT_TYPES, isAgentType } from './agent-type.ts';
import type { Project } from './project.ts';

export type InitFlags = { agent?: string; workflow?: boolean };

/** The answers to all questions. */
export type Choice = { type: AgentType; target?: string | undefined; workflow: boolean };

/** Chooses without a question: what is said, else what the folder looks like. */
export function chooseByFolder(flags: InitFlags, target: string | undefined, project: Project): Choice {
  const type = readType(flags.agent) ?? (target === undefined ? guessType(project) : typeOf(target, project));
  return { type, target, workflow: flags.workflow === true };
}

/** The value of `--agent`. */
export function readType(text: string | undefined): AgentType | undefined {
  if (text === undefined || isAgentType(text)) return text;
  const types = Object.keys(AGENT_TYPES);
  const similar = didYouMean(text, types);
  throw new ConfigError(`--agent: there is no "${text}"`, {
    hint: `${similar === undefined ? '' : `${similar} `}It is one of ${types.join(', ')}`,
  });
}

/** The type of an agent that the user names. */
export function typeOf(target: string, { frameworks: [framework] }: Project): AgentType {
  if (/^https?:\/\//i.test(target)) return 'http';
  if (readPythonReference(target) !== undefined) return 'python';
  if (isScriptName(target)) return framework ?? 'function';
  return 'assistant';
}

/** The first type that has something in the folder. */
export function guessType({ frameworks: [framework], assistants, isPython, manifest }: Project): AgentType {
  if (assistants.length > 0) return 'assistant';
  if (framework !== undefined) return framework;
  return isPython && (manifest === undefined || !hasCode(manifest.value)) ? 'python' : 'function';
}

/** A package.json that only installs Assay beside Python code has no code of its own. */
function hasCode(manifest: Record<string, unknown>): boolean {
  return ['main', 'exports', 'bin', 'module', 'dependencies'].some((key) => manifest[key] !== undefined);
}
