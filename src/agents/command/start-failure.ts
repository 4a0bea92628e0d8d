// Explains why a program could not be started.

import { join } from 'node:path';
import { AttemptError, messageOf, MisconfiguredAgent } from '../../errors.ts';
import { findAgentFile } from '../../json/agent-file.ts';
import { isFile, isFolder } from '../../platform/file-stats.ts';
import { displayPath } from '../../platform/paths.ts';

/** The system has too little of something at the moment; the command itself is right. */
const TEMPORARY = ['EAGAIN', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY'];

/** A program that never started is set up wrongly, unless the system is at a limit. `cwd` holds the file that describes it. */
export function startFailure(
  error: unknown,
  { program, cwd, hasStarted }: { program: string; cwd: string; hasStarted: boolean },
): AttemptError {
  const { message, hint, code } = startProblem(error, { program, cwd });
  if (hasStarted || TEMPORARY.includes(code)) return new AttemptError('harness', message, { cause: error });
  const at = displayPath(findAgentFile(cwd) ?? join(cwd, 'package.yao'), process.cwd());
  return new MisconfiguredAgent({ message, at, ...(hint !== undefined && { hint }) }, { cause: error });
}

/** Why a program could not be started, with the code of the system. */
export function startProblem(
  error: unknown,
  { program, cwd }: { program: string; cwd: string },
): { message: string; hint?: string | undefined; code: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const { reason, hint } = explain(code, program, cwd) ?? { reason: messageOf(error) };
  return { message: `cannot start ${program}: ${reason}`, hint, code };
}

function explain(code: string, program: string, cwd: string): { reason: string; hint?: string } | undefined {
  if (!isFolder(cwd)) return { reason: `its folder ${cwd} does not exist` };
  switch (code) {
    case 'E2BIG':
      return {
        reason: 'its arguments and environment are longer than the system allows',
        hint: 'put long values into a file and pass its path',
      };
    case 'EACCES':
      return { reason: 'permission denied', hint: `try chmod +x ${program}` };
    case 'ENOENT':
      if (!isFile(program)) return { reason: 'there is no such program' };
      return {
        reason: 'the interpreter that its first line names does not exist',
        hint: 'correct the line that begins with #!',
      };
    default:
      return undefined;
  }
}
