// Names of tests become the tests that they mean, each of them once.

import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { FindOptions, Kind, NamedSource } from '../../kinds/kind.ts';
import type { InputSource } from '../../kinds/registry.ts';
import { kindById, KINDS } from '../../kinds/registry.ts';
import type { CaseGenerator, Named } from './inputs.ts';

type Expanded = CaseGenerator | InputSource;

/** Finds the tests that patterns mean; all other inputs stay. Throws ConfigError with everything that does not exist. */
export async function withTests(
  found: readonly Named[],
  options: FindOptions,
  kinds: readonly Kind[] = KINDS,
): Promise<Expanded[]> {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const names = new Set<string>();
  const sources: Expanded[] = [];
  for (const source of found) {
    if (source.type !== 'pattern') {
      sources.push(source);
      continue;
    }
    const { find } = kindById(source.kind, kinds);
    const tests = (await collectProblems(problems, async () => find?.(source, options))) ?? [];
    for (const test of tests) {
      const identity = test.file ?? test.name;
      if (seen.has(identity)) continue;
      seen.add(identity);
      sources.push(withUniqueName(test, names));
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return sources;
}

/** Two files may have the same name; the path tells their results apart. */
function withUniqueName(test: NamedSource, names: Set<string>): InputSource {
  const name = names.has(test.name) ? `${test.name} (${test.path ?? ''})` : test.name;
  names.add(name);
  // A kind finds sources of its own type.
  return { ...test, name } as InputSource;
}
