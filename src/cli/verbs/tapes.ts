// `assay tapes`: lists recordings and prunes unused ones.

import { existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openApplication } from '../../application/open.ts';
import { findApplicationRoot } from '../../application/root.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { formatBytes } from '../../platform/bounded-output.ts';
import { didYouMean } from '../../text/nearest.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { isFolder } from '../../platform/file-stats.ts';
import { counted } from '../../report/text/run-words.ts';
import { oneLine } from '../../text/untrusted.ts';
import { requestName } from '../../tapes/match.ts';
import type { TapeFile } from '../../tapes/tape-file.ts';
import { readTape, tapesIn, writeTape } from '../../tapes/tape-file.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import type { Io } from '../../run/io.ts';
import { shortPath } from '../../platform/paths.ts';
import { lastReplay, rememberReplay } from '../../run/optional/tape-session.ts';
import { programName } from '../../platform/how-started.ts';

type TapeFlags = FlagsOf<'tapes.list' | 'tapes.prune'>;

/** Lists the tapes of a folder; exit 3 if one of them cannot be read. */
export async function listTapes(folder: string | undefined, flags: TapeFlags, io: Io): Promise<number> {
  const place = await placeOf(folder, io);
  const tapes = tapesIn(place.folder).map((file) => describe(place.folder, file));
  const broken = tapes.filter((tape) => tape.problem !== undefined);
  if (flags.json === true) io.stdout.write(`${JSON.stringify({ folder: place.folder, tapes }, null, 2)}\n`);
  else io.stdout.write(listText(tapes, shortPath(place.folder, io.cwd)));
  return broken.length > 0 ? EXIT.unmeasured : EXIT.passed;
}

type DescribedTape = {
  file: string;
  test?: string;
  case?: string;
  variables?: Record<string, unknown>;
  runs?: number;
  requests?: number;
  bytes: number;
  problem?: string;
};

function describe(folder: string, file: string): DescribedTape {
  const { size: bytes } = statSync(join(folder, file));
  try {
    const tape = readTape(join(folder, file));
    if (tape === undefined) return { file, bytes, problem: 'it is gone' };
    const requests = tape.runs.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
    const { test, case: caseId, variables } = tape;
    return {
      file,
      test,
      case: caseId,
      ...(variables && { variables }),
      runs: tape.runs.length,
      requests,
      bytes,
    };
  } catch (error) {
    const [first] = error instanceof ConfigError ? error.problems : [];
    return { file, bytes, problem: first?.message ?? messageOf(error) };
  }
}

function listText(tapes: readonly DescribedTape[], place: string): string {
  if (tapes.length === 0) return `No recordings in ${place}.\n`;
  const lines: string[] = [];
  let test: string | undefined;
  const width = Math.min(60, Math.max(...tapes.map((tape) => tapeName(tape).length)));
  for (const tape of tapes) {
    if (tape.test !== undefined && tape.test !== test) lines.push('', oneLine((test = tape.test)));
    if (tape.problem !== undefined) {
      lines.push(`  ! ${oneLine(tape.file)}: ${oneLine(tape.problem)}`);
      continue;
    }
    const { runs = 0, requests = 0, bytes } = tape;
    const facts = [counted(runs, 'run'), counted(requests, 'request'), formatBytes(bytes)].join(', ');
    lines.push(`  ${oneLine(tapeName(tape)).padEnd(width)}  ${facts}`);
  }
  const requests = tapes.reduce((sum, tape) => sum + (tape.requests ?? 0), 0);
  const bytes = tapes.reduce((sum, tape) => sum + tape.bytes, 0);
  const total = `${counted(tapes.length, 'tape')}, ${counted(requests, 'request')}, ${formatBytes(bytes)} in ${place}`;
  return `${[...lines, '', total].join('\n').trimStart()}\n`;
}

function tapeName({ case: caseId = '', variables }: DescribedTape): string {
  const values = Object.entries(variables ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  return values.length === 0 ? caseId : `${caseId} (${values.join(', ')})`;
}

/** Removes what the last replay did not use. */
export async function pruneTapes(given: string | undefined, flags: TapeFlags, io: Io): Promise<number> {
  const { folder, root } = await placeOf(given, io);
  const replay = lastReplay(root, folder);
  const name = shortPath(folder, io.cwd);
  if (replay === undefined)
    throw new ConfigError(`nothing is known about a replay of ${name}`, {
      hint: `replay everything first, so that it shows what is used: ${programName()} test -i … --replay ${name}`,
    });
  const isDry = flags.dryRun === true;
  const removed: { file: string; requests: number | 'all' }[] = [];
  for (const file of replay.untouched) {
    if (!existsSync(join(folder, file))) continue;
    if (!isDry) rmSync(join(folder, file));
    removed.push({ file, requests: 'all' });
  }
  for (const [file, unused] of unusedByFile(replay.unused)) {
    const requests = removeExchanges(join(folder, file), unused, isDry);
    if (requests > 0) removed.push({ file, requests });
  }
  if (!isDry) rememberReplay(root, folder, { ...replay, unused: [], untouched: [] });
  if (flags.json === true)
    io.stdout.write(`${JSON.stringify({ folder, removed, dry_run: isDry }, null, 2)}\n`);
  else io.stdout.write(prunedText(removed, name, isDry));
  return EXIT.passed;
}

type Unused = { run: number; exchanges: { index: number; name: string }[] };

function unusedByFile(unused: readonly (Unused & { file: string })[]): Map<string, Unused[]> {
  const files = new Map<string, Unused[]>();
  for (const entry of unused) files.set(entry.file, [...(files.get(entry.file) ?? []), entry]);
  return files;
}

/** How many were removed: those that are still what they were. */
function removeExchanges(path: string, unused: readonly Unused[], isDry: boolean): number {
  const tape = readTape(path);
  if (tape === undefined) return 0;
  let removed = 0;
  const runs = tape.runs.map((run) => {
    const gone = unused.find((entry) => entry.run === run.run)?.exchanges ?? [];
    const exchanges = run.exchanges.filter((exchange, index) => {
      return !gone.some((one) => one.index === index && one.name === requestName(exchange.request));
    });
    removed += run.exchanges.length - exchanges.length;
    return { ...run, exchanges };
  });
  const pruned: TapeFile = { ...tape, runs };
  if (!isDry && removed > 0) writeTape(path, pruned);
  return removed;
}

function prunedText(
  removed: readonly { file: string; requests: number | 'all' }[],
  name: string,
  isDry: boolean,
): string {
  if (removed.length === 0) return 'Nothing to remove: the last replay used everything it was asked about.\n';
  const lines = removed.map(({ file, requests }) =>
    requests === 'all' ? `  ${oneLine(file)}` : `  ${oneLine(file)}: ${counted(requests, 'request')}`,
  );
  return `${isDry ? 'Would remove' : 'Removed'} from ${name}:\n${lines.join('\n')}\n`;
}

/** The folder that was named, else that of the settings, and the application around it. */
async function placeOf(given: string | undefined, io: Io): Promise<{ folder: string; root: string }> {
  const { root, named } =
    given === undefined ? await configured(io) : { root: findApplicationRoot(io.cwd, io.cwd), named: given };
  if (named === undefined)
    throw new ConfigError('which recordings?', {
      hint: `name their folder: ${programName()} tapes list tapes`,
    });
  const folder = resolve(io.cwd, named);
  if (!existsSync(folder)) {
    const hint =
      didYouMean(named, ['list', 'prune', 'diff']) ??
      didYouMeanFile(folder, io.cwd) ??
      `record into it: ${programName()} test -i … --record ${named}`;
    throw new ConfigError(`there is no folder ${named}`, { hint });
  }
  if (!isFolder(folder)) throw new ConfigError(`${named} is not a folder`);
  return { folder, root };
}

async function configured(io: Io): Promise<{ root: string; named: string | undefined }> {
  const { root, settings } = await openApplication(io);
  return { root, named: settings.replay ?? settings.record };
}
