// The test files of skills.

import type { Problem } from '../../errors.ts';
import type { LoggedInput } from '../../model/event.ts';
import type { SkillSubject } from '../../model/skill.ts';
import type { Kind } from '../kind.ts';
import { lastResultsSink } from './last-results.ts';
import { SkillPool } from './pool.ts';
import type { SkillSource } from './skill-files.ts';
import { TEST_FILE } from './test-file.ts';

export const skillKind: Kind<SkillSource, SkillSubject> = {
  id: 'skill',
  noun: 'skill',
  defaults: { timeout_ms: 30_000, parallel: 'cores' },
  recognises: { file: TEST_FILE, files: '*.tests.*', name: /^skills\.(?!\s)/ },
  async find({ value, path }, { root, cwd, settings, warn }) {
    const { findSkillTests } = await import('./skill-files.ts');
    return findSkillTests(value, { root, cwd, file: path, requireTests: settings.require_tests, warn });
  },
  async findRoot(cwd) {
    const { nearestSkills } = await import('./skill-files.ts');
    return nearestSkills(cwd);
  },
  testIds: (sources) => sources.map(({ name }) => name),
  async prepare(inputs, options) {
    if (inputs.length === 0) return [];
    const { prepareSkills } = await import('./skill-tests.ts');
    return prepareSkills(inputs, options);
  },
  openPool: (options) => new SkillPool(options),
  describe({ subject: { path, untested }, test_id }) {
    const file = path === '' ? undefined : path;
    return { what: file ?? test_id, file, skipped: untested === 'allowed' ? 'untested' : undefined };
  },
  typedAs: (input) => (input.type === 'skill' ? input.input : undefined),
  changes,
  openSink: lastResultsSink,
};

function changes(before: LoggedInput, now: LoggedInput | undefined): Problem[] {
  if (before.type !== 'skill') return [];
  const isSame = now?.type === 'skill' && before.sha256 === now.sha256;
  if (isSame) return [];
  const at = before.skill_path ?? `skill ${before.skill}`;
  return [{ message: 'the tests or what they import have changed since the run began', at }];
}
