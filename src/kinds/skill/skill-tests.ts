// Skills in, their tests out, as targets of a run: one case each.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { AgentDefinition } from '../../model/agent.ts';
import type { TestCase } from '../../model/case.ts';
import type { LoggedInput } from '../../model/event.ts';
import type { SkillSource } from './skill-files.ts';

/** A skill test that is ready to run. */
export type PreparedSkill = {
  definition: AgentDefinition;
  case: TestCase;
  logged: LoggedInput;
  /** The user's files that a change of should make it run again. */
  files: string[];
};

/** Who is tested, where others name an agent. */
const SKILLS_ID = 'skills';
/** Of a skill with more files than this only some are watched. */
const MAX_FILES = 1000;
const SKIPPED = new Set(['node_modules', '.git', '.assay', 'coverage', 'dist']);
const TEST_FILE = /\.tests\.(?:mjs|js|ts)$/;

/** Makes a target of a skill. */
export function prepareSkill(
  source: SkillSource,
  {
    root,
    cwd,
    settings,
  }: { root: string; cwd: string; settings: { allow_empty: boolean; require_tests: boolean } },
): PreparedSkill {
  const { input, skill, shortName, skillType, skillDir, file, path } = source;
  const sha256 = file === undefined ? '' : hashOf(file);
  return {
    definition: {
      id: SKILLS_ID,
      run: {
        type: 'skill',
        skill,
        short_name: shortName,
        skill_type: skillType,
        file: file ?? '',
        path: path ?? '',
        root,
        allow_empty: settings.allow_empty,
        ...(file === undefined && { untested: settings.require_tests ? 'failure' : 'allowed' }),
      },
    },
    case: { id: skill, input: [] },
    logged: {
      type: 'skill',
      input,
      skill,
      skill_type: skillType,
      ...(file !== undefined && { file: relative(cwd, file) }),
      ...(path !== undefined && { skill_path: path }),
      sha256,
      agent_id: SKILLS_ID,
      agent_sha256: sha256,
    },
    files: [
      ...(file === undefined ? [] : [file, ...helpersBeside(file)]),
      ...(skillDir === undefined ? [] : filesBelow(skillDir)),
    ],
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

/** What lies beside a test file and is none itself may be imported by it. */
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
