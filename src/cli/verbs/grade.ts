// `assay grade`: recorded answers are judged again. The run is like any other, but its agent answers from the recording.

import type { FlagsOf } from '../../application/options/options.ts';
import { executeRun } from '../../run/execute-run.ts';
import { lookUpGit } from '../../run/git.ts';
import type { Io } from '../../run/io.ts';

/** Gives the exit code. */
export async function gradeCommand(
  recordings: readonly string[],
  flags: FlagsOf<'grade'>,
  io: Io,
): Promise<number> {
  const repository = lookUpGit(io.cwd);
  const { planGrade } = await import('../../grade/plan-grade.ts');
  const { plan, close } = await planGrade(recordings, flags, io);
  try {
    return await executeRun(plan, io, repository);
  } finally {
    await close();
  }
}
