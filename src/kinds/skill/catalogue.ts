// Finds the skills in the folders of an application, sorted by name.

import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ConfigError, describeProblem, messageOf } from '../../errors.ts';
import { readTextFile } from '../../json/text-file.ts';
import { displayPath } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { readFrontMatter } from './front-matter.ts';
import type { SkillFolder } from './skill-folders.ts';
import { descriptorType, findSkillFolders } from './skill-folders.ts';
import { findTestFile, isSafeShortName } from './test-file.ts';
import type { DiscoverOptions, SkillRecord, SkillTest } from './types.ts';

/** A skill of an application. */
export type KnownSkill = SkillRecord & {
  /** Where its test is searched; a new one is written to the first. */
  testFolders: string[];
};

type Warn = (message: string) => void;

/**
 * Finds the skills below `root`. The first skill with a name keeps it, a further one is listed with its folder. A broken
 * descriptor causes a warning, and the skill is used as far as possible.
 */
export async function findSkills(
  root: string,
  { warn = console.warn }: DiscoverOptions = {},
): Promise<KnownSkill[]> {
  const skills = new Map<string, KnownSkill>();
  const claimed = new Set<string>();
  for (const found of findSkillFolders(root, warn)) {
    const skill = await readSkill(found, { root, warn });
    const known = skills.get(skill.name);
    if (known !== undefined && realpathSync(known.skillDir) === realpathSync(skill.skillDir)) continue;
    const name = known === undefined ? skill.name : `${skill.name} (${displayPath(skill.skillDir, root)})`;
    if (skills.has(name)) continue;
    for (const note of notesOn(found, name, { known, root })) warn(note);
    skills.set(name, { ...skill, name, testFolders: claimTests(skill, found.owner, { root, claimed }) });
  }
  return [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** True if the folders of skills below `root` have at least one skill. */
export function hasSkills(root: string): boolean {
  return findSkillFolders(root, () => undefined).next().done !== true;
}

/** The test of a skill: in `tests` of the plugin or the application, or else in `tests` of its own folder. */
export function testOfSkill({
  name,
  shortName,
  type,
  skillDir,
  testFolders,
}: KnownSkill): SkillTest | undefined {
  if (!isSafeShortName(shortName)) return undefined;
  const testFile = findTestFile(shortName, testFolders);
  return testFile === undefined
    ? undefined
    : { skillName: name, shortName, skillType: type, testFile, skillDir };
}

function notesOn(
  { skillDir, filePath, others }: SkillFolder,
  name: string,
  { known, root }: { known: SkillRecord | undefined; root: string },
): string[] {
  const shown = displayPath(filePath, root);
  const doubled =
    known === undefined
      ? []
      : [
          `${shown} is listed as ${quote(name)}: ${displayPath(known.filePath, root)} has the same name ${quote(known.name)}`,
        ];
  const ignored = others.map(
    (file) => `${displayPath(file, root)} is left out: ${shown} describes ${displayPath(skillDir, root)}`,
  );
  return [...doubled, ...ignored];
}

/** A test outside the folder of a skill belongs to the first skill with that short name. */
function claimTests(
  { shortName, skillDir }: SkillRecord,
  owner: string,
  { root, claimed }: { root: string; claimed: Set<string> },
): string[] {
  const shared = [...new Set([owner, root])].map((folder) => join(folder, 'tests'));
  const free = shared.filter((folder) => !claimed.has(join(folder, shortName)));
  for (const folder of free) claimed.add(join(folder, shortName));
  return [...free, join(skillDir, 'tests')];
}

async function readSkill(
  { skillDir, filePath }: SkillFolder,
  { root, warn }: { root: string; warn: Warn },
): Promise<SkillRecord> {
  const shortName = basename(skillDir);
  const { name, description } = await readFields(filePath, displayPath(filePath, root), warn);
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : shortName,
    shortName,
    type: descriptorType(basename(filePath)),
    skillDir,
    filePath,
    ...(typeof description === 'string' && { description: description.trim() }),
  };
}

async function readFields(descriptor: string, shown: string, warn: Warn): Promise<Record<string, unknown>> {
  try {
    return await readFrontMatter(readTextFile(descriptor, shown), shown);
  } catch (error) {
    warn(error instanceof ConfigError ? describeProblem(error) : `${shown}: ${messageOf(error)}`);
    return {};
  }
}
