// What one process of this program gives to another that it starts to run tests: a command line is too short for some values, and
// others may read it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The content of `--given-file`. */
export type GivenFile = {
  /** Values of variables, of their data types. */
  values?: Record<string, unknown>;
  /** Values as somebody has typed them: they mean what the data type says. */
  texts?: Record<string, string>;
  /** Lists of values all combinations of which are wanted. */
  matrix?: Record<string, unknown[]>;
  /** The id that the run is to have. */
  run_id?: string;
};

/** Writes it where only this user can read it, until it is removed. */
export function writeGivenFile(given: GivenFile): { file: string; remove(): void } {
  const content = JSON.stringify(given);
  const folder = mkdtempSync(join(tmpdir(), 'assay-'));
  const file = join(folder, 'given.json');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    remove();
    throw error;
  }
  return { file, remove };
}

export function readGivenFile(file: string | undefined): GivenFile {
  // A cast, because only this program writes these files.
  return file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as GivenFile);
}
