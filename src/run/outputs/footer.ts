import { existsSync } from 'node:fs';
import type { SummaryEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { shortPath } from '../../platform/paths.ts';
import type { Outputs } from './outputs.ts';

/** The last lines on the screen: where the results are, and the command that runs again what did not pass. */
export function footer(
  { log, reports }: Pick<Outputs, 'log' | 'reports'>,
  summary: SummaryEvent,
  { verb, cwd }: { verb: string; cwd: string },
): string {
  const logPath = shortPath(log, cwd);
  const lines = [`  Log: ${logPath}`];
  for (const { destination } of reports) {
    if (destination !== '-' && existsSync(destination))
      lines.push(`  Report: ${shortPath(destination, cwd)}`);
  }
  const command = `assay ${verb}`;
  if (summary.exit_code === EXIT.interrupted) lines.push(`  Go on: assay test --resume ${logPath}`);
  else if (summary.failed > 0) lines.push(`  Run again what failed: ${command} --failed ${logPath}`);
  return `${lines.join('\n')}\n`;
}
