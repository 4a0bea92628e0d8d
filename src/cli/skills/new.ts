// `assay skills new <skill>`: a test file to start from, never over one that is there.

import { writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Problem } from '../../errors.ts';
import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { displayPath } from '../../platform/paths.ts';
import { quote } from '../../text/quote.ts';
import { typed, unknownSkill } from '../../kinds/skill/skill-files.ts';
import type { Io } from '../../run/io.ts';
import type { ListedSkill } from './skills.ts';
import { programName } from '../../platform/how-started.ts';

/** Writes a test file for every skill that is named; none if anything is wrong with one of them. */
export function newSkillTests(names: readonly string[], skills: readonly ListedSkill[], io: Io): number {
  if (names.length === 0) {
    const untested = skills.filter(({ file }) => file === undefined).map(({ shortName }) => shortName);
    const hint =
      untested.length === 0
        ? 'every skill has a test'
        : `without a test: ${untested.slice(0, 10).join(', ')}`;
    throw new ConfigError(`name the skill: ${programName()} skills new <skill>`, { hint });
  }
  const problems: Problem[] = [];
  const found = [...new Set(names)].flatMap((name) => {
    const skill =
      skills.find((known) => known.skill === name) ?? skills.find(({ shortName }) => shortName === name);
    const problem = problemWith(name, skill, skills, io.cwd);
    if (problem !== undefined) problems.push(problem);
    return skill === undefined ? [] : [skill];
  });
  if (problems.length > 0) throw ConfigError.of(problems);
  for (const skill of found) {
    const { testFolder = join(skill.place, 'tests') } = skill;
    const file = join(testFolder, `${skill.shortName}.tests.mjs`);
    write(file, starter(skill, testFolder));
    io.stdout.write(
      `Wrote ${displayPath(file, io.cwd)}; run it with: ${programName()} skills ${typed(skill.shortName)}\n`,
    );
  }
  return EXIT.passed;
}

function problemWith(
  name: string,
  skill: ListedSkill | undefined,
  skills: readonly ListedSkill[],
  cwd: string,
): Problem | undefined {
  if (skill === undefined) return unknownSkill(name, skills).problems[0];
  if (skill.file !== undefined)
    return { message: `skill ${quote(name)} already has a test: ${displayPath(skill.file, cwd)}` };
  return undefined;
}

function write(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    throw new RuntimeError(`cannot write ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** It has something to check from the first run on: that the skill is there. */
function starter({ skill, shortName, skillDir, place }: ListedSkill, testFolder: string): string {
  const way = relative(testFolder, skillDir ?? place)
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
  return `// Tests of the skill ${JSON.stringify(skill)}. Run them with: assay skills ${typed(shortName)}

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

const SKILL = new URL(${JSON.stringify(`${way}/`)}, import.meta.url);

// Every function is a check; it fails if it throws.
const tests = {
  'the skill has a descriptor'() {
    assert.ok(readdirSync(SKILL).some((name) => /skill\\.md$/i.test(name)));
  },
};

/** Returns how many checks passed and failed, and what is wrong. */
export default async function () {
  const errors = [];
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
    } catch (error) {
      errors.push(\`\${name}: \${error.message}\`);
    }
  }
  const failed = errors.length;
  return { passed: Object.keys(tests).length - failed, failed, errors };
}
`;
}
