// `assay skills`: the skills of an application, and their tests.

import { findApplicationRoot } from '../../application/root.ts';
import { ConfigError } from '../../errors.ts';
import type { SkillSource } from '../../kinds/skill/skill-files.ts';
import { allSkills, nearestSkills, skillsRoot } from '../../kinds/skill/skill-files.ts';
import { EXIT } from '../../model/exit-code.ts';
import type { LastResult } from '../../kinds/skill/last-results.ts';
import { readLastResults } from '../../kinds/skill/last-results.ts';
import type { TestFlags } from '../../run/request.ts';
import type { Io } from '../../run/io.ts';
import { testCommand } from '../test.ts';
import { escapeControls } from '../../text/untrusted.ts';
import { programName } from '../../platform/how-started.ts';

/** A skill as the list and the picker show it. */
export type ListedSkill = SkillSource & { last?: LastResult };

/** Flags that only make sense when tests run. */
const RUNNING = [
  'output',
  'reporter',
  'runs',
  'run',
  'timeout',
  'parallel',
  'minPassRate',
  'failFast',
  'allowEmpty',
  'dryRun',
  'watch',
] as const satisfies (keyof TestFlags)[];

/** Lists, picks or runs; gives the exit code. */
export async function skillsCommand(
  words: readonly string[],
  { runner, ...flags }: TestFlags & { runner?: string },
  io: Io,
): Promise<number> {
  const [first, ...others] = words;
  if (first === 'new') {
    const { newSkillTests } = await import('./new.ts');
    return newSkillTests(others, await listSkills(io), { io, runner });
  }
  if (runner !== undefined)
    throw new ConfigError('--runner is only for a new test', {
      hint: `${programName()} skills new <skill> --runner ${runner}; a test file that exists is run by what it imports`,
    });
  if (first === 'list' && others.length === 0) return list(flags, io);
  if (first !== undefined) return testCommand({ ...flags, input: inputsOf(words) }, io);
  if (flags.failed !== undefined || flags.resume !== undefined) return testCommand(flags, io);
  const isInteractive = io.stdin.isTTY && io.stdout.isTTY && flags.json !== true;
  if (!isInteractive) {
    refuseRunning(flags);
    return list(flags, io);
  }
  const { pickSkills } = await import('./pick.ts');
  const picked = await pickSkills(await listSkills(io), io);
  if (picked === undefined) return EXIT.interrupted;
  return testCommand({ ...flags, input: picked.map(({ name }) => name) }, io);
}

/** Names and paths of test files as `-i` takes them. */
function inputsOf(words: readonly string[]): string[] {
  return words.map((word) => {
    if (word === 'all') return 'skills.*';
    return /\.tests?\.\w+$|^skills\./.test(word) ? word : `skills.${word}`;
  });
}

function refuseRunning(flags: TestFlags): void {
  const given = RUNNING.filter((flag) => flags[flag] !== undefined);
  if (given.length === 0) return;
  throw new ConfigError('say which skills to test', {
    hint: `${programName()} skills all runs the tests of all skills; without names, skills are only listed`,
  });
}

async function list(flags: TestFlags, io: Io): Promise<number> {
  const skills = await listSkills(io);
  const { skillList, skillsAsJson } = await import('./list.ts');
  io.stdout.write(flags.json === true ? skillsAsJson(skills) : skillList(skills, io));
  const untested = skills.filter(({ file }) => file === undefined).map(({ skill }) => skill);
  if (flags.requireTests !== true || untested.length === 0) return EXIT.passed;
  io.stderr.write(`without a test: ${escapeControls(untested.join(', '))}\n`);
  return EXIT.failed;
}

async function listSkills(io: Io): Promise<ListedSkill[]> {
  const root = findApplicationRoot(io.cwd, nearestSkills(io.cwd));
  const place = skillsRoot({ root, cwd: io.cwd });
  const warn = (text: string): void => void io.stderr.write(`${escapeControls(text)}\n`);
  const skills = await allSkills({ place, cwd: io.cwd, warn });
  const last = readLastResults(root);
  return skills.map((skill) => Object.assign(skill, lastOf(skill, last)));
}

function lastOf({ skill }: SkillSource, results: ReadonlyMap<string, LastResult>): { last?: LastResult } {
  const last = results.get(skill);
  return last === undefined ? {} : { last };
}
