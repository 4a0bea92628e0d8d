// Where a run's events go: the log first, then the screen, then the reports that were asked for.

import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../../errors.ts';
import type { LoggedEvent, Sink } from '../../model/sink.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { userFrames } from '../../report/fold/failures.ts';
import type { LogWriter } from '../../log/writer.ts';
import { refuseHeldLog } from '../../log/writer.ts';
import type { Format, ReporterFormat } from '../../report/registry.ts';
import { formatFor } from '../../report/registry.ts';
import { createTerminal } from '../../report/terminal/terminal.ts';
import { specialFile } from '../../platform/open-special.ts';
import { removeLeftovers } from '../../platform/replace-file.ts';
import { escapeControls } from '../../text/untrusted.ts';
import { kindById } from '../../kinds/registry.ts';
import { inputKind } from '../../model/subject.ts';
import type { Io } from '../io.ts';
import { outputPlaces } from './output-paths.ts';
import type { RunPlan } from '../plan.ts';
import { beginLog } from './run-log.ts';

/** The parts of a plan that the log and the screen need. */
export type LoggedPlan = Pick<RunPlan, 'application' | 'inputs' | 'request'>;

/** A report to make when the run is over. */
type PlannedReport = {
  destination: string;
  format: Format;
  /** The pipe or device that the destination is before the run; null if it is none. */
  special?: string | null;
};

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
  const { resumed } = plan.request;
  const logs = destinations.filter((place) => place.endsWith('.jsonl') && place !== resumed?.path);
  // A resumed run continues its own log.
  const wanted = resumed === undefined ? logs.shift() : undefined;
  wishes.push(...logs.map((destination) => ({ destination, reporter: undefined })));
  const reports = wishes.map((wish) => {
    const format = formatFor(wish.destination, wish.reporter, agent);
    if (wish.destination !== '-') checkWritable(wish.destination);
    return { destination: wish.destination, format, special: specialFile(wish.destination) ?? null };
  });
  return { reports, wanted, streams };
}

/** Throws ConfigError if a copy of the log would replace the log of a run that is on. */
export async function refuseHeldCopies({ reports }: OutputPlan): Promise<void> {
  for (const { destination } of reports) if (destination.endsWith('.jsonl')) await refuseHeldLog(destination);
}

/** Begins the log and opens everything that shows a run in progress. */
export function openOutputs(
  plan: LoggedPlan,
  { writer, outputs }: { writer: LogWriter | undefined; outputs: OutputPlan },
  io: Pick<Io, 'caller' | 'env' | 'stderr' | 'stdout'>,
): Outputs {
  const { resumed } = plan.request;
  const { settings, sources, isOnlyMessages: isMessage } = plan.inputs;
  const { reports, streams } = outputs;
  const isStdoutTaken = isMessage || streams || reports.some((report) => report.destination === '-');
  const screen = isStdoutTaken ? io.stderr : io.stdout;
  const sinks: Sink[] = writer === undefined ? [] : [beginLog(plan, writer)];
  const log = writer?.path ?? '';
  if (writer !== undefined) io.caller?.opened(log);
  if (io.caller !== undefined)
    return { sinks: [...sinks, io.caller.sink], log, reports, screen, isTalkative: false };
  if (streams) sinks.push(streamTo(io.stdout));
  const isTalkative = !isMessage || settings.verbose;
  if (isMessage && !streams && !reports.some((report) => report.destination === '-')) {
    sinks.push(answerTo(io.stdout, isTalkative ? undefined : io.stderr));
  }
  if (isTalkative) {
    const earlier =
      resumed === undefined
        ? {}
        : { resumed: { start: resumed.start, kept: resumed.kept.size, counts: resumed.counts } };
    sinks.push(
      createTerminal({
        stream: screen,
        verbose: settings.verbose,
        quiet: settings.quiet,
        ...looks(screen, io.env),
        ...earlier,
      }),
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

function checkWritable(path: string): void {
  try {
    makeFolder(dirname(path));
    removeLeftovers(dirname(path));
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
