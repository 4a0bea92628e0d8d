// Skills in, their tests out, as targets of a run: one case each.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { InputOrigin } from '../../model/event.ts';
import type { SkillSubject } from '../../model/skill.ts';
import type { PreparedInput, PrepareInput, PrepareOptions } from '../kind.ts';
import { findFramework } from './find-framework.ts';
import type { SkillSource } from './skill-files.ts';
import { TEST_FILE } from './test-file.ts';

/** Who is tested, where others name an agent. */
const SKILLS_ID = 'skills';
/** Of a skill with more files than this only some are watched. */
const MAX_FILES = 1000;
const SKIPPED = new Set(['node_modules', '.git', '.assay', 'coverage', 'dist']);

/** Every skill is an input with one case. */
export function prepareSkills(
  inputs: readonly PrepareInput<SkillSource>[],
  options: PrepareOptions,
): Promise<PreparedInput[]> {
  return Promise.all(inputs.map((input) => prepareSkill(input, options)));
}

async function prepareSkill(
  { source, target, index }: PrepareInput<SkillSource>,
  { root, cwd, settings, select }: PrepareOptions,
): Promise<PreparedInput> {
  const { skill, shortName, skillType, skillDir, file, path } = source;
  const subject: SkillSubject = {
    kind: 'skill',
    id: SKILLS_ID,
    skill,
    short_name: shortName,
    skill_type: skillType,
    file: file ?? '',
    path: path ?? '',
    root,
    allow_empty: settings.allow_empty,
    ...(file === undefined && { untested: settings.require_tests ? 'failure' : 'allowed' }),
  };
  const testCase = { id: skill, input: [] };
  return {
    subject,
    base: file === undefined ? root : dirname(file),
    logged: loggedSkill(source, cwd),
    total: 1,
    selected: select(testCase, target) ? 1 : 0,
    files: [
      ...(file === undefined ? [] : [file, ...helpersBeside(file)]),
      ...(skillDir === undefined ? [] : filesBelow(skillDir)),
    ],
    name: source.name,
    folder: file === undefined ? undefined : dirname(file),
    note: file === undefined ? undefined : await ignoredTests(file, path ?? file),
    cases: () => [[{ case: testCase, test_id: target.test_id, input: index, line: 1 }]],
  };
}

/** A note about tests of a framework that do not run, because the file also exports its own. */
async function ignoredTests(file: string, path: string): Promise<string | undefined> {
  try {
    const { ignored } = await findFramework(file);
    if (ignored === undefined) return undefined;
    return `${path} exports a function, which runs; its tests of ${ignored} are not counted`;
  } catch {
    // The run of the file reports it.
    return undefined;
  }
}

function loggedSkill({ input, skill, skillType, file, path }: SkillSource, cwd: string): InputOrigin {
  const sha256 = file === undefined ? '' : hashOf(file);
  return {
    type: 'skill',
    input,
    skill,
    skill_type: skillType,
    ...(file !== undefined && { file: relative(cwd, file) }),
    ...(path !== undefined && { skill_path: path }),
    sha256,
    agent_id: SKILLS_ID,
    agent_sha256: sha256,
  };
}

/** A file that is gone by now is told when it is run. */
function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return '';
  }
}

/** Other files beside a test file, which it may import. */
function helpersBeside(file: string): string[] {
  const folder = dirname(file);
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && !TEST_FILE.test(entry.name))
    .slice(0, MAX_FILES)
    .map(({ name }) => join(folder, name));
}

function filesBelow(folder: string, found: string[] = []): string[] {
  for (const entry of entriesOf(folder)) {
    if (found.length >= MAX_FILES) break;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) filesBelow(path, found);
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
