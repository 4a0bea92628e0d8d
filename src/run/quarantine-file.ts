import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QUARANTINE_FILE } from '../model/quarantine.ts';
import type { RunApplication } from './planning/application.ts';
import type { RunInputs } from './planning/inputs.ts';
import type { RunQuarantine } from './optional/quarantine.ts';

/** The quarantine of a run. Loads nothing for the many applications that have none. */
export async function findQuarantine(
  { root, cwd }: Pick<RunApplication, 'cwd' | 'root'>,
  { quarantine: named }: RunInputs['settings'],
): Promise<RunQuarantine | undefined> {
  if (named === 'off') return undefined;
  const file = named === undefined ? join(root, QUARANTINE_FILE) : resolve(cwd, named);
  if (named === undefined && !existsSync(file)) return undefined;
  const { readRunQuarantine } = await import('./optional/quarantine.ts');
  return readRunQuarantine(file, { cwd, now: new Date() });
}
