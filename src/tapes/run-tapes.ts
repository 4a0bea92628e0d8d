// The tapes of a run, in the coordinator: which file an attempt has, what is written into it, and what nobody asked for.

import { join } from 'node:path';
import type { Attempt } from '../model/attempt.ts';
import { variantOf } from '../platform/variant.ts';
import type { TapeReport } from './attempt-tape.ts';
import { mapTexts } from './secrets.ts';
import type { TapedRun, TapeFile } from './tape-file.ts';
import { readTape, TAPE_VERSION, tapePath, tapesIn, writeTape } from './tape-file.ts';
import type { TapeSettings } from './worker-tapes.ts';

/** What a run has done with its tapes. */
export type TapeCounts = {
  /** Files that were written, and the exchanges in them that are new. */
  written: number;
  recorded: number;
  /** Files that were played from. */
  played: number;
  /** Exchanges that nobody asked for, by file and run. */
  unused: UnusedExchanges[];
  /** Connections that no tape holds, as `host:port`. */
  unseen: string[];
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
  readonly #written = new Set<string>();
  readonly #played = new Set<string>();
  readonly #unused: UnusedExchanges[] = [];
  readonly #unseen = new Set<string>();
  #recorded = 0;

  constructor(options: Options) {
    this.settings = options.settings;
    this.#options = options;
  }

  /** Where the tape of an attempt is, below the folder of tapes. */
  fileOf({ test_id, case: { id }, variables }: Attempt): string {
    return tapePath(test_id, id, variantOf(variables));
  }

  /** Keeps what an attempt has left; to be called before its result is told. */
  settled(attempt: Attempt, report: TapeReport | undefined): void {
    const file = attempt.tape ?? this.fileOf(attempt);
    const { mode } = this.settings;
    if (mode !== 'record') this.#played.add(file);
    for (const address of report?.unseen ?? []) this.#unseen.add(address);
    if (report?.unused !== undefined) this.#unused.push({ file, run: attempt.run, exchanges: report.unused });
    if (report?.recorded !== undefined || mode === 'record') this.#write(attempt, file, report?.recorded);
  }

  counts(): TapeCounts {
    return {
      written: this.#written.size,
      recorded: this.#recorded,
      played: this.#played.size,
      unused: this.#unused,
      unseen: [...this.#unseen],
    };
  }

  /** Tapes of tests that were run, of cases that were not. */
  untouched(): string[] {
    const folders = new Set([...this.#played, ...this.#written].map(folderOf));
    const files = [...folders].flatMap((folder) => tapesIn(this.settings.folder, folder));
    return files.filter((file) => !this.#played.has(file) && !this.#written.has(file));
  }

  #write(attempt: Attempt, file: string, recorded: TapedRun | undefined): void {
    const { test_id: test, case: testCase, variables, run } = attempt;
    const path = join(this.settings.folder, file);
    const runs = this.#options.runsOf(attempt);
    const kept = (readable(path)?.runs ?? []).filter(
      (other) => other.run !== run && (this.settings.mode !== 'record' || other.run <= runs),
    );
    if (recorded !== undefined) this.#recorded += recorded.exchanges.length;
    const tape: TapeFile = {
      tape_version: TAPE_VERSION,
      test,
      case: testCase.id,
      ...(variables !== undefined && { variables }),
      runs: [...kept, ...(recorded === undefined ? [] : [recorded])].sort((a, b) => a.run - b.run),
    };
    // Only texts change.
    writeTape(path, mapTexts(tape, this.#options.clean) as TapeFile);
    this.#written.add(file);
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
