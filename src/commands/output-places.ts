import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { displayPath } from '../platform/paths.ts';
import type { RunPlan } from './run-plan.ts';

/** The places `-o` names, as absolute paths or `-`. A case file is refused: a slip of the hand must not cost it. */
export function outputPlaces({ settings, sources }: RunPlan, { cwd }: { cwd: string }): string[] {
  const places = settings.outputs.map((output) => (output === '-' ? '-' : resolve(cwd, output)));
  const inputs = new Set<string>();
  for (const source of sources) if (source.type === 'file') inputs.add(realpathSync(source.path));
  const problems = places
    .filter((place) => existsSync(place) && inputs.has(realpathSync(place)))
    .map((place) => ({
      message: `the output ${displayPath(place, cwd)} is a case file of this run`,
      hint: 'choose another name for -o',
    }));
  if (problems.length > 0) throw ConfigError.of(problems);
  return places;
}
