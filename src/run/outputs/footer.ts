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
  { verb, cwd, isGraded = false }: { verb: string; cwd: string; isGraded?: boolean },
): string {
  const logPath = shortPath(log, cwd);
  const lines: string[] = [];
  const command = `${programName()} ${verb}`;
  // No agent was run, so there is nothing to go on with.
  if (isGraded) return `  Log: ${logPath}\n${reportLines(reports, cwd)}`;
  if (summary.exit_code === EXIT.interrupted || summary.incomplete === true)
    lines.push(`  Go on: ${programName()} test --resume ${logPath}\n`);
  else if (summary.failed > 0) lines.push(`  Run again what failed: ${command} --failed ${logPath}\n`);
  return [`  Log: ${logPath}\n`, reportLines(reports, cwd), ...lines].join('');
}

/** The answer to Ctrl-C; `log` is that of a run that can go on. */
export function stopText(log: string | undefined, cwd: string): string {
  const again =
    log === undefined ? '' : ` Go on later: ${programName()} test --resume ${shortPath(log, cwd)}`;
  return `\nFinishing what is running; Ctrl-C stops it now.${again}\n`;
}

/** Where the reports are. */
export function reportLines(reports: Outputs['reports'], cwd: string): string {
  const files = reports.filter(({ destination }) => destination !== '-' && existsSync(destination));
  return files.map(({ destination }) => `  Report: ${shortPath(destination, cwd)}\n`).join('');
}
