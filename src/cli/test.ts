// `assay test`: cases and messages against an agent, end to end.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { v7 } from 'uuid';
import type { ResumeEvent, StartEvent, SummaryEvent } from '../model/event.ts';
import { LOG_VERSION } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import { DEFAULTS, parallelOf } from '../model/settings.ts';
import type { PipelineOptions } from '../run/pipeline.ts';
import { runPipeline } from '../run/pipeline.ts';
import { readChildRunInput } from '../run/child-run-input.ts';
import { keepYoungSpaceSmall, optimizeLater } from '../platform/v8-flags.ts';
import type { ReporterFormat } from '../report/formats/registry.ts';
import { RuntimeError } from '../errors.ts';
import { escapeControls } from '../text/untrusted.ts';
import { announceMatrix, refuseTooMany } from '../run/attempt-limit.ts';
import type { Coverage } from '../run/outputs/coverage.ts';
import type { TestFlags } from '../run/request.ts';
import type { Repository } from '../run/git.ts';
import { lookUpGit } from '../run/git.ts';
import type { Io } from '../run/io.ts';
import type { ErrandRunner } from '../run/lazy-side-calls.ts';
import { lazyErrands } from '../run/lazy-side-calls.ts';
import { loggedFlags } from '../run/earlier/logged-run.ts';
import type { Origin } from '../run/origin.ts';
import { originOf, withLateOrigin } from '../run/origin.ts';
import type { Outputs } from '../run/outputs/outputs.ts';
import { openOutputs, planOutputs, shown } from '../run/outputs/outputs.ts';
import type { Recording } from '../history/recording.ts';
import { openRecording } from '../history/recording.ts';
import { runContext } from '../run/context.ts';
import type { RunTapes } from '../tapes/run-tapes.ts';
import type { RunPlan } from '../run/plan.ts';
import { planRun } from '../run/plan.ts';
import { writeReports } from '../run/outputs/write-reports.ts';

/** A run with more attempts than this takes care of its memory. */
const MANY = 1000;
/** With fewer attempts nothing is called often enough to be optimized. */
const SEVERAL = 100;

/** Runs `assay test` and gives the exit code. */
export async function testCommand(flags: TestFlags, io: Io): Promise<number> {
  if (flags.watch === true) {
    const { watchRuns } = await import('../run/watch.ts');
    return watchRuns(flags, io, (plan) => execute(plan, flags, io));
  }
  // Git gets its answer ready while the run is planned.
  const repository = flags.resume === undefined && flags.dryRun !== true ? lookUpGit(io.cwd) : undefined;
  const plan = await planRun(flags, io);
  if (plan === undefined) {
    const log = typeof flags.failed === 'string' ? flags.failed : 'the last log';
    io.stderr.write(`Nothing to run again: every case of ${log} passed.\n`);
    return EXIT.passed;
  }
  if (flags.dryRun === true) {
    const { dryRun } = await import('../run/dry-run.ts');
    announceMatrix(plan, io);
    return dryRun(plan, flags, io);
  }
  return execute(plan, flags, io, repository);
}

async function execute(plan: RunPlan, flags: TestFlags, io: Io, repository?: Repository): Promise<number> {
  const { settings, prepared } = plan;
  refuseTooMany(plan, flags);
  if (prepared.attempts > SEVERAL) optimizeLater();
  if (prepared.attempts > MANY) keepYoungSpaceSmall();
  const finished = finishedSummary(plan);
  if (finished !== undefined) {
    io.stderr.write(
      `Nothing left to do: the run in ${shown(plan.resumed?.path ?? '', io.cwd)} is finished.\n`,
    );
    return finished.exit_code;
  }
  const { cwd, dotenv: env, redactor } = plan;
  const learn = (secrets: readonly string[]): void => redactor.learn(secrets);
  const errands = lazyErrands({ cwd, env, retries: settings.retries, learn });
  try {
    const origin = plan.resumed === undefined ? await originOf(plan.root, io.env, repository) : { known: {} };
    return await executeWith({ errands, origin }, plan, flags, io);
  } catch (error) {
    if (!io.interrupt.aborted || !(error instanceof RuntimeError)) throw error;
    // What fails while the user wants to stop does not hide that it was stopped.
    io.stderr.write(`${escapeControls(error.message)}\n`);
    return EXIT.interrupted;
  } finally {
    await errands.close();
  }
}

async function executeWith(
  { errands, origin }: { errands: ErrandRunner; origin: Origin },
  plan: RunPlan,
  flags: TestFlags,
  io: Io,
): Promise<number> {
  const places = planOutputs(plan, flags, io, await reporterOf(plan, errands));
  announceMatrix(plan, io);
  const { run_id: givenId } = readChildRunInput(flags.childRunInput);
  const runId = plan.resumed?.start.run_id ?? givenId ?? v7();
  let outputs: Outputs | undefined;
  const announce = (): void => {
    const again =
      outputs === undefined ? '' : ` Go on later: assay test --resume ${shown(outputs.log, io.cwd)}`;
    io.stderr.write(`\nFinishing what is running; Ctrl-C stops it now.${again}\n`);
  };
  io.interrupt.addEventListener('abort', announce, { once: true });
  const coverage = flags.coverage === undefined ? undefined : await openedCoverage(flags.coverage, plan);
  const tapes = await openedTapes(plan);
  let hooks: RunHooks | undefined;
  let hasFailed = false;
  let summary: SummaryEvent;
  let recording: Recording | undefined;
  let recorded: Promise<string | undefined> | undefined;
  try {
    hooks = await runHooks(plan, errands, io);
    await hooks?.before();
    outputs = openOutputs(plan, flags, { runId, outputs: places }, io);
    recording = openRecording(plan, { runId, log: outputs.log, isWatched: givenId !== undefined }, io);
    summary = await runPipeline(
      pipelineOptions(plan, runId, outputs, { errands, coverage, origin, tapes }, io),
    );
    for (const sink of outputs.sinks) await sink.close?.();
    // Meanwhile, hooks run and reports are written.
    recorded = recording?.finish();
  } finally {
    const problem = await hooks?.after(outputs?.log);
    if (problem !== undefined) io.stderr.write(`${escapeControls(problem)}\n`);
    hasFailed = problem !== undefined;
    io.interrupt.removeEventListener('abort', announce);
  }
  const problems = await writeReports(outputs, io);
  const covered = await reportCoverage(coverage, outputs, problems);
  const isSkills = plan.sources.every(({ type }) => type === 'skill');
  const taped = await tapeLines(tapes, plan, runId, summary);
  if (outputs.isTalkative)
    outputs.screen.write(`${covered}${indented(taped.lines)}${footer(outputs, summary, isSkills, io)}`);
  else io.stderr.write(indented(taped.lines.filter((line) => !/^(?:Replayed|Recorded):/.test(line))));
  if (taped.problem !== undefined) problems.push(taped.problem);
  for (const problem of problems) io.stderr.write(`${escapeControls(problem)}\n`);
  const unrecorded = await recorded;
  if (unrecorded !== undefined) io.stderr.write(`${escapeControls(unrecorded)}\n`);
  hasFailed ||= unrecorded !== undefined && recording?.isRequired === true;
  hasFailed ||= problems.length > 0;
  return hasFailed && summary.exit_code === EXIT.passed ? EXIT.unmeasured : summary.exit_code;
}

async function openedCoverage(formats: string | true, plan: RunPlan): Promise<Coverage> {
  const { openCoverage } = await import('../run/outputs/coverage.ts');
  return openCoverage(formats, plan);
}

/** What is told of the coverage; what is wrong with it joins the problems. */
async function reportCoverage(
  coverage: Coverage | undefined,
  { screen }: Outputs,
  problems: string[],
): Promise<string> {
  if (coverage === undefined) return '';
  try {
    return await coverage.report(screen.columns);
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    problems.push(error.message);
    return '';
  } finally {
    coverage.close();
  }
}

/** Nothing is loaded for the many runs that neither record nor replay. */
async function openedTapes(plan: RunPlan): Promise<RunTapes | undefined> {
  if (plan.tapes === undefined) return undefined;
  const { openTapes } = await import('../run/outputs/tape-session.ts');
  return openTapes(plan.tapes, plan);
}

async function tapeLines(
  tapes: RunTapes | undefined,
  plan: RunPlan,
  runId: string,
  { exit_code, skipped }: SummaryEvent,
): Promise<{ lines: string[]; problem?: string | undefined }> {
  if (tapes === undefined) return { lines: [] };
  const { closeTapes } = await import('../run/outputs/tape-session.ts');
  return closeTapes(tapes, plan, runId, exit_code !== EXIT.interrupted && skipped === 0);
}

function indented(texts: readonly string[]): string {
  return texts.map((text) => `  ${escapeControls(text)}\n`).join('');
}

function pipelineOptions(
  plan: RunPlan,
  runId: string,
  { sinks }: Outputs,
  {
    errands,
    coverage,
    origin,
    tapes,
  }: {
    errands: ErrandRunner;
    coverage: Coverage | undefined;
    origin: Origin;
    tapes: RunTapes | undefined;
  },
  io: Io,
): PipelineOptions {
  const { settings, prepared, resumed, redactor, select } = plan;
  const { targets, context } = prepared;
  return {
    cases: prepared.cases(),
    opening: resumed === undefined ? startEvent(plan, runId, origin, io) : resumeEvent(runId),
    plan: { targets, context, settings, select, ...(resumed === undefined ? {} : { prior: resumed.kept }) },
    pool: {
      parallel: {
        'agent-eval': parallelOf('agent-eval', settings, availableParallelism()),
        script: parallelOf('script', settings, availableParallelism()),
        skill: parallelOf('skill', settings, availableParallelism()),
      },
      retries: settings.retries,
      isBlocking: targets.some(({ agent: { run } }) => run.type === 'assistant' && run.is_blocking === true),
      cwd: plan.cwd,
      env: plan.dotenv,
      first: io.worker,
      coverage: coverage?.folder,
      tapes,
      async after(attempt, outcome, before) {
        const { runAfterHook } = await import('../kinds/agent/after-hook.ts');
        return runAfterHook((errand) => errands.run(errand), attempt, outcome, before);
      },
    },
    failFast: settings.fail_fast,
    minPassRate: settings.min_pass_rate,
    nameAgents: new Set(targets.map((target) => target.agent.id)).size > 1,
    redactor,
    sinks: withLateOrigin(sinks, origin),
    interrupt: io.interrupt,
  };
}

/** What is to be done when the run is over; gives what went wrong with it. */
type RunHooks = { before(): Promise<void>; after(log: string | undefined): Promise<string | undefined> };

/** The functions around the run; the second one is called even if the first one failed. Nothing is loaded for a run without such hooks. */
async function runHooks(plan: RunPlan, errands: ErrandRunner, io: Io): Promise<RunHooks | undefined> {
  if ((plan.settings.before_all ?? plan.settings.after_all) === undefined) return undefined;
  const { runAfterAll, runBeforeAll } = await import('../run/hooks.ts');
  const tell = (line: string): void => {
    if (plan.settings.verbose) io.stderr.write(`${escapeControls(line)}\n`);
  };
  let before: unknown;
  return {
    async before() {
      before = await runBeforeAll(plan, errands, tell);
    },
    after: (log) => runAfterAll(plan, errands, { log, before, tell }),
  };
}

/** The formats of a reporter that is an agent. */
async function reporterOf(plan: RunPlan, errands: ErrandRunner): Promise<ReporterFormat | undefined> {
  const { reporter: agent, root, redactor, settings, prepared } = plan;
  const [target] = prepared.targets;
  if (agent === undefined || target === undefined) return undefined;
  const { agentReporter } = await import('../run/outputs/reporter-agent.ts');
  const context = runContext({ ...target, agent }, prepared.context, settings);
  return agentReporter({ agent, context, root, verbose: settings.verbose, errands, redactor });
}

/** The summary of a resumed log in which nothing is left to execute. */
function finishedSummary({ resumed, prepared }: RunPlan): SummaryEvent | undefined {
  return resumed !== undefined && resumed.kept.size >= prepared.attempts ? resumed.summary : undefined;
}

function startEvent(plan: RunPlan, runId: string, { known: origin }: Origin, io: Io): StartEvent {
  const { settings, prepared } = plan;
  return {
    type: 'start',
    timestamp: new Date().toISOString(),
    agent_id: [...new Set(prepared.targets.map((target) => target.agent.id))].join(', '),
    total_cases: prepared.total,
    run_id: runId,
    log_version: LOG_VERSION,
    runs_per_case: settings.runs,
    ...connectorOf(plan),
    environment: environmentOf(plan),
    inputs: prepared.inputs,
    flags: loggedFlags(plan),
    cwd: plan.cwd,
    version: io.version,
    ...plan.defined?.logged,
    origin,
  };
}

/** For script tests the context file wins over the flags. */
function environmentOf({ settings, prepared }: RunPlan): StartEvent['environment'] {
  const { user_id: user, team_id: team } = prepared.context.authorized ?? {};
  const isScript = prepared.targets.every(({ agent }) => agent.run.type === 'script');
  const first = <T>(flag: T | undefined, file: T | undefined): T | undefined =>
    isScript ? (file ?? flag) : (flag ?? file);
  return {
    user_id: first(settings.user, user) ?? DEFAULTS.user,
    team_id: first(settings.team, team) ?? DEFAULTS.team,
    locale: prepared.context.locale ?? DEFAULTS.locale,
  };
}

function connectorOf({ settings, prepared }: RunPlan): { connector?: string } {
  const chosen = prepared.targets.map(
    ({ agent }) => agent.chosen?.connector ?? agent.connector ?? agent.defaults?.connector,
  );
  // Several have no name in common.
  const isOne = chosen.every((connector) => connector === chosen[0]);
  const connector = settings.connector ?? (isOne ? chosen[0] : undefined);
  return connector === undefined ? {} : { connector };
}

function resumeEvent(runId: string): ResumeEvent {
  return { type: 'resume', run_id: runId, timestamp: new Date().toISOString() };
}

/** Where the results are, and the command that runs again what did not pass. */
function footer(outputs: Outputs, summary: SummaryEvent, isSkills: boolean, io: Io): string {
  const lines = [`  Log: ${shown(outputs.log, io.cwd)}`];
  for (const { destination } of outputs.reports) {
    if (destination !== '-' && existsSync(destination)) lines.push(`  Report: ${shown(destination, io.cwd)}`);
  }
  const command = isSkills ? 'assay skills' : 'assay test';
  if (summary.exit_code === EXIT.interrupted)
    lines.push(`  Go on: assay test --resume ${shown(outputs.log, io.cwd)}`);
  else if (summary.failed > 0)
    lines.push(`  Run again what failed: ${command} --failed ${shown(outputs.log, io.cwd)}`);
  return `${lines.join('\n')}\n`;
}
