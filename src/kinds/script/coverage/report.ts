// Turns the counts that workers saved in a folder into a table, an HTML report and lcov.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, messageOf, RuntimeError } from '../../../errors.ts';
import { convertCounts, readBundle } from './convert.ts';
import type { FileCoverage } from './file-coverage.ts';
import { loadMonocart } from './monocart.ts';
import { ownFiles } from './own-files.ts';
import type { V8Entry } from './v8-counts.ts';
import { addUnbundled } from './unbundled.ts';
import { compileUncounted } from './uncounted.ts';

export type CoverageFormat = 'html' | 'lcov' | 'text';
type Figure = { total: number; covered: number; pct: number };
export type CoverageTotals = { statements: Figure; branches: Figure; functions: Figure; lines: Figure };

const NONE: Figure = { total: 0, covered: 0, pct: 100 };
const NOTHING: CoverageTotals = { statements: NONE, branches: NONE, functions: NONE, lines: NONE };
const NO_FILES = 'There is no code under test.\n';

export type CoverageOptions = {
  /** The folder with the files of `writeEntries`. */
  folder: string;
  formats: readonly CoverageFormat[];
  /** The application root: only files below it count. */
  root: string;
  /** Files under test; a file that no test loaded counts as not covered. */
  include: readonly string[];
  /** Default: `coverage/` below the working directory. */
  outDir?: string;
  cwd?: string;
  /** Width of the table. */
  columns?: number;
};

/** Writes the coverage of a run; returns `text`, the table for the terminal, if that format was requested. */
export async function writeCoverage(
  options: CoverageOptions,
): Promise<{ totals: CoverageTotals; text?: string }> {
  try {
    return await writeReports(await collect(options), options);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new RuntimeError(`cannot report the coverage: ${messageOf(error)}`, { cause: error });
  }
}

async function collect({ folder, root, include }: CoverageOptions): Promise<FileCoverage[]> {
  const options = { root, folder, isWanted: ownFiles(root) };
  const counted = new Map(
    (await convertCounts(readEntries(folder).map(readBundle), options)).map((file) => [file.path, file]),
  );
  const existing = include.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  const compiled = await compileUncounted(new Set([...counted.keys(), ...existing]));
  const whole = await convertCounts(compiled, options);
  return whole.map((file) => {
    const known = counted.get(file.path);
    return known === undefined ? file : addUnbundled(known, file, readFileSync(file.path, 'utf8'));
  });
}

function readEntries(folder: string): V8Entry[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  // Safe: `writeEntries` wrote them.
  return names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as V8Entry[]);
}

async function writeReports(
  files: readonly FileCoverage[],
  options: CoverageOptions,
): Promise<{ totals: CoverageTotals; text?: string }> {
  const { folder, formats, root, cwd = process.cwd(), columns = 100 } = options;
  // The library cannot report on no files.
  if (files.length === 0) return { totals: NOTHING, ...(formats.includes('text') && { text: NO_FILES }) };
  const monocart = await loadMonocart(root);

  // The library empties its output folder, and the user's folder may hold other files: write to a temporary one first.
  const outputDir = mkdtempSync(join(folder, 'reports-'));
  const reports: [string, object][] = [
    ['json-summary', { file: 'totals.json' }],
    ['text', { file: 'table.txt', maxCols: columns }],
  ];
  if (formats.includes('html')) reports.push(['html', {}]);
  if (formats.includes('lcov')) reports.push(['lcovonly', { projectRoot: realpathSync(cwd) }]);
  const report = monocart({ logging: 'off', outputDir, reports });
  await report.add(Object.fromEntries(files.map((file) => [file.path, file])));
  await report.generate();

  const text = takeFile(join(outputDir, 'table.txt'));
  // Safe: the library wrote this file.
  const { total } = JSON.parse(takeFile(join(outputDir, 'totals.json'))) as { total: CoverageTotals };
  if (formats.some((format) => format !== 'text'))
    cpSync(outputDir, resolve(cwd, options.outDir ?? 'coverage'), { recursive: true });
  rmSync(outputDir, { recursive: true });
  return { totals: plainTotals(total), ...(formats.includes('text') && { text }) };
}

function takeFile(path: string): string {
  const text = readFileSync(path, 'utf8');
  rmSync(path);
  return text;
}

function plainTotals({ statements, branches, functions, lines }: CoverageTotals): CoverageTotals {
  const plain = ({ total, covered, pct }: Figure): Figure => ({ total, covered, pct });
  return {
    statements: plain(statements),
    branches: plain(branches),
    functions: plain(functions),
    lines: plain(lines),
  };
}
