// Finds a skill of an application by its name, as `assay skills <name>` does.

import { resolve } from 'node:path';
import { findSkills } from './catalogue.ts';
import { checkLookupOptions } from './check-options.ts';
import { matchSkills, nearestSkills, noSkills, unknownSkill } from './skill-files.ts';
import type { LookupOptions, SkillRecord } from './types.ts';

/**
 * Finds a skill by its full name or its short name. Rejects with a ConfigError if there is none.
 * @example const { skillDir, description } = await getSkillRecord('pricing');
 */
export async function getSkillRecord(name: string, options: LookupOptions = {}): Promise<SkillRecord> {
  checkLookupOptions(options);
  const cwd = process.cwd();
  const root = options.root === undefined ? nearestSkills(cwd) : resolve(options.root);
  const found = await findSkills(root, options);
  if (found.length === 0) throw noSkills('skills.*', root, cwd);
  const skills = found.map((skill) => ({ skill: skill.name, shortName: skill.shortName, found: skill }));
  const [first] = name.includes('*') ? [] : matchSkills(skills, name);
  if (first === undefined) throw unknownSkill(name, skills);
  const { testFolders: _, ...record } = first.found;
  return record;
}

/** Finds the descriptor of a skill, with its record, in the form in which agents return it. */
export async function findSkillFile(
  name: string,
  options: LookupOptions = {},
): Promise<{ filePath: string; record: SkillRecord }> {
  const record = await getSkillRecord(name, options);
  return { filePath: record.filePath, record };
}
