// The log of a run: where it lies, its one writer, and whether it is whole at the end.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { ownFile } from '../../kinds/agent/source.ts';
import { networkFileSystem } from '../../log/network-file-system.ts';
import type { LogWriter } from '../../log/writer.ts';
import { openLogWriter } from '../../log/writer.ts';
import type { Sink } from '../../model/sink.ts';
import { shortPath } from '../../platform/paths.ts';
import { rememberLog } from '../../platform/state-folder.ts';
import { writableState } from '../../platform/writable-state.ts';
import type { RunSettings } from '../deciding-settings.ts';
import type { LoggedPlan, OutputPlan } from './outputs.ts';

/** True if the log was asked for, or a part of the run reads it. */
export function needsLog({ outputs, history, reporter, before_all, after_all }: RunSettings): boolean {
  return outputs.length > 0 || history === true || (reporter ?? before_all ?? after_all) !== undefined;
}

/** Opens and locks the log; the content stays as it is until `beginLog`. */
export async function claimLog(
  plan: LoggedPlan,
  { wanted, reports }: Pick<OutputPlan, 'reports' | 'wanted'>,
  { runId, warn, isHidden }: { runId: string; warn: (text: string) => void; isHidden: boolean },
): Promise<LogWriter> {
  const writer = await openWriter(plan, { wanted, isHidden: isHidden || reports.length > 0, runId, warn });
  const log = `the run log ${shortPath(writer.path, plan.application.cwd)}`;
  if (writer.unlocked !== undefined)
    warn(`${log} cannot be locked (${writer.unlocked}): do not start another run that writes it`);
  // Logs that Assay names have names of their own on every machine.
  const isNamed = wanted !== undefined || plan.request.resumed !== undefined;
  const shared = isNamed ? networkFileSystem(writer.path) : undefined;
  if (shared !== undefined)
    warn(`${log} is on ${shared}: a run on another machine that writes it is not noticed`);
  return writer;
}

/**
 * The log lies where `-o *.jsonl` says; else next to the case file; else, or if other formats were asked for, in
 * `.assay/runs`. A resumed run continues its own log.
 */
async function openWriter(
  { request: { flags, resumed }, inputs: { sources, defined }, application: { root, cwd } }: LoggedPlan,
  options: {
    wanted: string | undefined;
    isHidden: boolean;
    runId: string;
    warn: (text: string) => void;
  },
): Promise<LogWriter> {
  if (resumed !== undefined) return openLogWriter(resumed.path, { resumed });
  if (options.wanted !== undefined) return openLogWriter(options.wanted);
  const files = sources.filter((source) => source.type === 'file');
  const [file] = files.flatMap((source) => ownFile(source, cwd) ?? []);
  if (file !== undefined && !options.isHidden && flags.watch !== true && defined === undefined) {
    const beside = await tryBeside(dirname(file));
    if (beside !== undefined) return beside;
  }
  const { folder, isElsewhere } = writableState(root, 'runs');
  const inState = join(folder, `${options.runId}.jsonl`);
  if (isElsewhere) options.warn(`${root} cannot be written; the log is in ${inState}`);
  return openLogWriter(inState);
}

/** Two runs in one second do not share a log; a folder that cannot be written is no reason to stop. */
async function tryBeside(folder: string): Promise<LogWriter | undefined> {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  for (let count = 1; count < 100; count += 1) {
    const log = join(folder, `output-${stamp}${count === 1 ? '' : `-${String(count)}`}.jsonl`);
    if (existsSync(log)) continue;
    try {
      return await openLogWriter(log, { exclusive: true });
    } catch (error) {
      if (!/EEXIST/.test(messageOf(error))) return undefined;
    }
  }
  return undefined;
}

/** From here on the log is that of this run, and the newest of the application. */
export function beginLog(plan: LoggedPlan, writer: LogWriter): Sink {
  writer.begin();
  remember(plan, writer.path);
  return writer;
}

function remember({ inputs, application }: LoggedPlan, log: string): void {
  // A single message is not the last run that `--failed` and `--resume last` mean.
  if (inputs.isOnlyMessages) return;
  try {
    rememberLog(application.root, log);
  } catch {
    // A read-only application has no "last" run; the log itself is what counts.
  }
}

const LOSSES = {
  gone: 'was removed or moved while the run was on',
  replaced: 'was replaced by another file while the run was on',
  shorter:
    'was cut while the run was on: results are missing in it; reports and the history are not made from it',
  changed:
    'was changed by another program while the run was on; reports and the history are not made from it',
  foreign: 'has lines of another program, which wrote to it while the run was on',
} as const;

/**
 * Tells how the log differs from what was written, and which file has the results. The run's own lines in a log that has
 * lost its name or has lines of another program are saved in `.assay/runs`.
 */
export function findLogLoss(
  plan: LoggedPlan,
  writer: LogWriter,
  runId: string,
): { message: string; log: string; isWrong?: true } | undefined {
  const { root, cwd } = plan.application;
  const loss = writer.findLoss();
  if (loss === undefined) return undefined;
  const message = `the run log ${shortPath(writer.path, cwd)} ${LOSSES[loss]}`;
  if (loss === 'changed' || loss === 'shorter') return { message, log: writer.path, isWrong: true };
  const saved = join(writableState(root, 'runs').folder, `${runId}-${String(Date.now())}.jsonl`);
  try {
    writer.copyTo(saved);
  } catch (error) {
    return { message: `${message}\n${messageOf(error)}`, log: writer.path };
  }
  remember(plan, saved);
  return { message: `${message}; its results are in ${shortPath(saved, cwd)}`, log: saved };
}
