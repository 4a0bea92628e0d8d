// Recordings in, the plan of a run out that judges their answers. The rest of the run is the same as that of a test.

import { existsSync } from 'node:fs';
import type { FlagsOf } from '../application/options/options.ts';
import type { StartEvent } from '../model/event.ts';
import { inputKind } from '../model/subject.ts';
import { flagsFromLog } from '../run/earlier/logged-run.ts';
import type { Io } from '../run/io.ts';
import type { RunPlan } from '../run/plan.ts';
import { planRequest } from '../run/plan.ts';
import type { RunRequest } from '../run/planning/request.ts';
import type { TestFlags } from '../run/request.ts';
import { findRecordings } from './find-recordings.ts';
import type { LogAnswers } from './logs/log-answers.ts';
import { openLogAnswers } from './logs/log-answers.ts';
import { logKind } from './logs/log-kind.ts';
import { planSessions } from './sessions/plan-sessions.ts';
import { withoutAgent } from './without-agent.ts';

type GradeFlags = FlagsOf<'grade'>;

/** A plan, and what ends the reading of the recordings. */
export type GradePlan = { plan: RunPlan; close(): Promise<void> };

/** Throws ConfigError if a recording or the cases cannot be used. */
export async function planGrade(
  recordings: readonly string[],
  flags: GradeFlags,
  io: Io,
): Promise<GradePlan> {
  const found = findRecordings(recordings, io.cwd);
  if ('sessions' in found)
    return {
      plan: await planSessions(found.sessions, { recordings, flags }, io),
      close: async () => undefined,
    };

  const answers = await openLogAnswers(found.log);
  const { run_id } = answers.start;
  const plan = await planRequest(logRequest(answers, flags, io), io, {
    from: { from: [...recordings], format: 'assay', run_id },
    settings: withoutAgent,
    openKinds: () => [logKind(answers)],
  });
  return { plan, close: () => answers.close() };
}

/** The cases of the log, unless others are named, and its settings as far as they are about judging. */
function logRequest({ start, mostRuns }: LogAnswers, flags: GradeFlags, io: Pick<Io, 'cwd'>): RunRequest {
  const agents = start.inputs.filter((input) => inputKind(input) === 'agent-eval');
  // The name of the agent is not needed, even if the log has only a mask of it.
  const logged = flagsFromLog({ ...start, inputs: agents }, { name: start.agent_id });
  const { input, selection, given, pairwise, orderSeed, map } = logged;
  const { runs, target, confidence, minRuns, maxRuns, undecided, minPassRate, gate } = logged;
  const { run, tag, user, team, ctx, quarantine } = logged;
  const judging = { target, confidence, minRuns, maxRuns, undecided, minPassRate, gate };
  const repeated = { runs: runs ?? (selection === undefined ? String(mostRuns) : undefined) };
  const common = present({ ...repeated, ...judging, user, team, ctx, quarantine });
  if (flags.input !== undefined)
    return { flags: { ...common, ...flags }, cwd: io.cwd, earlierInputs: [], focus: {} };
  const { only } = start.flags;
  return {
    flags: {
      ...common,
      ...present({ input, selection, given, pairwise, orderSeed, map, run, tag }),
      ...flags,
    },
    cwd: folderOf(start, io.cwd),
    ...(Array.isArray(only) && { only: only.map(String) }),
    earlierInputs: start.inputs,
    focus: {},
  };
}

function present(flags: TestFlags): TestFlags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

/** Where the run was; a log from another machine is used as if it had been made here. */
function folderOf({ cwd: then }: StartEvent, cwd: string): string {
  return existsSync(then) ? then : cwd;
}
