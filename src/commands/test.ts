// `assay test`: cases and messages against an agent, end to end.

import { existsSync } from 'node:fs';
import { v7 } from 'uuid';
import { messageOf } from '../errors.ts';
import type { ResumeEvent, StartEvent, SummaryEvent } from '../model/event.ts';
import { LOG_VERSION } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import { DEFAULTS } from '../model/settings.ts';
import { runPipeline } from '../pipeline.ts';
import { keepYoungSpaceSmall } from '../platform/young-space.ts';
import { escapeControls } from '../report/untrusted.ts';
import type { TestFlags } from './flags.ts';
import type { Io } from './io.ts';
import type { Outputs } from './outputs.ts';
import { openOutputs, shown } from './outputs.ts';
import type { RunPlan } from './run-plan.ts';
import { loggedFlags, planRun } from './run-plan.ts';
import { isWriteFailure } from './standard-streams.ts';

/** A run with more attempts than this takes care of its memory. */
const MANY = 1000;

/** Runs `assay test` and gives the exit code. */
export async function testCommand(flags: TestFlags, io: Io): Promise<number> {
  if (flags.watch === true) {
    const { watchRuns } = await import('./watch.ts');
    return watchRuns(flags, io, (plan) => execute(plan, flags, io));
  }
  const plan = await planRun(flags, io);
  if (plan === undefined) {
    const log = typeof flags.failed === 'string' ? flags.failed : 'the last log';
    io.stderr.write(`Nothing to run again: every case of ${log} passed.\n`);
    return EXIT.passed;
  }
  if (flags.dryRun === true) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(plan, flags, io);
  }
  return execute(plan, flags, io);
}

async function execute(plan: RunPlan, flags: TestFlags, io: Io): Promise<number> {
  const { settings, prepared, resumed } = plan;
  if (prepared.total * settings.runs > MANY) keepYoungSpaceSmall();
  const finished = finishedSummary(plan);
  if (finished !== undefined) {
    io.stderr.write(
      `Nothing left to do: the run in ${shown(plan.resumed?.path ?? '', io.cwd)} is finished.\n`,
    );
    return finished.exit_code;
  }
  const runId = resumed?.start.run_id ?? v7();
  const outputs = openOutputs(plan, flags, runId, io);
  const announce = (): void => {
    const again = shown(outputs.log, io.cwd);
    io.stderr.write(
      `\nFinishing what is running; Ctrl-C stops it now. Go on later: assay test --resume ${again}\n`,
    );
  };
  io.interrupt.addEventListener('abort', announce, { once: true });
  const summary = await runPipeline({
    cases: prepared.cases(),
    opening: resumed === undefined ? startEvent(plan, runId, io) : resumeEvent(runId),
    plan: {
      targets: prepared.targets,
      context: prepared.context,
      settings,
      select: plan.select,
      ...(resumed === undefined ? {} : { prior: resumed.kept }),
    },
    pool: {
      parallel: settings.parallel,
      retries: settings.retries,
      cwd: plan.cwd,
      env: plan.dotenv,
      first: io.worker,
    },
    failFast: settings.fail_fast,
    minPassRate: settings.min_pass_rate,
    nameAgents: new Set(prepared.targets.map((target) => target.agent.id)).size > 1,
    secrets: prepared.secrets,
    sinks: outputs.sinks,
    interrupt: io.interrupt,
  });
  io.interrupt.removeEventListener('abort', announce);
  for (const sink of outputs.sinks) await sink.close?.();
  const problems = await writeReports(outputs, io);
  if (outputs.isTalkative) outputs.screen.write(footer(outputs, summary, io));
  for (const problem of problems) io.stderr.write(`${escapeControls(problem)}\n`);
  return problems.length > 0 && summary.exit_code === EXIT.passed ? EXIT.unmeasured : summary.exit_code;
}

/** The summary of a resumed log in which nothing is left to execute. */
function finishedSummary({ resumed, settings, prepared }: RunPlan): SummaryEvent | undefined {
  const wanted = prepared.total * settings.runs;
  return resumed !== undefined && resumed.kept.size >= wanted ? resumed.summary : undefined;
}

function startEvent(plan: RunPlan, runId: string, io: Io): StartEvent {
  const { settings, prepared } = plan;
  const { context } = prepared;
  return {
    type: 'start',
    timestamp: new Date().toISOString(),
    agent_id: [...new Set(prepared.targets.map((target) => target.agent.id))].join(', '),
    total_cases: prepared.total,
    run_id: runId,
    log_version: LOG_VERSION,
    runs_per_case: settings.runs,
    ...connectorOf(plan),
    environment: {
      user_id: settings.user ?? context.authorized?.user_id ?? DEFAULTS.user,
      team_id: settings.team ?? context.authorized?.team_id ?? DEFAULTS.team,
      locale: context.locale ?? DEFAULTS.locale,
    },
    inputs: prepared.inputs,
    flags: loggedFlags(settings, plan.only),
    cwd: plan.cwd,
    version: io.version,
  };
}

function connectorOf({ settings, prepared }: RunPlan): { connector?: string } {
  const connector = settings.connector ?? prepared.targets[0]?.agent.connector;
  return connector === undefined ? {} : { connector };
}

function resumeEvent(runId: string): ResumeEvent {
  return { type: 'resume', run_id: runId, timestamp: new Date().toISOString() };
}

/** Makes the reports from the finished log; one that cannot be written takes nothing else with it. */
async function writeReports(outputs: Outputs, io: Io): Promise<string[]> {
  if (outputs.reports.length === 0) return [];
  const { formatFor } = await import('../report/registry.ts');
  const { openLog } = await import('../report/log-reader.ts');
  const { writeReport } = await import('../report/write-report.ts');
  const problems: string[] = [];
  for (const { destination, reporter } of outputs.reports) {
    try {
      await writeReport(openLog(outputs.log), formatFor(destination, reporter), destination, {
        stdout: io.stdout,
      });
    } catch (error) {
      // What stdout did not take has been told already.
      const isTold = destination === '-' && isWriteFailure(error);
      const where = existsSync(outputs.log) ? `The results are in ${shown(outputs.log, io.cwd)}.` : '';
      problems.push([...(isTold ? [] : [messageOf(error)]), where].filter((text) => text !== '').join('\n'));
    }
  }
  return problems;
}

/** Where the results are, and the command that runs again what did not pass. */
function footer(outputs: Outputs, summary: SummaryEvent, io: Io): string {
  const lines = [`  Log: ${shown(outputs.log, io.cwd)}`];
  for (const { destination } of outputs.reports) {
    if (destination !== '-' && existsSync(destination)) lines.push(`  Report: ${shown(destination, io.cwd)}`);
  }
  if (summary.exit_code === EXIT.interrupted)
    lines.push(`  Go on: assay test --resume ${shown(outputs.log, io.cwd)}`);
  else if (summary.failed > 0)
    lines.push(`  Run again what failed: assay test --failed ${shown(outputs.log, io.cwd)}`);
  return `${lines.join('\n')}\n`;
}
