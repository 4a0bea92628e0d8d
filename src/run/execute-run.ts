// A plan comes in, the exit code goes out: the way of every run, whichever command or watch mode asks for it.

import { RuntimeError } from '../errors.ts';
import { EXIT } from '../model/exit-code.ts';
import { shortPath } from '../platform/paths.ts';
import { limitYoungGeneration, delayOptimization } from '../platform/v8-flags.ts';
import { escapeControls } from '../text/untrusted.ts';
import { refuseTooMany } from './attempt-limit.ts';
import type { Repository } from './git.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './plan.ts';
import { RunSession } from './session.ts';

/** With fewer attempts no function is called often enough to be worth optimizing. */
const SEVERAL = 100;
/** A run with more attempts than this limits the memory it uses. */
const MANY = 1000;

/** Runs a plan and gives the exit code. `repository` was looked up while the run was planned. */
export async function executeRun(plan: RunPlan, io: Io, repository?: Repository): Promise<number> {
  refuseTooMany(plan);
  const { attempts } = plan.prepared;
  const isOwnProcess = io.caller?.isHere !== true;
  if (attempts > SEVERAL && isOwnProcess) delayOptimization();
  if (attempts > MANY && isOwnProcess) limitYoungGeneration();

  const { resumed } = plan.request;
  const summary = resumed?.summary;
  // A run that was interrupted after its last result gets the exit code of its results.
  const isOver = summary !== undefined && summary.exit_code !== EXIT.interrupted;
  // A run with `--runs auto` has as many attempts as it took.
  const isDecided = summary?.auto !== undefined && summary.skipped === 0 && summary.unmeasured === undefined;
  // A new question about a finished run is answered from its results.
  const isAsked = plan.request.asksAgain === true;
  if (resumed !== undefined && isOver && !isAsked && (isDecided || resumed.kept.size >= attempts)) {
    io.stderr.write(`Nothing left to do: the run in ${shortPath(resumed.path, io.cwd)} is finished.\n`);
    const finished = { path: resumed.path, exit_code: summary.exit_code };
    return closing(new RunSession(plan, io), (session) => session.report(finished));
  }

  try {
    return await closing(new RunSession(plan, io), (session) => runToEnd(session, repository));
  } catch (error) {
    if (!io.interrupt.aborted || !(error instanceof RuntimeError)) throw error;
    // A failure while the user wants to stop does not hide that the run was interrupted.
    io.stderr.write(`${escapeControls(error.message)}\n`);
    return EXIT.interrupted;
  }
}

async function closing(session: RunSession, work: (session: RunSession) => Promise<number>): Promise<number> {
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function runToEnd(session: RunSession, repository: Repository | undefined): Promise<number> {
  const opened = await session.open(repository);
  const executed = await session.execute(opened);
  return session.finish(opened, executed);
}
