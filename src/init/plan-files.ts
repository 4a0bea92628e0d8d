// A choice comes in; the files to write, and those that stay as they are, go out. Nothing is written here.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../json/text-file.ts';
import type { Choice } from './choose.ts';
import { configText } from './config-text.ts';
import { addLines, addSchemas, addScript } from './edits.ts';
import type { Project } from './project.ts';
import type { Starter } from './starter.ts';
import { assistantStarter } from './starters/assistant.ts';
import { httpStarter } from './starters/http.ts';
import { moduleStarter } from './starters/module.ts';
import { pythonStarter } from './starters/python.ts';
import { workflowText } from './workflow.ts';

/** A file, by its path below the folder, with its new text. `before` is what the file has now. */
export type PlannedFile = { path: string; text: string; before?: string };

export type InitPlan = {
  starter: Starter;
  files: PlannedFile[];
  /** Files that are there and stay as they are. */
  kept: string[];
  /** The command that runs the new cases, without the program. */
  command: string;
  notes: string[];
};

const SCRIPT = 'test:agent';
/** The state of Assay, and the logs of runs. */
const IGNORED = ['.assay/', 'output-*.jsonl'];

/** Throws ConfigError, before anything is written, if a file that is there cannot be read. */
export async function planFiles(choice: Choice, project: Project): Promise<InitPlan> {
  const starter = makeStarter(choice, project);
  const plan: InitPlan = { starter, files: [], kept: [], command: 'test', notes: [...starter.notes] };
  const { folder } = project;
  for (const [path, text] of Object.entries({ ...starter.files, [starter.input]: starter.cases }))
    create(plan, folder, path, text);
  planConfig(plan, project);

  await edit(plan, folder, '.gitignore', (text) => addLines(text, IGNORED));
  if (project.manifest === undefined)
    plan.notes.push(`There is no package.json, so there is no script "${SCRIPT}".`);
  else await planScript(plan, project);
  await edit(plan, folder, '.vscode/settings.json', (text) => addSchemas(text, '.vscode/settings.json'));

  if (choice.workflow) {
    const above = project.belowGit.replaceAll(/[^/]+/g, '..');
    const path = join(above, '.github/workflows/assay.yml');
    create(plan, folder, path, workflowText(choice.type, { project, command: plan.command }));
  }
  if (project.manifest !== undefined && !Object.hasOwn(project.packages, 'assay'))
    plan.notes.push(`package.json does not name assay: ${ADD[project.manager]} assay`);
  return plan;
}

const ADD: { [Manager in Project['manager']]: string } = {
  bun: 'bun add --dev',
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
};

function makeStarter({ type, target }: Choice, project: Project): Starter {
  const options = { project, target };
  switch (type) {
    case 'assistant':
      return assistantStarter(options);
    case 'http':
      return httpStarter(options);
    case 'python':
      return pythonStarter(options);
    case 'ai-sdk':
    case 'function':
    case 'langgraph':
    case 'mastra':
    case 'openai-agents':
      return moduleStarter(type, options);
  }
}

/** An application has one configuration. If it is another one, the command names the input and the agent. */
function planConfig(plan: InitPlan, { configs: [config], folder }: Project): void {
  const { starter } = plan;
  const text = configText(starter);
  if (config === undefined) {
    plan.files.push({ path: 'assay.config.ts', text });
    return;
  }
  plan.kept.push(config);
  if (readTextFile(join(folder, config), config) === text) return;
  const { input, name, beforeAll } = starter;
  const words = ['-i', input, ...(name === undefined ? [] : ['-n', name])];
  if (beforeAll !== undefined) words.push('--before-all', beforeAll);
  plan.command = ['test', ...words.map(quoteWord)].join(' ');
}

/** A word as a shell takes it. */
function quoteWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

async function planScript(plan: InitPlan, { folder }: Project): Promise<void> {
  const before = plan.kept.length;
  await edit(plan, folder, 'package.json', (text) => addScript(text, SCRIPT, `assay ${plan.command}`));
  if (plan.kept.length > before)
    plan.notes.push(`package.json has a script "${SCRIPT}" already; it stays as it is.`);
}

function create(plan: InitPlan, folder: string, path: string, text: string): void {
  if (existsSync(join(folder, path))) plan.kept.push(path);
  else plan.files.push({ path, text });
}

async function edit(
  plan: InitPlan,
  folder: string,
  path: string,
  change: (text: string) => string | Promise<string>,
): Promise<void> {
  const file = join(folder, path);
  const before = existsSync(file) ? readTextFile(file, path) : undefined;
  const text = await change(before ?? '');
  if (text === before) plan.kept.push(path);
  else plan.files.push({ path, text, ...(before !== undefined && { before }) });
}
