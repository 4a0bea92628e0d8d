// `skills.pricing` in, the tests of the skills it means out. Nothing is run.

import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import { displayPath, isInside } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { isFolder } from '../../platform/file-stats.ts';
import { matchesWildcard } from '../../text/wildcard.ts';
import type { KnownSkill } from './catalogue.ts';
import { findSkills, hasSkills, testOfSkill } from './catalogue.ts';
import { isSafeShortName, TEST_FILE } from './test-file.ts';
import { programName } from '../../platform/how-started.ts';

/** A skill that was found, with its test if it has one. */
export type SkillSource = {
  type: 'skill';
  /** As it was typed. */
  input: string;
  /** `skills.pricing`: what the test is called everywhere. */
  name: string;
  skill: string;
  shortName: string;
  skillType: string;
  /** Absolute; none if the skill has no test. */
  file?: string;
  /** As people know it: `tests/pricing.tests.mjs`. */
  path?: string;
  skillDir?: string;
  /** The folder for a new test. */
  testFolder?: string;
  /** The folder that the skills were found in. */
  place: string;
};

type NamedSkill = Pick<SkillSource, 'shortName' | 'skill'>;

const LISTED = 10;
/** A name that only tests of skills have; `.test.ts` files may belong to the application. */
const SKILL_TEST = /\.tests\.m?[jt]s$/;

export type SkillsOptions = {
  /** The application root, and the folder the user is in. */
  root: string;
  cwd: string;
  /** The test file itself, if that is what was named. */
  file?: string | undefined;
  /** Untested skills are wanted although they were named. */
  requireTests: boolean;
  warn: (message: string) => void;
};

/** The nearest folder from the user's up to the application root that has skills. */
export function skillsRoot({ root, cwd }: { root: string; cwd: string }): string {
  if (!isInside(root, cwd)) return root;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (hasSkills(folder)) return folder;
    if (folder === root) return root;
  }
}

/** The nearest folder from `cwd` upward that has skills, inside the same repository and below the home folder; else `cwd`. */
export function nearestSkills(cwd: string): string {
  for (let folder = cwd; folder !== homedir(); folder = dirname(folder)) {
    if (hasSkills(folder)) return folder;
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) break;
  }
  return cwd;
}

/** Lists all skills below a folder; throws ConfigError if the folder has no skill. */
export async function allSkills({
  place,
  cwd,
  warn,
}: {
  place: string;
  cwd: string;
  warn: (message: string) => void;
}): Promise<SkillSource[]> {
  const skills = await skillsIn(place, 'skills.*', warn);
  for (const note of strayTests(skills, place)) warn(note);
  if (skills.length === 0) throw noSkills('skills.*', place, cwd);
  return skills;
}

/** Finds the skills that one value of `-i` means, sorted. Throws ConfigError with what there is instead. */
export async function findSkillTests(input: string, options: SkillsOptions): Promise<SkillSource[]> {
  const place = skillsRoot(options);
  const skills = await skillsIn(place, input, options.warn);
  const { file } = options;
  if (file !== undefined) return [skills.find((skill) => skill.file === file) ?? alone(file, input, place)];
  const wanted = input.slice('skills.'.length);
  if (skills.length === 0) throw noSkills(input, place, options.cwd);
  const meant = matchSkills(skills, wanted);
  if (meant.length === 0) throw unknownSkill(wanted, skills);
  if (!options.requireTests) refuseUntested(meant, wanted);
  for (const note of strayTests(wanted === '*' ? skills : meant, place, wanted === '*')) options.warn(note);
  return meant;
}

/** A folder whose name could lead elsewhere names no test file. */
async function skillsIn(
  place: string,
  input: string,
  warn: (message: string) => void,
): Promise<SkillSource[]> {
  const skills = await findSkills(place, { warn });
  for (const { name, shortName } of skills) {
    if (!isSafeShortName(shortName))
      warn(`skill ${quote(name)} is untested: its short name ${quote(shortName)} cannot name a test file`);
  }
  const sources = skills.map((skill) => sourceOf(skill, input, place));
  const tested = new Map(sources.filter(({ file }) => file !== undefined).map((one) => [one.shortName, one]));
  for (const { skill, shortName, file } of sources) {
    const other = tested.get(shortName);
    if (file === undefined && other?.path !== undefined)
      warn(`skill ${quote(skill)} is untested: ${other.path} is the test of ${quote(other.skill)}`);
  }
  return sources;
}

/** By its full name, or else by its short name; `*` stands for any text. */
export function matchSkills<S extends NamedSkill>(skills: readonly S[], wanted: string): S[] {
  if (wanted.includes('*'))
    return skills.filter(
      (one) => matchesWildcard(wanted, one.skill) || matchesWildcard(wanted, one.shortName),
    );
  const byName = skills.filter(({ skill }) => skill === wanted);
  return byName.length > 0 ? byName : skills.filter(({ shortName }) => shortName === wanted);
}

/** Who names a skill wants it tested; of all skills some may have no test, but not every one. */
function refuseUntested(meant: readonly SkillSource[], wanted: string): void {
  if (meant.some(({ file }) => file !== undefined)) return;
  const [first] = meant;
  if (first === undefined) return;
  const message = wanted.includes('*')
    ? `no skill has a test: ${meant.map(({ skill }) => skill).join(', ')}`
    : `skill ${quote(first.skill)} has no test`;
  throw new ConfigError(message, {
    hint: `${programName()} skills new ${typed(first.shortName)} writes one to start from`,
  });
}

function sourceOf(skill: KnownSkill, input: string, root: string): SkillSource {
  const { name, shortName, type, skillDir, testFolders } = skill;
  const test = testOfSkill(skill);
  return {
    type: 'skill',
    input,
    name: `skills.${name}`,
    skill: name,
    shortName,
    skillType: type,
    skillDir,
    testFolder: testFolders[0],
    place: root,
    ...(test !== undefined && { file: test.testFile, path: displayPath(test.testFile, root) }),
  };
}

/** A test file that belongs to no skill that is known. */
function alone(file: string, input: string, root: string): SkillSource {
  const shortName = basename(file).replace(TEST_FILE, '');
  const path = displayPath(file, root);
  return {
    type: 'skill',
    input,
    name: `skills.${shortName}`,
    skill: shortName,
    shortName,
    skillType: 'unknown',
    file,
    path,
    place: root,
  };
}

export function noSkills(input: string, place: string, cwd: string): ConfigError {
  return new ConfigError(`there are no skills below ${displayPath(place, cwd)}`, {
    ...(input !== 'skills.*' && { at: input }),
    hint: 'a skill is a folder with a SKILL.md, or a descriptor like cskill.md, in skills/, in .claude/skills/, .agents/skills/ or .github/skills/, or in plugins/*/skills/',
  });
}

export function unknownSkill(wanted: string, skills: readonly NamedSkill[]): ConfigError {
  const names = skills.map(({ skill }) => skill);
  const near = nearest(wanted, [...new Set([...names, ...skills.map(({ shortName }) => shortName)])]);
  if (near.length > 0)
    return new ConfigError(`no skill ${quote(wanted)}`, { hint: `did you mean ${near.join(', ')}?` });
  const more = names.length > LISTED ? ` and ${String(names.length - LISTED)} more` : '';
  return new ConfigError(`no skill ${quote(wanted)}`, {
    hint: `there is ${names.slice(0, LISTED).join(', ')}${more}`,
  });
}

/** A name as it is typed in a shell. */
export function typed(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Test files that do not run: a second one of a skill, and, if all skills are selected, those without a skill. */
function strayTests(skills: readonly SkillSource[], place: string, isAll = true): string[] {
  const used = new Map(skills.map((skill) => [skill.shortName, skill]));
  const files = new Set(skills.map(({ file }) => file));
  return namesIn(join(place, 'tests')).flatMap((name) => {
    const file = join(place, 'tests', name);
    if (!TEST_FILE.test(name) || files.has(file)) return [];
    const skill = used.get(name.replace(TEST_FILE, ''));
    if (skill?.path !== undefined)
      return [`${displayPath(file, place)} is left out: ${skill.path} is the test of ${quote(skill.skill)}`];
    return isAll && SKILL_TEST.test(name)
      ? [`${displayPath(file, place)} is left out: it belongs to no skill`]
      : [];
  });
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : [];
}
