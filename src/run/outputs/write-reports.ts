import { existsSync } from 'node:fs';
import { messageOf } from '../../errors.ts';
import type { Io } from '../io.ts';
import type { Outputs } from './outputs.ts';
import { shortPath } from '../../platform/paths.ts';
import { isWriteFailure } from '../../platform/standard-streams.ts';

/** Makes the reports from the finished log; one that cannot be written does not stop the others. Gives the problems. */
export async function writeReports(outputs: Pick<Outputs, 'log' | 'reports'>, io: Io): Promise<string[]> {
  if (outputs.reports.length === 0) return [];
  const { openLog } = await import('../../log/reader.ts');
  const { writeReport } = await import('../../report/formats/write-report.ts');
  const problems: string[] = [];
  for (const { destination, format, special } of outputs.reports) {
    try {
      await writeReport(openLog(outputs.log), format, destination, {
        stdout: io.stdout,
        ...(special !== undefined && { special }),
      });
    } catch (error) {
      // A failed write to stdout has been reported already.
      const isTold = destination === '-' && isWriteFailure(error);
      const where = existsSync(outputs.log) ? `The results are in ${shortPath(outputs.log, io.cwd)}.` : '';
      problems.push([...(isTold ? [] : [messageOf(error)]), where].filter((text) => text !== '').join('\n'));
    }
  }
  return problems;
}
