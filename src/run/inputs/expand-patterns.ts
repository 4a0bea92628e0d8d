// Names of script tests and skills become what they mean: files of tests, each of them once.

import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { CaseGenerator, InputSource, Named } from './inputs.ts';
import type { Settings } from '../../application/options/options.ts';

type Meant = CaseGenerator | InputSource;
type Surroundings = {
  root: string;
  cwd: string;
  settings: Pick<Settings, 'require_tests'>;
  warn: (text: string) => void;
};

/** Finds the tests that are meant by their names; everything else stays. Throws ConfigError with all that is not there. */
export async function withTests(found: readonly Named[], surroundings: Surroundings): Promise<Meant[]> {
  const isElse = (source: Named): source is Meant => source.type !== 'scripts' && source.type !== 'skills';
  if (found.every(isElse)) return [...found];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const names = new Set<string>();
  const sources: Meant[] = [];
  for (const source of found) {
    const meant = isElse(source)
      ? [source]
      : await collectProblems(problems, () => testsOf(source, surroundings));
    for (const one of meant ?? []) {
      if (one.type !== 'script' && one.type !== 'skill') {
        sources.push(one);
        continue;
      }
      const identity = one.file ?? one.name;
      if (seen.has(identity)) continue;
      seen.add(identity);
      // Two files may have the same name: results are told apart by the path then.
      const name = names.has(one.name) ? `${one.name} (${one.path ?? ''})` : one.name;
      names.add(name);
      sources.push({ ...one, name });
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return sources;
}

async function testsOf(
  { type, value, path: file }: Extract<Named, { type: 'scripts' | 'skills' }>,
  { root, cwd, settings, warn }: Surroundings,
): Promise<InputSource[]> {
  if (type === 'scripts') {
    const { findScripts } = await import('../../kinds/script/script-files.ts');
    return findScripts(value, { root, file });
  }
  const { findSkillTests } = await import('../../kinds/skill/skill-files.ts');
  return findSkillTests(value, { root, cwd, file, requireTests: settings.require_tests, warn });
}
