// `assay test`, `assay run` and `assay suite`: a run is planned, then shown, watched or executed.

import { EXIT } from '../model/exit-code.ts';
import { announceMatrix } from '../run/attempt-limit.ts';
import { lookUpGit } from '../run/git.ts';
import type { Io } from '../run/io.ts';
import { planRun } from '../run/plan.ts';
import type { TestFlags } from '../run/request.ts';
import { executeRun } from '../run/execute-run.ts';

/** Gives the exit code. */
export async function testCommand(flags: TestFlags, io: Io): Promise<number> {
  if (flags.watch === true) {
    const { watchRuns } = await import('../run/watch/watch.ts');
    return watchRuns(flags, io);
  }
  // Git looks for changes while the run is planned.
  const repository = flags.resume === undefined && flags.dryRun !== true ? lookUpGit(io.cwd) : undefined;
  const plan = await planRun(flags, io);
  if (plan === undefined) {
    const log = typeof flags.failed === 'string' ? flags.failed : 'the last log';
    io.stderr.write(`Nothing to run again: every case of ${log} passed.\n`);
    return EXIT.passed;
  }
  if (flags.dryRun === true) {
    const { dryRun } = await import('../run/optional/dry-run.ts');
    announceMatrix(plan, io);
    return dryRun(plan, io);
  }
  return executeRun(plan, io, repository);
}
