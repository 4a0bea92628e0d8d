// A function or an agent of a framework in a TypeScript file.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isFile } from '../../platform/file-stats.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import type { AgentType } from '../agent-type.ts';
import { FRAMEWORK_PACKAGES, isFramework } from '../agent-type.ts';
import type { Starter, StarterOptions } from '../starter.ts';
import { CASE_FILE, openCases, starterCases } from '../starter.ts';
import { AGENT_SOURCES } from './agent-sources.ts';

/** Where someone may have an agent already. */
const USUAL_FILES = ['agent.ts', 'agent.mts', 'agent.js', 'agent.mjs', 'src/agent.ts', 'src/agent.js'];
const OTHER_FILE = 'example-agent.ts';

/** The agent of the user, else one to start from. */
export function moduleStarter(type: AgentType, { project, target }: StarterOptions): Starter {
  const { folder } = project;
  const found = target ?? USUAL_FILES.find((name) => isAgentFile(join(folder, name)));
  if (found !== undefined) return existing(type, found, folder);

  const file = isFile(join(folder, 'agent.ts')) ? OTHER_FILE : 'agent.ts';
  const source = AGENT_SOURCES[isFramework(type) ? type : 'function'];
  return {
    type,
    files: { [file]: source(project.packages) },
    name: `./${file}`,
    input: CASE_FILE,
    cases: starterCases(`Change ${file}, or "name" in assay.config.ts, so that your agent answers.`),
    notes: isFramework(type) ? missingPackages(type, folder) : [],
  };
}

/** A file with a default export is taken for an agent. */
function isAgentFile(file: string): boolean {
  if (!isFile(file)) return false;
  return /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(readFileSync(file, 'utf8'));
}

function existing(type: AgentType, target: string, folder: string): Starter {
  const file = join(folder, target);
  if (!isFile(file)) {
    const hint = didYouMeanFile(file, folder);
    throw new ConfigError(`there is no file "${target}"`, hint === undefined ? {} : { hint });
  }
  if (!/^\.[cm]?[jt]sx?$/.test(extname(target)))
    throw new ConfigError(`"${target}" is neither TypeScript nor JavaScript`);
  const isDotted = /^\.{0,2}[/\\]/.test(target);
  return {
    type,
    files: {},
    name: isDotted ? target : `./${target}`,
    input: CASE_FILE,
    cases: openCases(),
    notes: [`${target} is the agent: its default export answers.`],
  };
}

function missingPackages(type: keyof typeof FRAMEWORK_PACKAGES, folder: string): string[] {
  const needed = FRAMEWORK_PACKAGES[type];
  const isInstalled = isFile(join(folder, 'node_modules', needed, 'package.json'));
  return isInstalled ? [] : [`The agent needs the package ${needed}: npm install ${needed}`];
}
