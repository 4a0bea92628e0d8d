import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from '../../errors.ts';
import { ConfigError } from '../../errors.ts';
import { beginsRunLog, readHead } from '../../log/is-run-log.ts';
import { displayPath } from '../../platform/paths.ts';
import type { RunPlan } from '../plan.ts';

/**
 * The places `-o` names, as absolute paths or `-`, for what is to be written there. A slip of the hand must not cost a case
 * file or a log, so neither is replaced by the other.
 */
export function outputPlaces(
  { request: { flags, resumed }, inputs: { settings, sources } }: Pick<RunPlan, 'inputs' | 'request'>,
  { cwd }: { cwd: string },
  what: 'cases' | 'results',
): string[] {
  // Outputs of assay.config are reports: only -o names a file for cases.
  const outputs = what === 'cases' ? (flags.output ?? []) : settings.outputs;
  const places = outputs.map((output) => (output === '-' ? '-' : resolve(cwd, output)));
  const inputs = new Set<string>();
  for (const source of sources) if (source.type === 'file') inputs.add(realpathSync(source.path));
  const problemWith = (place: string): Problem | undefined => {
    const name = displayPath(place, cwd);
    if (what === 'cases' && place !== '-' && !place.endsWith('.jsonl'))
      return { message: `--dry-run saves cases, and ${name} is no .jsonl file`, hint: 'say -o cases.jsonl' };
    if (!existsSync(place) || place === resumed?.path) return undefined;
    const hint = 'choose another name for -o, or remove the file';
    if (inputs.has(realpathSync(place)))
      return { message: `the output ${name} is a case file of this run`, hint: 'choose another name for -o' };
    const begins = place.endsWith('.jsonl') ? readHead(place).trim() : '';
    if (what === 'cases' && beginsRunLog(begins))
      return { message: `the output ${name} is a run log, which cases would replace`, hint };
    if (what === 'results' && begins !== '' && !beginsRunLog(begins))
      return { message: `the output ${name} is there already and is no run log`, hint };
    return undefined;
  };
  const problems = places.map(problemWith).filter((problem) => problem !== undefined);
  if (problems.length > 0) throw ConfigError.of(problems);
  return places;
}
