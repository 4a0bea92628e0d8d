// The tapes of a run, in the coordinator: which file an attempt has, what is written into it, and what nobody asked for.

import { join } from 'node:path';
import { RuntimeError } from '../errors.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Outcome } from '../model/outcome.ts';
import { isMeasured } from '../model/outcome.ts';
import { variablesKey } from '../variables/variables-key.ts';
import type { TapeReport } from './attempt-tape.ts';
import { mapTexts } from './secrets.ts';
import type { TapeFile } from './tape-file.ts';
import { readTape, TAPE_VERSION, tapePath, tapesIn, writeTape } from './tape-file.ts';
import type { TapeSettings } from './worker-tapes.ts';

/** What a run has done with its tapes. */
export type TapeCounts = {
  /** Files that were written, and the exchanges in them that are new. */
  written: number;
  recorded: number;
  /** Files that were played from. */
  played: number;
  /** Attempts that could not be measured, and were not recorded. */
  unmeasured: number;
  /** Attempts without the recordings they would need, and their cases. */
  missed: { attempts: number; cases: string[] };
  /** Recorded runs that this run does not have any more. */
  dropped: number;
  /** Exchanges that nobody asked for, by file and run. */
  unused: UnusedExchanges[];
  /** Connections that no tape holds, as `host:port`. */
  unseen: string[];
  /** What was asked for after its attempt was over. */
  late: string[];
  /** Why something could not be written. */
  problem?: string;
};

export type UnusedExchanges = { file: string; run: number; exchanges: { index: number; name: string }[] };

type Options = {
  settings: TapeSettings;
  /** How often a case is run. */
  runsOf(attempt: Attempt): number;
  /** A text without the secrets that are known by now. */
  clean(text: string): string;
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
  #problem: string | undefined;
  #recorded = 0;
  #unmeasured = 0;
  #misses = 0;
  #dropped = 0;

  constructor(options: Options) {
    this.settings = options.settings;
    this.#options = options;
  }

  /** Where the tape of an attempt is, below the folder of tapes. */
  fileOf({ test_id, case: { id, input }, variables }: Attempt): string {
    const variant = variablesKey(variables);
    // All messages have the same name.
    const isMessage = test_id === 'message' && id === 'message';
    return tapePath(test_id, id, isMessage ? variant + JSON.stringify(input) : variant);
  }

  /** Keeps what an attempt has left; to be called before its result is told. */
  settled(attempt: Attempt, outcome: Outcome, report: TapeReport | undefined): void {
    const file = attempt.tape ?? this.fileOf(attempt);
    const { mode } = this.settings;
    this.#asked.add(file);
    if (report?.isFound === true) this.#played.add(file);
    for (const address of report?.unseen ?? []) this.#unseen.add(address);
    if (report?.unused !== undefined) this.#unused.push({ file, run: attempt.run, exchanges: report.unused });
    if (outcome.code === 'replay') {
      this.#misses += 1;
      this.#missed.add(attempt.case.id);
    }
    if (report?.recorded === undefined && mode !== 'record') return;
    // What was recorded before is worth more than how the other side failed today.
    if (isMeasured(outcome)) this.#writeSafely(attempt, file, report);
    else if (outcome.code !== 'replay') this.#unmeasured += 1;
  }

  /** Told what was asked for after its attempt was over. */
  late(name: string): void {
    this.#late.add(name);
  }

  counts(): TapeCounts {
    return {
      written: this.#written.size,
      recorded: this.#recorded,
      played: this.#played.size,
      unmeasured: this.#unmeasured,
      missed: { attempts: this.#misses, cases: [...this.#missed] },
      dropped: this.#dropped,
      unused: this.#unused,
      unseen: [...this.#unseen],
      late: [...this.#late],
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Tapes of tests that were run, of cases that were not. */
  untouched(): string[] {
    const folders = new Set([...this.#asked].map(folderOf));
    const files = [...folders].flatMap((folder) => tapesIn(this.settings.folder, folder));
    // A run has the combinations of variables that it was given, and says nothing about others.
    return files.filter((file) => !this.#asked.has(file) && !file.includes('@'));
  }

  /** A result is worth having without its recording, too. */
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
    const runs = this.settings.mode === 'record' ? this.#options.runsOf(attempt) : Infinity;
    const others = (readable(path)?.runs ?? []).filter((other) => other.run !== run);
    const kept = others.filter((other) => other.run <= runs);
    this.#dropped += others.length - kept.length;
    const tape: TapeFile = {
      tape_version: TAPE_VERSION,
      test,
      case: testCase.id,
      agent: subject.id,
      ...(variables !== undefined && { variables }),
      runs: [...kept, ...(recorded === undefined ? [] : [recorded])].sort((a, b) => a.run - b.run),
    };
    // Only texts change.
    writeTape(path, mapTexts(tape, this.#options.clean) as TapeFile);
    this.#written.add(file);
    this.#recorded += added;
  }
}

/** What is there already; a file that is no tape is written over when the case is recorded. */
function readable(path: string): TapeFile | undefined {
  try {
    return readTape(path);
  } catch {
    return undefined;
  }
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}
