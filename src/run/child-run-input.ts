// What one process of this program gives to another that it starts to run tests: a command line is too short for some values, and
// others may read it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

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

const NAME = 'given.json';
const PREFIX = 'assay-given-';

/** Writes it where only this user can read it, until it is removed. */
export function writeGivenFile(given: GivenFile): { file: string; remove(): void } {
  const content = JSON.stringify(given);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const file = join(folder, NAME);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(file, content, { mode: 0o600 });
  } catch (error) {
    remove();
    throw error;
  }
  return { file, remove };
}

const known = new Map<string, GivenFile>();

/** Reads it and removes it at once: whoever wrote it may be gone before this process ends, and it may hold secrets. */
export function readGivenFile(file: string | undefined): GivenFile {
  if (file === undefined) return {};
  const before = known.get(file);
  if (before !== undefined) return before;
  // A cast, because only this program writes these files.
  const given = JSON.parse(readFileSync(file, 'utf8')) as GivenFile;
  known.set(file, given);
  const folder = dirname(file);
  if (basename(file) === NAME && folder.startsWith(join(tmpdir(), PREFIX)))
    rmSync(folder, { recursive: true, force: true });
  return given;
}
