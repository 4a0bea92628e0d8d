// The tests of an agent's skills: an agent comes in, the test files that exist go out.

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
  return testsOf(agent, (skills) => skills, options);
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
  return testsOf(agent, pick, options)[0] ?? null;
}

function testsOf(
  agent: unknown,
  pick: (skills: Skill[]) => Skill[],
  { warn = console.warn }: DiscoverOptions,
): SkillTest[] {
  try {
    const folder = join(startFolder(agent), 'tests');
    return pick(skillsOf(agent)).flatMap((skill) => testOf(skill, folder, warn));
  } catch (error) {
    // A getter or an iterator of the agent threw.
    warn(`the skills of the agent cannot be read: ${messageOf(error)}`);
    return [];
  }
}

function testOf(skill: Skill, folder: string, warn: (message: string) => void): SkillTest[] {
  const { name, shortName, type, skillDir } = skill;
  if (!isSafeShortName(shortName)) {
    warn(`skill ${quote(name)} is left out: its short name ${quote(shortName)} cannot name a test file`);
    return [];
  }
  const testFile = findTestFile(shortName, [folder]);
  if (testFile === undefined) return [];
  const place = skillDir === undefined ? {} : { skillDir };
  return [{ skillName: name, shortName, skillType: type, testFile, ...place }];
}

function startFolder(agent: unknown): string {
  const folder =
    textOf(fieldOf(agent, 'context'), 'workingDir') ??
    textOf(fieldOf(agent, 'options'), 'startDir') ??
    textOf(agent, 'startDir');
  return resolve(folder ?? process.cwd());
}

function skillsOf(agent: unknown): Skill[] {
  const catalogue = fieldOf(agent, 'skillCatalog');
  if (typeof catalogue === 'object' && catalogue !== null) return entriesOf(catalogue).flatMap(toSkill);
  const getSkills = fieldOf(agent, 'getSkills');
  if (typeof getSkills !== 'function') return [];
  const skills: unknown = Reflect.apply(getSkills, agent, []);
  return typeof skills === 'object' && skills !== null ? entriesOf(skills).flatMap(toSkill) : [];
}

/** A Map, a list of entries or records, or an object with a record for every name. */
function entriesOf(catalogue: object): unknown[] {
  return Symbol.iterator in catalogue ? [...(catalogue as Iterable<unknown>)] : Object.entries(catalogue);
}

/** Nothing for what is neither a record nor a name with a record. */
function toSkill(entry: unknown): Skill[] {
  const [key, record]: unknown[] = Array.isArray(entry) ? entry : [undefined, entry];
  const name = typeof key === 'string' ? key : (textOf(record, 'name') ?? textOf(record, 'shortName'));
  if (name === undefined) return [];
  const skillDir = textOf(record, 'skillDir');
  return [
    {
      name,
      shortName: textOf(record, 'shortName') ?? name,
      type: textOf(record, 'type') ?? 'unknown',
      ...(skillDir !== undefined && { skillDir }),
    },
  ];
}

function fieldOf(value: unknown, name: string): unknown {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder ? (Reflect.get(value, name) as unknown) : undefined;
}

/** A text that says something. */
function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
