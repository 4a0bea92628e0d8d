import { existsSync } from 'node:fs';
import type { SummaryEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { shortPath } from '../../platform/paths.ts';
import type { Outputs } from './outputs.ts';
import { programName } from '../../platform/how-started.ts';

/** The last lines on the screen: where the results are, and the command that runs again what did not pass. */
export function footer(
  { log, reports }: Pick<Outputs, 'log' | 'reports'>,
  summary: SummaryEvent,
  { verb, cwd }: { verb: string; cwd: string },
): string {
  const logPath = shortPath(log, cwd);
  const lines: string[] = [];
  const command = `${programName()} ${verb}`;
  if (summary.exit_code === EXIT.interrupted || summary.incomplete === true)
    lines.push(`  Go on: ${programName()} test --resume ${logPath}\n`);
  else if (summary.failed > 0) lines.push(`  Run again what failed: ${command} --failed ${logPath}\n`);
  return [`  Log: ${logPath}\n`, reportLines(reports, cwd), ...lines].join('');
}

/** Where the reports are. */
export function reportLines(reports: Outputs['reports'], cwd: string): string {
  const files = reports.filter(({ destination }) => destination !== '-' && existsSync(destination));
  return files.map(({ destination }) => `  Report: ${shortPath(destination, cwd)}\n`).join('');
}
