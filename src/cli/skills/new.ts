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

/** The forms of a test file, by the value of `--runner`. */
const FORMS: Record<string, { ending: string; write: (skill: ListedSkill, testFolder: string) => string }> = {
  node: { ending: '.test.mjs', write: (skill, folder) => frameworkStarter(skill, folder, NODE_TEST) },
  none: { ending: '.tests.mjs', write: starter },
  vitest: { ending: '.test.mjs', write: (skill, folder) => frameworkStarter(skill, folder, VITEST) },
};

const NODE_TEST = {
  imports: `import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';`,
  check: `assert.ok(readdirSync(SKILL).some((name) => /skill\\.md$/i.test(name)));`,
};
const VITEST = {
  imports: `import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';`,
  check: `expect(readdirSync(SKILL).some((name) => /skill\\.md$/i.test(name))).toBe(true);`,
};

/** Writes a test file for every skill that is named; none if anything is wrong with one of them. */
export function newSkillTests(
  names: readonly string[],
  skills: readonly ListedSkill[],
  { io, runner = 'none' }: { io: Io; runner?: string | undefined },
): number {
  const form = Object.hasOwn(FORMS, runner) ? FORMS[runner] : undefined;
  if (form === undefined)
    throw new ConfigError(`--runner ${quote(runner)}: there is node and vitest`, {
      hint: 'without it, the test exports a function that returns its counts',
    });
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
    const file = join(testFolder, `${skill.shortName}${form.ending}`);
    write(file, form.write(skill, testFolder));
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

function frameworkStarter(
  skill: ListedSkill,
  testFolder: string,
  { imports, check }: { imports: string; check: string },
): string {
  return `${heading(skill)}

${imports}

${skillConstant(skill, testFolder)}

test('the skill has a descriptor', () => {
  ${check}
});
`;
}

function heading({ skill, shortName }: ListedSkill): string {
  return `// Tests of the skill ${JSON.stringify(skill)}. Run them with: assay skills ${typed(shortName)}`;
}

function skillConstant({ skillDir, place }: ListedSkill, testFolder: string): string {
  const way = relative(testFolder, skillDir ?? place)
    .split(sep)
    .map(encodeURIComponent)
    .join('/');
  return `const SKILL = new URL(${JSON.stringify(`${way}/`)}, import.meta.url);`;
}

/** It has something to check from the first run on: that the skill is there. */
function starter(skill: ListedSkill, testFolder: string): string {
  return `${heading(skill)}

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';

${skillConstant(skill, testFolder)}

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
