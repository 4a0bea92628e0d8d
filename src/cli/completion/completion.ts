// `assay completion` prints the completion script for a shell.

import { EXIT } from '../../model/exit-code.ts';
import { COMPLETION_SCRIPTS } from './scripts.ts';
import type { Shell } from '../verbs.ts';
import type { Io } from '../../run/io.ts';

/** Prints the script; a comment in it says how to install it. */
export function completionCommand(shell: Shell, { stdout }: Pick<Io, 'stdout'>): number {
  stdout.write(COMPLETION_SCRIPTS[shell]);
  return EXIT.passed;
}
