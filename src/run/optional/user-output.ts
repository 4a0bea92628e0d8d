// Lines that user code printed before it failed, for the error message.

import { ellipsize } from '../../text/cut-text.ts';

/** Only the last lines are shown, and the beginning of each. */
const LINES = 20;
const LENGTH = 500;

/** The output of a side call before it threw. */
export function logsOf(error: unknown): string[] {
  const logs: unknown = error instanceof Error && 'logs' in error ? error.logs : undefined;
  return Array.isArray(logs) ? logs.map(String) : [];
}

/** The end of a message: `; it printed:` and the lines, each cleaned before it is cut; empty without output. */
export function printed(logs: readonly string[], clean: (text: string) => string): string {
  const lines = logs.flatMap((log) => log.split('\n'));
  if (lines.length === 0) return '';
  const left = lines.length - LINES;
  const before = left > 0 ? [`… (${left} line${left === 1 ? '' : 's'} before)`] : [];
  const shown = lines.slice(-LINES).map((line) => ellipsize(clean(line), LENGTH));
  return `; it printed:${[...before, ...shown].map((line) => `\n  ${line}`).join('')}`;
}
