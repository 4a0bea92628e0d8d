// `assay compare`: what became better or worse from one run to another.

import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import type { RunEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { formatDuration } from '../../text/duration.ts';
import { openLog, readStart } from '../../log/reader.ts';
import { inlineText } from '../../report/formats/markdown-text.ts';
import { oneLine } from '../../text/untrusted.ts';
import { openStore } from '../../history/store/open-store.ts';
import { previousRun } from '../../history/store/run-subject.ts';
import type {
  CaseSide,
  Change,
  ComparedCase,
  Comparison,
  Store,
  StoredRun,
} from '../../history/store/store.ts';
import { withStore } from '../../history/store/application-store.ts';
import type { Io } from '../../run/io.ts';

type CompareFlags = FlagsOf<'compare'>;

/** The order of the changes: the most important first. */
const ORDER: readonly Change[] = ['regressed', 'improved', 'new', 'removed', 'unmeasured', 'unchanged'];
/** Maximum number of cases per change in text output. */
const SHOWN = 100;

/** Compares two runs, or two logs; exit 1 if anything regressed. */
export async function compareCommand(
  references: readonly string[],
  flags: CompareFlags,
  io: Io,
): Promise<number> {
  const comparison = await comparisonOf(references, flags, io);
  const { counts } = comparison;
  if (flags.output !== undefined) writeTo(resolve(io.cwd, flags.output), comparison);
  if (flags.json === true) io.stdout.write(jsonOf(comparison));
  else io.stdout.write(textOf(comparison));
  return counts.regressed > 0 ? EXIT.failed : EXIT.passed;
}

async function comparisonOf(references: readonly string[], flags: CompareFlags, io: Io): Promise<Comparison> {
  const [before, after] = references;
  // Programs get every case; people want to know what changed.
  const options = { all: flags.json === true || flags.output?.endsWith('.json') === true };
  if (flags.latest === true && references.length === 0) {
    return withStore(flags, io, async (store) => {
      const [earlier, latest] = await latestTwo(store);
      return store.compare(earlier.run_id, latest.run_id, options);
    });
  }
  if (before === undefined || after === undefined || references.length !== 2)
    throw new ConfigError('name two runs', {
      hint: 'assay compare <run> <run>, with ids of assay history or run logs; or --latest for the last run and the one before it',
    });
  const files = [before, after].map((reference) => resolve(io.cwd, reference));
  const areFiles = files.map((file) => existsSync(file));
  if (areFiles.every((isFile) => !isFile))
    return withStore(flags, io, (store) => store.compare(before, after, options));
  return compareLogs(files, references, { areFiles, options });
}

/** Logs are compared in a temporary history. */
async function compareLogs(
  files: readonly string[],
  references: readonly string[],
  { areFiles, options }: { areFiles: readonly boolean[]; options: { all: boolean } },
): Promise<Comparison> {
  const missing = areFiles.indexOf(false);
  if (missing !== -1)
    throw new ConfigError(`there is no file ${JSON.stringify(references[missing])}`, {
      hint: 'a log is compared with a log; assay import brings logs into the history',
    });
  for (const file of files) await readStart(file);
  const folder = await mkdtemp(join(tmpdir(), 'assay-compare-'));
  const store = await openStore(join(folder, 'compare.db'));
  try {
    const ids: string[] = [];
    for (const file of files) ids.push((await store.importRun(otherwiseNamed(file, ids))).run_id);
    return await store.compare(ids[0] ?? '', ids[1] ?? '', options);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two logs may say that they are the same run, and differ all the same. */
async function* otherwiseNamed(file: string, taken: readonly string[]): AsyncGenerator<RunEvent> {
  for await (const event of openLog(file).events()) {
    const isTaken = event.type === 'start' && taken.includes(event.run_id);
    yield isTaken ? { ...event, run_id: `${event.run_id} (${file})` } : event;
  }
}

/** The newest run, and the newest before it that tested the same. */
async function latestTwo(store: Store): Promise<[StoredRun, StoredRun]> {
  const [latest] = await store.runs({ limit: 1 });
  const earlier = latest === undefined ? undefined : await previousRun(store, latest);
  if (latest !== undefined && earlier !== undefined) return [earlier, latest];
  throw new ConfigError('there are no two runs of the same', {
    hint: 'assay import <log> brings runs into the history; assay history lists them',
  });
}

function sorted(cases: readonly ComparedCase[]): ComparedCase[] {
  return cases.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
}

function jsonOf({ before, after, counts, cases }: Comparison): string {
  const runs = { before: before.run_id, after: after.run_id };
  return `${JSON.stringify({ ...runs, counts, cases: sorted(cases) }, null, 2)}\n`;
}

function textOf({ before, after, counts, cases }: Comparison): string {
  const lines: string[] = [];
  for (const change of ORDER) {
    if (change === 'unchanged') continue;
    const some = cases.filter((one) => one.change === change).slice(0, SHOWN);
    const rest = counts[change] - some.length;
    for (const one of some) lines.push(`  ${change.padEnd(10)}  ${oneLine(nameOf(one))}  ${sidesOf(one)}`);
    if (rest > 0) lines.push(`  ${change.padEnd(10)}  ${String(rest)} more; --json has them all`);
  }
  const summary = ORDER.map((change) => `${String(counts[change])} ${change}`).join(', ');
  const head = `${before.run_id} → ${after.run_id}`;
  return `${[head, ...lines, summary].join('\n')}\n`;
}

function markdownOf({ before, after, counts, cases }: Comparison): string {
  const changed = sorted(cases).filter(({ change }) => change !== 'unchanged');
  const rows = changed.map((one) => {
    const cells = [one.change, nameOf(one), sideText(one.before), sideText(one.after)];
    return `| ${cells.map((cell) => inlineText(cell)).join(' | ')} |\n`;
  });
  const summary = ORDER.map((change) => `${String(counts[change])} ${change}`).join(', ');
  return `# Comparison\n\n${before.run_id} → ${after.run_id}: ${summary}\n\n| Change | Case | Before | After |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

function nameOf({ test_id, case_id, variables }: ComparedCase): string {
  const values = variables === null ? '' : ` ${JSON.stringify(variables)}`;
  return `${test_id} › ${case_id}${values}`;
}

function sidesOf({ before, after }: ComparedCase): string {
  return `${sideText(before)} → ${sideText(after)}`;
}

function sideText(side: CaseSide | null): string {
  if (side === null) return 'not there';
  const rate = side.pass_rate === null ? 'not measured' : `${String(Math.round(side.pass_rate * 10) / 10)}%`;
  return side.avg_duration_ms === null ? rate : `${rate} in ${formatDuration(side.avg_duration_ms)}`;
}

function writeTo(path: string, comparison: Comparison): void {
  if (path.endsWith('.json')) writeFileSync(path, jsonOf(comparison));
  else if (path.endsWith('.md')) writeFileSync(path, markdownOf(comparison));
  else throw new ConfigError(`the output ${path} has an unknown extension`, { hint: 'use .json or .md' });
}
