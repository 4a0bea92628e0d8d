// In the coordinator: names, writes and counts the tapes of a run.

import { join } from 'node:path';
import { RuntimeError } from '../errors.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Outcome } from '../model/outcome.ts';
import { isMeasured } from '../model/outcome.ts';
import { variablesKey } from '../variables/variables-key.ts';
import type { TapeReport } from './attempt-tape.ts';
import type { Redactor } from '../secrets/redact.ts';
import { maskTape } from './secrets.ts';
import type { TapeFile } from './tape-file.ts';
import { TapedTimes } from './taped-times.ts';
import { readTape, TAPE_VERSION, tapePath, tapesIn, writeTape } from './tape-file.ts';
import type { TapeSettings } from './worker-tapes.ts';

export type TapeCounts = {
  /** Files written, and the new exchanges in them. */
  written: number;
  recorded: number;
  /** Files that were replayed, and the requests that they answered. */
  played: number;
  answered: number;
  /** Attempts that were not recorded because they failed. */
  unmeasured: number;
  /** Attempts with missing recordings, and their cases. */
  missed: { attempts: number; cases: string[] };
  /** Recorded runs that no longer exist. */
  dropped: number;
  /** Exchanges that were not requested, by file and run. */
  unused: UnusedExchanges[];
  /** Connections that cannot be recorded, as `host:port`. */
  unseen: string[];
  /** Requests after the end of their attempt. */
  late: string[];
  /** The first error while writing. */
  problem?: string;
};

export type UnusedExchanges = { file: string; run: number; exchanges: { index: number; name: string }[] };

type Options = {
  settings: TapeSettings;
  /** The number of runs of a case. */
  countRuns(attempt: Attempt): number;
  /** Knows the secrets that were found so far. */
  redactor: Redactor;
};

/** Writes and counts the tapes of one run. */
export class RunTapes {
  readonly settings: TapeSettings;
  readonly #options: Options;
  /** The files of all attempts. */
  readonly #asked = new Set<string>();
  readonly #written = new Set<string>();
  readonly #played = new Set<string>();
  readonly #unused: UnusedExchanges[] = [];
  readonly #unseen = new Set<string>();
  readonly #missed = new Set<string>();
  readonly #late = new Set<string>();
  #latest: { file: string; tape: TapeFile | undefined } | undefined;
  #problem: string | undefined;
  #recorded = 0;
  #answered = 0;
  #unmeasured = 0;
  #misses = 0;
  #dropped = 0;

  constructor(options: Options) {
    this.settings = options.settings;
    this.#options = options;
  }

  /** The path of an attempt's tape, relative to the tapes folder. */
  tapePath({ test_id, case: { id, input }, variables }: Attempt): string {
    const variant = variablesKey(variables);
    // Messages given on the command line all have this id.
    const isMessage = test_id === 'message' && id === 'message';
    return tapePath(test_id, id, isMessage ? variant + JSON.stringify(input) : variant);
  }

  /** The measurements of an attempt, which a replay takes from its recording. */
  times(attempt: Attempt): TapedTimes {
    const { folder, mode } = this.settings;
    if (mode === 'record') return new TapedTimes(undefined);
    const file = attempt.tape ?? this.tapePath(attempt);
    // The repetitions of a case follow each other.
    if (this.#latest?.file !== file) this.#latest = { file, tape: readable(join(folder, file)) };
    return new TapedTimes(this.#latest.tape?.runs.find(({ run }) => run === attempt.run)?.times);
  }

  /**
   * Handles the reports of an attempt: of its agent, and of its judges if they were asked. Call it before the result is
   * published.
   */
  settled(attempt: Attempt, outcome: Outcome, reports: AttemptReports = {}): void {
    const report = joinReports(reports);
    const file = attempt.tape ?? this.tapePath(attempt);
    const { mode } = this.settings;
    this.#asked.add(file);
    this.#answered += report?.answered ?? 0;
    if (report?.isFound === true) this.#played.add(file);
    for (const address of report?.unseen ?? []) this.#unseen.add(address);
    // An attempt that ended early has not sent all its requests.
    if (report?.unused !== undefined && outcome.status !== 'error')
      this.#unused.push({ file, run: attempt.run, exchanges: report.unused });
    if (outcome.code === 'replay') {
      this.#misses += 1;
      this.#missed.add(attempt.case.id);
    }
    if (report?.recorded === undefined && mode !== 'record') return;
    // Do not replace a good recording with a failure of the other side.
    if (isMeasured(outcome)) this.#writeSafely(attempt, file, report);
    else if (outcome.code !== 'replay') this.#unmeasured += 1;
  }

  /** Adds a request that was sent after the end of its attempt. */
  late(name: string): void {
    this.#late.add(name);
  }

  counts(): TapeCounts {
    return {
      written: this.#written.size,
      recorded: this.#recorded,
      played: this.#played.size,
      answered: this.#answered,
      unmeasured: this.#unmeasured,
      missed: { attempts: this.#misses, cases: [...this.#missed] },
      dropped: this.#dropped,
      unused: this.#unused,
      unseen: [...this.#unseen],
      late: [...this.#late],
      problem: this.#problem,
    };
  }

  /** Tapes in the folders of this run that belong to no case of it. */
  untouched(): string[] {
    const folders = new Set([...this.#asked].map(parentFolder));
    const files = [...folders].flatMap((folder) => tapesIn(this.settings.folder, folder));
    // Skip tapes of combinations of variables: this run may cover only some of them.
    return files.filter((file) => !this.#asked.has(file) && !file.includes('@'));
  }

  /** A failure to write must not lose the result. */
  #writeSafely(attempt: Attempt, file: string, report: TapeReport | undefined): void {
    try {
      this.#write(attempt, file, report);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      this.#problem ??= error.message;
    }
  }

  #write(attempt: Attempt, file: string, { recorded, added = 0 }: TapeReport = {}): void {
    const { test_id: test, case: testCase, variables, run, subject } = attempt;
    const path = join(this.settings.folder, file);
    const runs = this.settings.mode === 'record' ? this.#options.countRuns(attempt) : Infinity;
    const others = (readable(path)?.runs ?? []).filter((other) => other.run !== run);
    const kept = others.filter((other) => other.run <= runs);
    this.#dropped += others.length - kept.length;
    const tape: TapeFile = {
      tape_version: TAPE_VERSION,
      test,
      case: testCase.id,
      agent: subject.id,
      variables,
      runs: [...kept, ...(recorded === undefined ? [] : [recorded])].sort((a, b) => a.run - b.run),
    };
    writeTape(path, maskTape(tape, this.#options.redactor));
    this.#latest = undefined;
    this.#written.add(file);
    this.#recorded += added;
  }
}

/** What is known of an attempt's tape when it is over. */
export type AttemptReports = {
  agent?: TapeReport | undefined;
  judge?: TapeReport | undefined;
  times?: TapedTimes | undefined;
};

/** One report of the two processes of an attempt. */
function joinReports({ agent, judge, times }: AttemptReports): TapeReport | undefined {
  if (agent === undefined) return undefined;
  const report = { ...agent };
  if (judge?.answered !== undefined) report.answered = (agent.answered ?? 0) + judge.answered;
  if (judge?.unseen !== undefined) report.unseen = [...(agent.unseen ?? []), ...judge.unseen];
  // Each process lists what it has not used itself.
  if (judge !== undefined && agent.unused !== undefined) {
    const others = new Set(judge.unused?.map(({ index }) => index));
    report.unused = agent.unused.filter(({ index }) => others.has(index));
    if (report.unused.length === 0) delete report.unused;
  }
  const added = judge?.added ?? 0;
  const recorded = agent.recorded ?? judge?.recorded;
  if (recorded === undefined) return report;
  const more =
    agent.recorded === undefined || added === 0 ? [] : (judge?.recorded?.exchanges.slice(-added) ?? []);
  report.recorded = {
    ...recorded,
    exchanges: [...recorded.exchanges, ...more],
    times: { ...recorded.times, ...times?.all() },
  };
  report.added = (agent.added ?? 0) + added;
  return report;
}

/** The existing tape; undefined for a file that is not a tape, which is overwritten. */
function readable(path: string): TapeFile | undefined {
  try {
    return readTape(path);
  } catch {
    return undefined;
  }
}

function parentFolder(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}
