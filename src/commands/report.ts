// `assay report <log>`: makes reports of a run that is over, or of what a killed run left behind.

import { resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import type { Problem } from '../errors.ts';
import { openLog, readStart } from '../report/log-reader.ts';
import type { Format } from '../report/registry.ts';
import { formatFor } from '../report/registry.ts';
import type { TextStream } from '../report/write-report.ts';
import { writeReport } from '../report/write-report.ts';

export type ReportOptions = {
  output?: string[];
  reporter?: string;
  /** The JSON report on stdout, unless an output is named. */
  json?: boolean;
};

/** Writes every report asked for; without one, the summary goes to stdout. Gives the exit code, throws what is wrong. */
export async function reportCommand(
  log: string,
  options: ReportOptions,
  io: { cwd: string; stdout: TextStream },
): Promise<number> {
  const targets = targetsOf(options);
  const file = resolve(io.cwd, log);
  await readStart(file);
  const source = openLog(file);

  let failure: { error: unknown } | undefined;
  for (const { path, format } of targets) {
    try {
      await writeReport(source, format, path === '-' ? path : resolve(io.cwd, path), io);
    } catch (error) {
      // One report that cannot be written does not take the others along.
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  return 0;
}

/** Checks all destinations before anything is written. */
function targetsOf({ output = [], reporter, json }: ReportOptions): { path: string; format: Format }[] {
  if (output.length === 0) {
    return [
      { path: '-', format: formatFor('-', reporter ?? (json === true ? 'report.json' : 'report.summary')) },
    ];
  }
  const targets: { path: string; format: Format }[] = [];
  const problems: Problem[] = [];
  for (const path of output) {
    try {
      targets.push({ path, format: formatFor(path, reporter) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  return targets;
}
