// `assay tapes diff`: what has changed from one recording to another.

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { compilePattern, compileReplacement } from '../../platform/regex.ts';
import { isFolder } from '../../platform/file-stats.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { TapeChange } from '../../tapes/compare.ts';
import { compareTapes } from '../../tapes/compare.ts';
import { createNormalizer } from '../../tapes/normalize.ts';
import type { TapeFile } from '../../tapes/tape-file.ts';
import { readTape, tapesIn } from '../../tapes/tape-file.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import type { Io } from '../../run/io.ts';

type DiffFlags = FlagsOf<'tapes.diff'>;

type ChangedTape = { file: string; test: string; case: string; changes: TapeChange[] };

type Differences = {
  before: string;
  after: string;
  same: number;
  changed: ChangedTape[];
  added: NamedTape[];
  removed: NamedTape[];
};

type NamedTape = { file: string; test: string; case: string };

/** Compares two folders of tapes, or two tapes; exit 1 if anything is different. */
export async function diffTapes(before: string, after: string, flags: DiffFlags, io: Io): Promise<number> {
  const found = differencesOf(before, after, flags, io.cwd);
  const isSame = found.changed.length + found.added.length + found.removed.length === 0;
  io.stdout.write(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : textOf(found));
  return Promise.resolve(isSame ? EXIT.passed : EXIT.failed);
}

function differencesOf(before: string, after: string, flags: DiffFlags, cwd: string): Differences {
  const [old, now] = [before, after].map((place) => sideOf(place, cwd));
  if (old === undefined || now === undefined) throw new Error('two sides');
  if (old.isFile !== now.isFile)
    throw new ConfigError('a folder and a file cannot be compared', {
      hint: 'name two folders or two files',
    });
  const pattern = flags.run === undefined ? undefined : compilePattern(flags.run);
  const isWanted = (tape: TapeFile): boolean => pattern?.test(tape.case) ?? true;
  const normalizer = createNormalizer({}, compileReplacement);
  const found: Differences = { before, after, same: 0, changed: [], added: [], removed: [] };
  const files = old.isFile ? [''] : [...new Set([...old.files, ...now.files])].sort();
  for (const file of files) {
    const [was, is] = [old.read(file), now.read(file)];
    const tape = is ?? was;
    if (tape === undefined || !isWanted(tape)) continue;
    const named = { file, test: tape.test, case: tape.case };
    if (was === undefined) found.added.push(named);
    else if (is === undefined) found.removed.push(named);
    else {
      const changes = compareTapes(was, is, normalizer);
      if (changes.length === 0) found.same += 1;
      else
        found.changed.push({
          file: file === '' ? basename(after) : file,
          test: is.test,
          case: is.case,
          changes,
        });
    }
  }
  return found;
}

type Side = { isFile: boolean; files: string[]; read(file: string): TapeFile | undefined };

function sideOf(place: string, cwd: string): Side {
  const path = resolve(cwd, place);
  if (!existsSync(path))
    throw new ConfigError(`there is no ${place}`, { hint: 'name a folder of recordings, or a file' });
  const isFile = !isFolder(path);
  // As it was typed, for messages.
  const folder = isFile ? dirname(place) : place;
  return {
    isFile,
    files: isFile ? [basename(path)] : tapesIn(path),
    read: (file) => readTape(join(folder, file === '' ? basename(path) : file)),
  };
}

function textOf({ before, after, same, changed, added, removed }: Differences): string {
  const lines: string[] = [];
  for (const { test, case: caseId, changes } of changed) {
    lines.push(`~ ${oneLine(test)} › ${oneLine(caseId)}`);
    let place = '';
    for (const change of changes) {
      const { run, exchange, request } = change;
      const where = exchange === undefined ? '' : `, request ${String(exchange)}  ${request ?? ''}`;
      const next = `    run ${String(run)}${oneLine(where)}`;
      if (next !== place) lines.push((place = next));
      const name = change.path === undefined ? change.what : `${change.what} ${change.path}`;
      lines.push(`      ${oneLine(name)}: ${oneLine(change.before)} → ${oneLine(change.after)}`);
    }
  }
  const nameOf = ({ test, case: caseId }: NamedTape): string => `${oneLine(test)} › ${oneLine(caseId)}`;
  lines.push(...added.map((tape) => `+ ${nameOf(tape)}`), ...removed.map((tape) => `- ${nameOf(tape)}`));
  const counts = [
    `${String(same)} the same`,
    `${String(changed.length)} changed`,
    `${String(added.length)} new`,
    `${String(removed.length)} gone`,
  ];
  return `${[...lines, `${oneLine(before)} → ${oneLine(after)}: ${counts.join(', ')}`].join('\n')}\n`;
}
