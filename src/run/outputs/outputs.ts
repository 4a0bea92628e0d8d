// Where a run's events go: the log first, then the screen, then the reports that were asked for.

import { accessSync, constants, existsSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';
import type { LoggedEvent, Sink } from '../../model/sink.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { rememberLog } from '../../platform/state-folder.ts';
import { userFrames } from '../../report/fold/failures.ts';
import { openLogWriter } from '../../log/writer.ts';
import type { Format, ReporterFormat } from '../../report/registry.ts';
import { formatFor } from '../../report/registry.ts';
import { createTerminal } from '../../report/terminal/terminal.ts';
import { escapeControls } from '../../text/untrusted.ts';
import { kindById } from '../../kinds/registry.ts';
import { inputKind } from '../../model/subject.ts';
import type { Io } from '../io.ts';
import { outputPlaces } from './output-paths.ts';
import type { RunPlan } from '../plan.ts';
import { writableState } from '../../platform/writable-state.ts';

/** The parts of a plan that the log and the screen need. */
type LoggedPlan = Pick<RunPlan, 'application' | 'inputs' | 'request'>;

/** A report to make when the run is over. */
type PlannedReport = { destination: string; format: Format };

/** Where everything is to go; nothing is opened yet. */
export type OutputPlan = {
  reports: PlannedReport[];
  /** Where `-o *.jsonl` wants the log. */
  wanted: string | undefined;
  /** Results go to stdout as they come. */
  streams: boolean;
};

export type Outputs = {
  sinks: Sink[];
  /** Absolute path of the run log. */
  log: string;
  reports: PlannedReport[];
  /** The stream that people read. */
  screen: NodeJS.WriteStream;
  /** True if the screen shows more than the answer. */
  isTalkative: boolean;
};

/** Decides what is written where; throws if a place cannot be written. */
export function planOutputs(
  plan: Pick<RunPlan, 'inputs' | 'request'>,
  io: Pick<Io, 'cwd'>,
  agent: ReporterFormat | undefined,
): OutputPlan {
  const { json: isJson = false } = plan.request.flags;
  const { reporter } = plan.inputs.settings;
  const destinations = outputPlaces(plan, io, 'results');
  const wishes = destinations
    .filter((destination) => destination !== '-' && !destination.endsWith('.jsonl'))
    .map((destination) => ({ destination, reporter }));
  if (reporter !== undefined && (wishes.length === 0 || destinations.includes('-'))) {
    wishes.push({ destination: '-', reporter });
  }
  if (isJson) wishes.push({ destination: '-', reporter: 'report.json' });
  if (wishes.filter(({ destination }) => destination === '-').length > 1)
    throw bothOnStdout(`-r ${reporter ?? ''}`);
  const streams = destinations.includes('-') && reporter === undefined;
  if (streams && isJson) throw bothOnStdout('-o -');
  const [wanted, ...copies] = destinations.filter((destination) => destination.endsWith('.jsonl'));
  wishes.push(...copies.map((destination) => ({ destination, reporter: undefined })));
  const reports = wishes.map((wish) => {
    const format = formatFor(wish.destination, wish.reporter, agent);
    if (wish.destination !== '-') checkWritable(wish.destination);
    return { destination: wish.destination, format };
  });
  return { reports, wanted, streams };
}

/** Opens the log and everything that shows a run in progress. */
export function openOutputs(
  plan: LoggedPlan,
  { runId, outputs }: { runId: string; outputs: OutputPlan },
  io: Pick<Io, 'env' | 'stderr' | 'stdout'>,
): Outputs {
  const { flags, resumed } = plan.request;
  const { settings, sources, isOnlyMessages: isMessage } = plan.inputs;
  const { reports, wanted, streams } = outputs;
  const isStdoutTaken = isMessage || streams || reports.some((report) => report.destination === '-');
  const screen = isStdoutTaken ? io.stderr : io.stdout;
  const { log, sink } = openLog(plan, {
    wanted,
    runId,
    isImplicit: flags.watch === true || reports.length > 0,
    warn: (text) => void io.stderr.write(`${text}\n`),
  });
  const sinks = [sink];
  if (streams) sinks.push(streamTo(io.stdout));
  const isTalkative = !isMessage || settings.verbose;
  if (isMessage && !streams && !reports.some((report) => report.destination === '-')) {
    sinks.push(answerTo(io.stdout, isTalkative ? undefined : io.stderr));
  }
  if (isTalkative) {
    const earlier =
      resumed === undefined ? {} : { resumed: { start: resumed.start, kept: resumed.kept.size } };
    sinks.push(
      createTerminal({ stream: screen, verbose: settings.verbose, ...looks(screen, io.env), ...earlier }),
    );
  }
  for (const id of new Set(sources.map(inputKind))) {
    const sink = kindById(id).openSink?.(plan.application.root);
    if (sink !== undefined) sinks.push(sink);
  }
  return { sinks, log, reports, screen, isTalkative };
}

function bothOnStdout(other: string): ConfigError {
  return new ConfigError(`--json and ${other} would both write to stdout`, {
    hint: 'give one of them a file with -o, or leave one out',
  });
}

/** The abilities of a stream; honours NO_COLOR, FORCE_COLOR, TERM and CI. */
export function looks(
  stream: { isTTY?: boolean },
  env: Record<string, string | undefined>,
): { color: boolean; interactive: boolean; unicode: boolean } {
  const isTerminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  const isForced =
    env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== '';
  const isRefused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const isCi = env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';
  const locale = env['LC_ALL'] ?? env['LC_CTYPE'] ?? env['LANG'] ?? '';
  return {
    color: !isRefused && (isForced || isTerminal),
    interactive: isTerminal && !isCi,
    unicode: locale === '' || /utf-?8/i.test(locale) || !isTerminal,
  };
}

/**
 * The log lies where `-o *.jsonl` says; else next to the case file; else, or if other formats were asked for, in
 * `.assay/runs`. A resumed run continues its own log.
 */
function openLog(
  plan: LoggedPlan,
  options: {
    wanted: string | undefined;
    runId: string;
    isImplicit: boolean;
    warn: (text: string) => void;
  },
): { log: string; sink: Sink } {
  const { resumed } = plan.request;
  const { sources, defined } = plan.inputs;
  const { root } = plan.application;
  const log = resumed?.path ?? options.wanted;
  if (resumed !== undefined && log !== undefined) {
    truncateSync(log, resumed.end);
    return remembered(plan, log, openLogWriter(log, { append: true }));
  }
  if (log !== undefined) return remembered(plan, log, openLogWriter(log));
  const file = sources.find(
    (source) => source.type === 'file' && source.stdin !== true && source.generated === undefined,
  );
  if (file?.type === 'file' && !options.isImplicit && defined === undefined) {
    const beside = tryBeside(dirname(file.path));
    if (beside !== undefined) return remembered(plan, beside.log, beside.sink);
  }
  const { folder, isElsewhere } = writableState(root, 'runs');
  const inState = join(folder, `${options.runId}.jsonl`);
  if (isElsewhere) options.warn(`${root} cannot be written; the log is in ${inState}`);
  return remembered(plan, inState, openLogWriter(inState));
}

/** Two runs in one second do not share a log; a folder that cannot be written is no reason to stop. */
function tryBeside(folder: string): { log: string; sink: Sink } | undefined {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  for (let count = 1; count < 100; count += 1) {
    const log = join(folder, `output-${stamp}${count === 1 ? '' : `-${String(count)}`}.jsonl`);
    if (existsSync(log)) continue;
    try {
      return { log, sink: openLogWriter(log, { exclusive: true }) };
    } catch (error) {
      if (!/EEXIST/.test(messageOf(error))) return undefined;
    }
  }
  return undefined;
}

function remembered(plan: LoggedPlan, log: string, sink: Sink): { log: string; sink: Sink } {
  // A single message is not the last run that `--failed` and `--resume last` mean.
  if (plan.inputs.isOnlyMessages) return { log, sink };
  try {
    rememberLog(plan.application.root, log);
  } catch {
    // A read-only application has no "last" run; the log itself is what counts.
  }
  return { log, sink };
}

function checkWritable(path: string): void {
  try {
    makeFolder(dirname(path));
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw new Error('it is a folder');
    accessSync(stats === undefined ? dirname(path) : path, constants.W_OK);
  } catch (cause) {
    throw new RuntimeError(`cannot write the report ${path}: ${messageOf(cause)}`, { cause });
  }
}

function streamTo(stream: NodeJS.WriteStream): Sink {
  return {
    write: (batch) => void stream.write(batch.map(({ line }) => `${line}\n`).join('')),
  };
}

/** Message mode: the answer as it is on stdout, errors with control characters escaped on stderr. */
function answerTo(stdout: NodeJS.WriteStream, errors: NodeJS.WriteStream | undefined): Sink {
  return {
    write(batch: readonly LoggedEvent[]) {
      for (const { event } of batch) {
        if (event.type !== 'result') continue;
        const { output, error, status, logs, stack } = event;
        if (output !== undefined && output !== null) {
          stdout.write(`${typeof output === 'string' ? output : JSON.stringify(output, null, 2)}\n`);
        }
        const told = status === 'passed' ? [] : (logs?.slice(-20) ?? []);
        if (error !== undefined) told.push([`${status}: ${error}`, ...userFrames(stack)].join('\n  '));
        for (const text of told) errors?.write(`${escapeControls(text)}\n`);
      }
    },
  };
}
