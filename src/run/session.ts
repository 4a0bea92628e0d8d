// One run: opened, executed, finished and closed, in this order.

import { v7 } from 'uuid';
import { bundleHashes, removeChangedBundles } from '../compile/noted-bundles.ts';
import { RuntimeError } from '../errors.ts';
import { mayWait } from '../history/pending-imports.ts';
import type { Recording } from '../history/recording.ts';
import { openRecording } from '../history/recording.ts';
import type { LogWriter } from '../log/writer.ts';
import type { SummaryEvent } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Sink } from '../model/sink.ts';
import type { Quarantine } from '../model/quarantine.ts';
import { shortPath } from '../platform/paths.ts';
import { removeStateLeftovers } from '../platform/state-folder.ts';
import type { NotedDebugger } from '../platform/processes/debugger.ts';
import { NO_DEBUGGER, noteDebugger } from '../platform/processes/debugger.ts';
import type { ReporterFormat } from '../report/registry.ts';
import { formatFor } from '../report/registry.ts';
import type { RunTapes } from '../tapes/run-tapes.ts';
import { shortList } from '../text/short-list.ts';
import { escapeControls } from '../text/untrusted.ts';
import { announceMatrix } from './attempt-limit.ts';
import { orderedCases } from './case-order.ts';
import { readChildRunInput } from './child-run-input.ts';
import { runContext } from './context.ts';
import { openDeciders } from './deciders.ts';
import type { Repository } from './git.ts';
import type { RunHooks } from './optional/hooks.ts';
import type { Io } from './io.ts';
import { runKind } from '../report/kinds/registry.ts';
import type { SideCallRunner } from './lazy-side-calls.ts';
import { lazySideCalls } from './lazy-side-calls.ts';
import type { Origin } from './origin.ts';
import { originOf } from './origin.ts';
import type { Coverage } from './optional/coverage.ts';
import { footer, reportLines, stopText } from './outputs/footer.ts';
import type { Outputs } from './outputs/outputs.ts';
import { openOutputs, planOutputs, refuseHeldCopies } from './outputs/outputs.ts';
import { claimLog, findLogLoss, needsLog } from './outputs/run-log.ts';
import { writeReports } from './outputs/write-reports.ts';
import { noteJudges } from './judge-files.ts';
import type { Baseline } from './against/open-against.ts';
import { openingEvent } from './start-event.ts';
import { pipelineOptions } from './pipeline-options.ts';
import type { PipelineOptions } from './pipeline.ts';
import { runPipeline } from './pipeline.ts';
import type { RunPlan } from './plan.ts';

/** Everything that is open while cases execute. */
type OpenedRun = {
  origin: Origin;
  outputs: Outputs;
  coverage: Coverage | undefined;
  tapes: RunTapes | undefined;
  recording: Recording | undefined;
};

type ExecutedRun = {
  summary: SummaryEvent;
  /** Why the run is not in the history, as soon as that is known. */
  unrecorded: Promise<string | undefined> | undefined;
};

/** The order of the methods is the order of things; `close` is called whatever happens in the others. */
export class RunSession {
  readonly #plan: RunPlan;
  readonly #io: Io;
  readonly #runId: string;
  /** Another process of this program started the run, and watches it in the history. */
  readonly #isWatched: boolean;
  readonly #sideCalls: SideCallRunner;
  /** The program that started the run takes the events, and nothing else needs a log. */
  readonly #isInMemory: boolean;
  #log: string | undefined;
  #hooks: RunHooks | undefined;
  #coverage: Coverage | undefined;
  #hasAfterAllFailed = false;
  /** The files that judge answers and have changed since the run began. */
  #changedJudges: () => string[] = () => [];
  #writer: LogWriter | undefined;
  /** What the run is compared with while it is on. */
  #baseline: Baseline | undefined;
  /** The log was asked for, so a log that is not whole is a problem. */
  #isLogRequired = false;
  #isLogLost = false;
  readonly #debugger: NotedDebugger;
  /** Its content is not what was written. */
  #isLogWrong = false;

  constructor(plan: RunPlan, io: Io) {
    const { request, application, inputs } = plan;
    const { run_id } = readChildRunInput(request.flags.childRunInput);
    this.#plan = plan;
    this.#io = io;
    this.#runId = request.resumed?.start.run_id ?? run_id ?? v7();
    this.#isWatched = run_id !== undefined;
    this.#isInMemory = io.caller !== undefined && !needsLog(inputs.settings);
    this.#debugger = io.caller?.isHere === true ? NO_DEBUGGER : noteDebugger();
    this.#sideCalls = lazySideCalls({
      cwd: application.cwd,
      env: application.dotenv,
      retries: inputs.settings.retries,
      bundles: bundleHashes,
      learn: (secrets) => application.redactor.learn(secrets),
    });
  }

  /** Opens everything that a run writes to, and calls the hook before all cases. */
  async open(repository?: Repository): Promise<OpenedRun> {
    const { request, application } = this.#plan;
    const io = this.#io;
    const origin =
      request.resumed === undefined && !this.#isInMemory
        ? await originOf(application.root, io.env, repository)
        : { known: {} };
    const places = planOutputs(this.#plan, io, await this.#reporter());
    this.#baseline = await this.#readBaseline();
    // Before any user code: a log that another run writes is a reason to execute nothing.
    await refuseHeldCopies(places);
    const warn = (text: string): void => this.#tell(text);
    if (!this.#isInMemory)
      this.#writer = await claimLog(this.#plan, places, {
        runId: this.#runId,
        warn,
        isHidden: io.caller !== undefined,
      });
    if (this.#debugger.atStart !== undefined)
      this.#tell('the debugger of this process is open: an agent can reach it, and change verdicts with it');
    announceMatrix(this.#plan, io);
    if (io.caller === undefined) io.interrupt.addEventListener('abort', this.#announceStop, { once: true });
    this.#coverage = await this.#openCoverage();
    const tapes = await this.#openTapes();

    this.#hooks = await this.#openHooks();
    await this.#hooks?.before();

    this.#changedJudges = noteJudges(this.#plan.prepared.judges);
    const outputs = openOutputs(this.#plan, { writer: this.#writer, outputs: places }, io);
    this.#log = outputs.log;
    this.#isLogRequired = places.wanted !== undefined || request.resumed !== undefined;
    const recording = this.#isInMemory ? undefined : this.#record(outputs.log);
    return { origin, outputs, coverage: this.#coverage, tapes, recording };
  }

  /** The sinks, with a summary for groups of cases if there are any. */
  async #sinks(options: PipelineOptions): Promise<readonly Sink[]> {
    const { cluster, min_pass_rate } = this.#plan.inputs.settings;
    if (cluster === undefined) return options.sinks;
    const { clusteredSinks } = await import('./optional/clustered-summary.ts');
    const { resumed } = this.#plan.request;
    return clusteredSinks(options, { cluster, min_pass_rate, resumed });
  }

  #record(log: string): Recording | undefined {
    const { application, inputs } = this.#plan;
    return openRecording({
      settings: inputs.settings,
      isOnlyMessages: inputs.isOnlyMessages,
      root: application.root,
      cwd: this.#io.cwd,
      redactor: application.redactor,
      runId: this.#runId,
      log,
      isWatched: this.#isWatched,
      interrupt: this.#io.interrupt,
    });
  }

  /** Executes all attempts; the log is complete then. */
  async execute({ origin, outputs, coverage, tapes, recording }: OpenedRun): Promise<ExecutedRun> {
    const { version } = this.#io;
    const opening = openingEvent(this.#plan, { runId: this.#runId, origin: origin.known, version });
    const start = opening.type === 'start' ? opening : this.#plan.request.resumed?.start;
    const decided = start === undefined ? undefined : { baseline: this.#baseline, start };
    const deciders = decided === undefined ? [] : await openDeciders(this.#plan, decided, this.#io);
    const quarantine = await this.#openQuarantine();
    const cases = await orderedCases(this.#plan, (text) => this.#tell(text));
    const sideCalls = this.#sideCalls;
    const parts = { opening, sideCalls, origin, coverage, tapes, deciders, quarantine, cases };
    const options = pipelineOptions(this.#plan, outputs, parts, this.#io);
    const executing = runPipeline({ ...options, sinks: await this.#sinks(options) });
    // The first time takes a millisecond, which is free while the workers start.
    this.#debugger.opened();
    const summary = await executing;
    for (const sink of outputs.sinks) await sink.close?.();
    // What reads the log from here on reads the results, wherever they are now.
    outputs.log = this.#checkLog() ?? outputs.log;
    this.#log = outputs.log;
    // The history is written while hooks run and reports are made.
    return { summary, unrecorded: recording?.finish(this.#isLogWrong ? undefined : outputs.log) };
  }

  /** Calls the hook after all cases, writes the reports and the footer. Gives the exit code. */
  async finish(
    { outputs, coverage, tapes, recording }: OpenedRun,
    { summary, unrecorded }: ExecutedRun,
  ): Promise<number> {
    await this.#runAfterAll();
    const isWithheld = this.#isLogWrong && outputs.reports.length > 0;
    const problems = this.#isLogWrong ? [] : await writeReports(outputs, this.#io);
    const coverageText = await reportCoverage(coverage, outputs, problems);
    const tapeLines = await this.#closeTapes(tapes, summary, problems);

    if (outputs.isTalkative) {
      const { verb } = runKind(this.#plan.prepared);
      const isGraded = this.#plan.graded !== undefined;
      const end = footer(outputs, summary, { verb, cwd: this.#io.cwd, isGraded });
      outputs.screen.write(`${await comparedCases(summary)}${coverageText}${indented(tapeLines)}${end}`);
    } else {
      const warnings = tapeLines.filter((line) => !/^(?:Replayed|Recorded):/.test(line));
      this.#io.stderr.write(indented(warnings));
    }
    for (const problem of problems) this.#tell(problem);
    if (this.#plan.inputs.settings.budget !== undefined && summary.cost_usd === undefined)
      this.#tell('--budget: no call has reported a cost, so that it limited nothing');

    this.#checkLog();
    const changed = this.#changedJudges().map((file) => shortPath(file, this.#io.cwd));
    if (changed.length > 0)
      this.#tell(
        `changed while the run was on, so that its judgements cannot be trusted: ${shortList(changed)}`,
      );
    const changedBundles = removeChangedBundles().map((file) => shortPath(file, this.#io.cwd));
    if (changedBundles.length > 0)
      this.#tell(
        `changed in the cache of compiled code while the run was on, so that its results cannot be trusted: ${changedBundles.join(', ')}`,
      );
    const debugged = this.#debugger.opened();
    if (debugged !== undefined)
      this.#tell(
        `a debugger was opened in this process while the run was on, so that its verdicts cannot be trusted: ${debugged}`,
      );
    const notInHistory = await unrecorded;
    if (notInHistory !== undefined) this.#tell(notInHistory);
    const isHistoryMissing = notInHistory !== undefined && recording?.isRequired === true;
    const isLogMissing = (this.#isLogLost && this.#isLogRequired) || isWithheld;
    const isProven =
      changed.length + changedBundles.length === 0 && debugged === undefined && problems.length === 0;
    const hasFailed = this.#hasAfterAllFailed || isHistoryMissing || isLogMissing || !isProven;
    return hasFailed && summary.exit_code === EXIT.passed ? EXIT.unmeasured : summary.exit_code;
  }

  /** Writes the reports of a finished run from its log, and executes nothing. Gives the exit code. */
  async report({ path, exit_code }: { path: string; exit_code: number }): Promise<number> {
    const places = planOutputs(this.#plan, this.#io, await this.#reporter());
    await refuseHeldCopies(places);
    const reports = [...places.reports];
    if (places.streams) reports.push({ destination: '-', format: formatFor('-') });
    const problems = await writeReports({ reports, log: path }, this.#io);
    // The run may have been killed before it was in the history.
    const isRecorded = this.#plan.inputs.settings.store !== undefined || mayWait(path);
    const recording = isRecorded ? this.#record(path) : undefined;
    const notInHistory = await recording?.finish(path);
    if (notInHistory !== undefined && recording?.isRequired === true) problems.push(notInHistory);
    for (const problem of problems) this.#tell(problem);
    this.#io.stderr.write(reportLines(reports, this.#io.cwd));
    return problems.length > 0 && exit_code === EXIT.passed ? EXIT.unmeasured : exit_code;
  }

  /** Calls the hook after all cases if nothing has yet, and ends the processes of the session. */
  async close(): Promise<void> {
    await this.#runAfterAll();
    this.#coverage?.close();
    // Also after a failure, so that no later run loads what was changed.
    removeChangedBundles();
    await this.#sideCalls.close();
    this.#writer?.release();
    if (!this.#isInMemory) removeStateLeftovers(this.#plan.application.root);
  }

  /** Says once if the log is not what was written; gives the file that has the results then. */
  #checkLog(): string | undefined {
    const writer = this.#writer;
    if (writer === undefined || this.#isLogLost) return undefined;
    const loss = findLogLoss(this.#plan, writer, this.#runId);
    if (loss === undefined) return undefined;
    this.#isLogLost = true;
    this.#isLogWrong = loss.isWrong === true;
    this.#tell(loss.message);
    return loss.log;
  }

  /** Runs once. From then on Ctrl-C ends the program at once. */
  async #runAfterAll(): Promise<void> {
    const hooks = this.#hooks;
    this.#hooks = undefined;
    const problem = await hooks?.after(this.#log);
    if (problem !== undefined) {
      this.#tell(problem);
      this.#hasAfterAllFailed = true;
    }
    this.#io.interrupt.removeEventListener('abort', this.#announceStop);
  }

  readonly #announceStop = (): void => {
    const log = this.#plan.graded === undefined ? this.#log : undefined;
    this.#io.stderr.write(stopText(log, this.#io.cwd));
  };

  /** The formats of a reporter that is an agent. */
  async #reporter(): Promise<ReporterFormat | undefined> {
    const { application, inputs, prepared } = this.#plan;
    const { reporter: agent, root, redactor } = application;
    const [target] = prepared.targets;
    if (agent === undefined || target === undefined) return undefined;
    const { agentReporter } = await import('./optional/reporter-agent.ts');
    const { test_id, variables } = target;
    const subject = { kind: 'agent-eval' as const, ...agent };
    const context = runContext({ test_id, variables, subject }, prepared.context, inputs.settings);
    const { verbose } = inputs.settings;
    return agentReporter({ agent, context, root, verbose, sideCalls: this.#sideCalls, redactor });
  }

  /** Before anything is written: a baseline that does not exist is a reason to execute nothing. */
  async #readBaseline(): Promise<Baseline | undefined> {
    const { against } = this.#plan.inputs.settings;
    if (against === undefined) return undefined;
    const { readBaseline } = await import('./against/open-against.ts');
    return readBaseline(this.#plan, against, this.#runId);
  }

  async #openCoverage(): Promise<Coverage | undefined> {
    const { request, application, inputs } = this.#plan;
    const { coverage: formats } = request.flags;
    if (formats === undefined) return undefined;
    const { openCoverage } = await import('./optional/coverage.ts');
    return openCoverage(formats, inputs.sources, application);
  }

  async #openTapes(): Promise<RunTapes | undefined> {
    const { application, inputs, prepared } = this.#plan;
    if (prepared.tapes === undefined) return undefined;
    const { openTapes } = await import('./optional/tape-session.ts');
    const { runs } = inputs.settings;
    return openTapes(prepared.tapes, { targets: prepared.targets, runs, redactor: application.redactor });
  }

  async #openHooks(): Promise<RunHooks | undefined> {
    const { before_all, after_all } = this.#plan.inputs.settings;
    if ((before_all ?? after_all) === undefined) return undefined;
    const { openRunHooks } = await import('./optional/hooks.ts');
    return openRunHooks(this.#plan, this.#sideCalls, this.#io);
  }

  async #openQuarantine(): Promise<Quarantine | undefined> {
    const { application, inputs, quarantine } = this.#plan;
    const { root, cwd } = application;
    const warn = (text: string): void => this.#tell(text);
    return quarantine?.open({ root, cwd, store: inputs.settings.store, runId: this.#runId, warn });
  }

  /** Lines about the tapes; a problem with them is added to `problems`. */
  async #closeTapes(
    tapes: RunTapes | undefined,
    { exit_code, skipped }: SummaryEvent,
    problems: string[],
  ): Promise<string[]> {
    if (tapes === undefined) return [];
    const { closeTapes } = await import('./optional/tape-session.ts');
    const isWhole = exit_code !== EXIT.interrupted && skipped === 0;
    const { lines, problem } = closeTapes(tapes, this.#plan, { runId: this.#runId, isWhole });
    if (problem !== undefined) problems.push(problem);
    return lines;
  }

  #tell(text: string): void {
    this.#io.stderr.write(`${escapeControls(text)}\n`);
  }
}

/** The text for the screen; a problem with the coverage is added to `problems`. */
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
  }
}

/** The telling cases of a run that was compared while it was on. */
async function comparedCases({ comparison, exit_code }: SummaryEvent): Promise<string> {
  // After Ctrl-C most cases have no measurement, which is no news.
  if (comparison === undefined || exit_code === EXIT.interrupted) return '';
  const { comparisonDetails } = await import('../report/comparison/text.ts');
  return indented(comparisonDetails(comparison));
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${escapeControls(line)}\n`).join('');
}
