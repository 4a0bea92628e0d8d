// Finds the test files of an agent's skills.

import { join, resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import { quote } from '../../text/quote.ts';
import { findTestFile, isSafeShortName } from './test-file.ts';
import type { DiscoverOptions, SkillTest } from './types.ts';

type Skill = { name: string; shortName: string; type: string; skillDir?: string };

/**
 * Finds the test of every skill of an agent that has one: `tests/{shortName}.tests.mjs`, `.tests.js` or `.tests.ts` below the
 * agent's folder. An agent is anything with a `skillCatalog` or a function `getSkills`.
 */
export function discoverSkillTests(agent: unknown, options: DiscoverOptions = {}): SkillTest[] {
  return findTests(agent, (skills) => skills, options);
}

/** Finds the test of one skill, by its full name or its short name; null if it has none. */
export function discoverSkillTest(
  agent: unknown,
  skillName: string,
  options: DiscoverOptions = {},
): SkillTest | null {
  const pick = (skills: Skill[]): Skill[] => [
    ...skills.filter(({ name }) => name === skillName),
    ...skills.filter(({ name, shortName }) => name !== skillName && shortName === skillName),
  ];
  return findTests(agent, pick, options)[0] ?? null;
}

function findTests(
  agent: unknown,
  pick: (skills: Skill[]) => Skill[],
  { warn = console.warn }: DiscoverOptions,
): SkillTest[] {
  try {
    const folder = join(startFolder(agent), 'tests');
    return pick(readSkills(agent)).flatMap((skill) => findTest(skill, folder, warn));
  } catch (error) {
    // A getter or an iterator of the agent threw.
    warn(`the skills of the agent cannot be read: ${messageOf(error)}`);
    return [];
  }
}

function findTest(skill: Skill, testFolder: string, warn: (message: string) => void): SkillTest[] {
  const { name, shortName, type, skillDir } = skill;
  if (!isSafeShortName(shortName)) {
    warn(`skill ${quote(name)} is left out: its short name ${quote(shortName)} cannot name a test file`);
    return [];
  }
  const testFile = findTestFile(shortName, [testFolder]);
  if (testFile === undefined) return [];
  const folder = skillDir === undefined ? {} : { skillDir };
  return [{ skillName: name, shortName, skillType: type, testFile, ...folder }];
}

function startFolder(agent: unknown): string {
  const folder =
    readText(readField(agent, 'context'), 'workingDir') ??
    readText(readField(agent, 'options'), 'startDir') ??
    readText(agent, 'startDir');
  return resolve(folder ?? process.cwd());
}

function readSkills(agent: unknown): Skill[] {
  const catalogue = readField(agent, 'skillCatalog');
  if (typeof catalogue === 'object' && catalogue !== null) return listEntries(catalogue).flatMap(toSkill);
  const getSkills = readField(agent, 'getSkills');
  if (typeof getSkills !== 'function') return [];
  const skills: unknown = Reflect.apply(getSkills, agent, []);
  return typeof skills === 'object' && skills !== null ? listEntries(skills).flatMap(toSkill) : [];
}

/** Accepts a Map, a list of entries or skills, or an object with a skill for every name. */
function listEntries(catalogue: object): unknown[] {
  return Symbol.iterator in catalogue ? [...(catalogue as Iterable<unknown>)] : Object.entries(catalogue);
}

/** Reads a skill, or a pair of a name and a skill; empty for anything else. */
function toSkill(entry: unknown): Skill[] {
  const [key, skill]: unknown[] = Array.isArray(entry) ? entry : [undefined, entry];
  const name = typeof key === 'string' ? key : (readText(skill, 'name') ?? readText(skill, 'shortName'));
  if (name === undefined) return [];
  const skillDir = readText(skill, 'skillDir');
  return [
    {
      name,
      shortName: readText(skill, 'shortName') ?? name,
      type: readText(skill, 'type') ?? 'unknown',
      ...(skillDir !== undefined && { skillDir }),
    },
  ];
}

function readField(value: unknown, name: string): unknown {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder ? (Reflect.get(value, name) as unknown) : undefined;
}

/** A property that is a non-empty string. */
function readText(value: unknown, name: string): string | undefined {
  const text = readField(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
