// `assay init`: writes a first agent, its cases and the files around them; never over a file that is there.

import { ConfigError } from '../../errors.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import type { Choice } from '../../init/choose.ts';
import { chooseByFolder } from '../../init/choose.ts';
import type { InitPlan } from '../../init/plan-files.ts';
import { planFiles } from '../../init/plan-files.ts';
import type { Project } from '../../init/project.ts';
import { readProject } from '../../init/project.ts';
import { writeFiles } from '../../init/write-files.ts';
import { EXIT } from '../../model/exit-code.ts';
import { programName } from '../../platform/how-started.ts';
import type { Io } from '../../run/io.ts';
import { oneLine } from '../../text/untrusted.ts';

/** Asks on a terminal; without one, and with `--yes` or `--json`, it decides by what is in the folder. */
export async function initCommand(
  target: string | undefined,
  flags: FlagsOf<'init'>,
  io: Io,
): Promise<number> {
  if (target?.trim() === '')
    throw new ConfigError('the agent is empty', { hint: 'name it, or leave it out' });
  const project = await readProject(io.cwd);
  const choice = await choose(target, flags, project, io);
  if (choice === undefined) return EXIT.interrupted;

  const plan = await planFiles(choice, project);
  writeFiles(plan.files, io.cwd);
  io.stdout.write(flags.json === true ? asJson(plan) : asText(plan));
  return EXIT.passed;
}

async function choose(
  target: string | undefined,
  flags: FlagsOf<'init'>,
  project: Project,
  io: Io,
): Promise<Choice | undefined> {
  const isAsking = io.stdin.isTTY && io.stdout.isTTY && flags.yes !== true && flags.json !== true;
  if (!isAsking) return chooseByFolder(flags, target, project);
  const { ask } = await import('../../init/ask.ts');
  return ask(flags, target, { project, io });
}

function asText({ files, kept, notes, command }: InitPlan): string {
  const lines = [
    ...files.map(({ path, before }) => `  ${before === undefined ? 'wrote  ' : 'changed'}  ${oneLine(path)}`),
    ...kept.map((path) => `  kept     ${oneLine(path)}`),
  ];
  const told = notes.map((note) => `${oneLine(note)}\n`).join('');
  return `${lines.join('\n')}\n\n${told === '' ? '' : `${told}\n`}Next: ${programName()} ${command}\n`;
}

function asJson({ files, kept, notes, command, starter }: InitPlan): string {
  const paths = (isNew: boolean): string[] =>
    files.filter(({ before }) => (before === undefined) === isNew).map(({ path }) => path);
  const report = {
    agent: starter.type,
    name: starter.name ?? null,
    input: starter.input,
    written: paths(true),
    changed: paths(false),
    kept,
    notes,
    command: `${programName()} ${command}`,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
