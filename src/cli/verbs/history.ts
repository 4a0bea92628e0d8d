// `assay import`, `assay history`, `assay show` and `assay prune`: what is kept of earlier runs.

import { resolve } from 'node:path';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError, messageOf } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { gradedFrom } from '../../model/graded.ts';
import { formatDuration, parseDuration } from '../../text/duration.ts';
import { displayWidth } from '../../text/display-width.ts';
import { checkLog, openLog } from '../../log/reader.ts';
import { counted } from '../../report/text/run-words.ts';
import { factsOf } from './run-facts.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { StoredCase, StoredRun } from '../../history/store/store.ts';
import { withStore } from '../../history/store/application-store.ts';
import type { Io } from '../../run/io.ts';
import { programName } from '../../platform/how-started.ts';

/** Brings run logs into the history, each exactly once. */
export async function importCommand(
  logs: readonly string[],
  flags: FlagsOf<'import'>,
  io: Io,
): Promise<number> {
  const files = logs.map((log) => resolve(io.cwd, log));
  // First, so that no part of a damaged log is imported.
  for (const file of files) await checkLog(file);
  return withStore(
    flags,
    io,
    async (store) => {
      const imported = [];
      for (const [index, file] of files.entries()) {
        const run = await store.importRun(openLog(file).events());
        imported.push(run);
        if (flags.json !== true)
          io.stdout.write(`${logs[index] ?? ''}: run ${run.run_id}, ${counted(run.results, 'result')}\n`);
      }
      if (flags.json === true) io.stdout.write(`${JSON.stringify(imported, null, 2)}\n`);
      return EXIT.passed;
    },
    { isNewFine: true },
  );
}

/** The runs that are kept, newest first; of one test if it is named. */
export async function historyCommand(
  test: string | undefined,
  flags: FlagsOf<'history'>,
  io: Io,
): Promise<number> {
  const limit = flags.limit === undefined ? 20 : wholeNumber(flags.limit, '--limit');
  return withStore(flags, io, async (store) => {
    const { agent } = flags;
    const runs = await store.runs({
      limit,
      ...(test !== undefined && { test }),
      ...(agent !== undefined && { agent }),
    });
    if (flags.json === true) io.stdout.write(`${JSON.stringify(runs, null, 2)}\n`);
    else if (runs.length > 0) io.stdout.write(table(runs.map(rowOf)));
    else io.stdout.write((test ?? agent) === undefined ? NOTHING : NOTHING_OF_IT);
    return EXIT.passed;
  });
}

/** One run with all of its cases. */
export async function showCommand(reference: string, flags: FlagsOf<'show'>, io: Io): Promise<number> {
  return withStore(flags, io, async (store) => {
    const run = await store.run(reference);
    const cases = await store.cases(run.run_id);
    if (flags.json === true) {
      io.stdout.write(`${JSON.stringify({ run, cases }, null, 2)}\n`);
      return EXIT.passed;
    }
    const varied = variedIn(cases);
    const rows = cases.map((one) => [
      one.status,
      oneLine(`${one.case_id}${combinationText(one.variables, varied)}`),
      `${String(one.passed)}/${String(one.runs)}`,
      one.avg_duration_ms === null ? '' : formatDuration(one.avg_duration_ms),
      oneLine(one.test_id),
    ]);
    io.stdout.write(`${table([rowOf(run)])}${factsOf(run)}\n${table(rows)}`);
    return EXIT.passed;
  });
}

/** The variables that tell results of one case apart. */
function variedIn(cases: readonly StoredCase[]): string[] {
  const values = new Map<string, Set<unknown>>();
  for (const [name, value] of cases.flatMap((one) => Object.entries(one.variables ?? {})))
    values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].filter(([, known]) => known.size > 1).map(([name]) => name);
}

function combinationText(variables: StoredCase['variables'], varied: readonly string[]): string {
  const parts = varied
    .filter((name) => variables?.[name] !== undefined)
    .map((name) => `${name}=${String(variables?.[name])}`);
  return parts.length === 0 ? '' : ` [${parts.join(', ')}]`;
}

/** Forgets old runs. */
export async function pruneCommand(flags: FlagsOf<'prune'>, io: Io): Promise<number> {
  const { keep, olderThan } = flags;
  if (keep === undefined && olderThan === undefined) {
    throw new ConfigError('say what to forget', {
      hint: '--keep 100 keeps the newest 100 runs, --older-than 720h forgets what is older than 30 days',
    });
  }
  const rule = {
    ...(keep !== undefined && { keep: wholeNumber(keep, '--keep') }),
    ...(olderThan !== undefined && { olderThan: new Date(Date.now() - durationOf(olderThan)) }),
  };
  return withStore(flags, io, async (store) => {
    const pruned = await store.prune(rule);
    if (flags.json === true) io.stdout.write(`${JSON.stringify(pruned, null, 2)}\n`);
    else
      io.stdout.write(`Forgot ${counted(pruned.runs, 'run')} with ${counted(pruned.results, 'result')}.\n`);
    return EXIT.passed;
  });
}

const NOTHING = 'There are no runs yet.\n';
const NOTHING_OF_IT = `There are no such runs; ${programName()} history lists all of them.\n`;

function rowOf({ run_id, started_at, agent_id, summary, exit_code, flags, note }: StoredRun): string[] {
  const when = started_at.slice(0, 16).replace('T', ' ');
  const said = note === null ? [] : [`"${oneLine(note, 60)}"`];
  if (summary === null) return [run_id, when, oneLine(agent_id), ['unfinished', ...said].join(', ')];
  const { passed, failed, skipped, overall_pass_rate: rate, duration_ms } = summary;
  const counts = `${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`;
  const facts = [counts, rate === null ? '' : `${String(rate)}%`, formatDuration(duration_ms)];
  const marks = [
    ...(exit_code === 0 ? [] : [`exit ${String(exit_code ?? '?')}`]),
    ...(gradedFrom({ flags }) === undefined ? [] : ['graded, agent not run']),
    // Such a run depends on its recordings as well.
    ...(typeof flags['replay'] === 'string' ? ['replayed'] : []),
    ...said,
  ];
  return [run_id, when, oneLine(agent_id), ...facts, marks.join(', ')];
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new ConfigError(messageOf(error), { at: '--older-than', hint: 'like 720h' });
  }
}

/** Rows with their columns lined up. */
function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function wholeNumber(text: string, flag: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigError(`expected a whole number from 1, got ${JSON.stringify(text)}`, { at: flag });
}
