// Finds the skills in the folders of an application, sorted by name.

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ConfigError, describeProblem, messageOf } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { readFrontMatter } from './front-matter.ts';
import { isFile } from '../../platform/file-stats.ts';
import { findTestFile, isSafeShortName } from './test-file.ts';
import type { DiscoverOptions, SkillTest } from './types.ts';

/** A skill with the data of its folder. */
export type SkillRecord = {
  name: string;
  /** The name of its folder and of its test file. */
  shortName: string;
  /** The kind of its descriptor: `skill` for SKILL.md, `cskill` for cskill.md. */
  type: string;
  skillDir: string;
  descriptor: string;
  description?: string;
};

/** Folders with skills, and the file name of their descriptors. The first skill with a name keeps it. */
const SKILL_FOLDERS = [
  { folder: 'skills', descriptor: /^SKILL\.md$/ },
  { folder: join('.claude', 'skills'), descriptor: /^SKILL\.md$/ },
  { folder: '.AchillesSkills', descriptor: /^[a-z]*skill\.md$/i },
];

/** Finds the skills below `root`. A broken descriptor causes a warning, and the skill is used as far as possible. */
export async function findSkills(
  root: string,
  { warn = console.warn }: DiscoverOptions = {},
): Promise<SkillRecord[]> {
  const skills = new Map<string, SkillRecord>();
  for (const { skillDir, descriptor } of SKILL_FOLDERS.flatMap((parent) => findDescriptors(root, parent))) {
    const skill = await readSkill(skillDir, descriptor, { root, warn });
    const known = skills.get(skill.name);
    if (known === undefined) skills.set(skill.name, skill);
    else if (realpathSync(known.skillDir) !== realpathSync(skillDir)) {
      const name = `${skill.name} (${displayPath(skillDir, root)})`;
      warn(
        `${displayPath(descriptor, root)} is listed as ${quote(name)}: ${displayPath(known.descriptor, root)} has the same name ${quote(skill.name)}`,
      );
      skills.set(name, { ...skill, name });
    }
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** True if the folders of skills below `root` have at least one skill. */
export function hasSkills(root: string): boolean {
  return SKILL_FOLDERS.some((parent) => findDescriptors(root, parent).length > 0);
}

/** The test of a skill: in `tests` below the root, or else in `tests` of its own folder. */
export function testOfSkill(skill: SkillRecord, root: string): SkillTest | undefined {
  const { name, shortName, type, skillDir } = skill;
  if (!isSafeShortName(shortName)) return undefined;
  const testFile = findTestFile(shortName, [join(root, 'tests'), join(skillDir, 'tests')]);
  return testFile === undefined
    ? undefined
    : { skillName: name, shortName, skillType: type, testFile, skillDir };
}

function findDescriptors(
  root: string,
  parent: (typeof SKILL_FOLDERS)[number],
): { skillDir: string; descriptor: string }[] {
  const folder = join(root, parent.folder);
  return listFolder(folder).flatMap((name) => {
    const skillDir = join(folder, name);
    const descriptor = listFolder(skillDir).find(
      (file) => parent.descriptor.test(file) && isFile(join(skillDir, file)),
    );
    return descriptor === undefined ? [] : [{ skillDir, descriptor: join(skillDir, descriptor) }];
  });
}

/** Empty if it is not a readable folder. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

async function readSkill(
  skillDir: string,
  descriptor: string,
  { root, warn }: { root: string; warn: (message: string) => void },
): Promise<SkillRecord> {
  const shortName = basename(skillDir);
  const type = basename(descriptor, '.md').toLowerCase();
  const { name, description } = await readFields(descriptor, displayPath(descriptor, root), warn);
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : shortName,
    shortName,
    type,
    skillDir,
    descriptor,
    ...(typeof description === 'string' && { description: description.trim() }),
  };
}

async function readFields(
  descriptor: string,
  shown: string,
  warn: (message: string) => void,
): Promise<Record<string, unknown>> {
  try {
    return await readFrontMatter(readFileSync(descriptor, 'utf8'), shown);
  } catch (error) {
    warn(error instanceof ConfigError ? describeProblem(error) : `${shown}: ${messageOf(error)}`);
    return {};
  }
}
