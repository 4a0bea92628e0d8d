// Finds the test files of an agent's skills.

import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import { quote } from '../../text/quote.ts';
import { checkDiscoverOptions } from './check-options.ts';
import { findTestFile, isSafeShortName, listTestNames } from './test-file.ts';
import type { DiscoverOptions, SkillTest } from './types.ts';

type Skill = { name: string; shortName: string; type: string; skillDir?: string };

/** Functions of agents that return a skill for a name. */
const LOOKUPS = ['findSkillFile', 'getSkillRecord'];

/**
 * Finds the test of every skill of an agent that has one: `tests/{shortName}.tests.mjs`, `.tests.js` or `.tests.ts` below the
 * agent's folder. An agent is anything with a `skillCatalog` or a function `getSkills`. An agent that only has a function
 * `findSkillFile` or `getSkillRecord` is asked for the name of each test file.
 */
export function discoverSkillTests(agent: unknown, options: DiscoverOptions = {}): SkillTest[] {
  return findTests(agent, options, (folder) => {
    const listed = listSkills(agent);
    if (listed !== undefined) return listed;
    return uniqueSkills(listTestNames(folder).flatMap((name) => lookUpSkill(agent, name)));
  });
}

/** Finds the test of one skill, by its full name, its short name, or a name that the agent knows; null if it has none. */
export function discoverSkillTest(
  agent: unknown,
  skillName: string,
  options: DiscoverOptions = {},
): SkillTest | null {
  const [test = null] = findTests(agent, options, () => {
    const skills = listSkills(agent) ?? [];
    const named = [
      ...skills.filter(({ name }) => name === skillName),
      ...skills.filter(({ name, shortName }) => name !== skillName && shortName === skillName),
    ];
    return named.length > 0 ? named : lookUpSkill(agent, skillName);
  });
  return test;
}

function findTests(
  agent: unknown,
  options: DiscoverOptions,
  find: (testFolder: string) => Skill[],
): SkillTest[] {
  checkDiscoverOptions(options);
  const { warn = console.warn } = options;
  try {
    const folder = join(startFolder(agent), 'tests');
    return find(folder).flatMap((skill) => findTest(skill, folder, warn));
  } catch (error) {
    // A getter, an iterator or a function of the agent threw.
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

/** The skills in the list of an agent; undefined if it has no list. */
function listSkills(agent: unknown): Skill[] | undefined {
  const catalogue = readField(agent, 'skillCatalog');
  if (isHolder(catalogue)) return listEntries(catalogue).flatMap(toSkill);
  const skills = callFunction(agent, 'getSkills', []);
  return isHolder(skills) ? listEntries(skills).flatMap(toSkill) : undefined;
}

/** Asks an agent for one skill: a record, `{ filePath, record }`, or the path of its descriptor. */
function lookUpSkill(agent: unknown, asked: string): Skill[] {
  for (const lookup of LOOKUPS) {
    const answer = callFunction(agent, lookup, [asked]);
    if (answer === undefined || answer === null || answer === false) continue;
    const record = readField(answer, 'record') ?? answer;
    const filePath =
      typeof answer === 'string' ? answer : (readText(answer, 'filePath') ?? readText(record, 'filePath'));
    const skillDir = readText(record, 'skillDir') ?? (filePath === undefined ? undefined : dirname(filePath));
    return [
      {
        name: readText(record, 'name') ?? asked,
        shortName: readText(record, 'shortName') ?? asked,
        type: readText(record, 'type') ?? 'unknown',
        ...(skillDir !== undefined && { skillDir }),
      },
    ];
  }
  return [];
}

/** An agent may know a skill by several names. */
function uniqueSkills(skills: readonly Skill[]): Skill[] {
  return [...new Map(skills.map((skill) => [skill.shortName, skill])).values()];
}

/** Undefined if the agent has no such function. */
function callFunction(agent: unknown, name: string, args: unknown[]): unknown {
  const method = readField(agent, name);
  if (typeof method !== 'function') return undefined;
  const value: unknown = Reflect.apply(method, agent, args);
  if (typeof readField(value, 'then') === 'function')
    throw new TypeError(`${name} returned a promise; await its skills and pass them as skillCatalog`);
  return value;
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
  return isHolder(value) || typeof value === 'function' ? (Reflect.get(value, name) as unknown) : undefined;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A property that is a non-empty string. */
function readText(value: unknown, name: string): string | undefined {
  const text = readField(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
