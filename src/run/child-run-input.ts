// Values that one process of this program hands to a run it starts. They travel in a file: a command line has a length limit, and
// other users of the machine can read it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The content of the file that `--child-run-input` names. */
export type ChildRunInput = {
  /** Values of variables, already in their data types. */
  values?: Record<string, unknown>;
  /** Values as text; the variable's data type decides how they are read. */
  texts?: Record<string, string>;
  /** Lists of values; the run covers all their combinations. */
  matrix?: Record<string, unknown[]>;
  /** The id that the run gets. */
  run_id?: string;
};

const NAME = 'input.json';
const PREFIX = 'assay-child-run-';

/** Writes the input to a file that only this user can read. Call `remove` when the run has ended. */
export function writeChildRunInput(input: ChildRunInput): { file: string; remove(): void } {
  const content = JSON.stringify(input);
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

const alreadyRead = new Map<string, ChildRunInput>();

/** Reads the file and deletes it at once: it may hold secrets, and its writer may end before this process does. */
export function readChildRunInput(file: string | undefined): ChildRunInput {
  if (file === undefined) return {};
  const before = alreadyRead.get(file);
  if (before !== undefined) return before;

  // The cast is safe: only this program writes these files.
  const input = JSON.parse(readFileSync(file, 'utf8')) as ChildRunInput;
  alreadyRead.set(file, input);
  const folder = dirname(file);
  if (basename(file) === NAME && folder.startsWith(join(tmpdir(), PREFIX)))
    rmSync(folder, { recursive: true, force: true });
  return input;
}
