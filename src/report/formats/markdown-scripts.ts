// The section of each script in the Markdown report: a table of its tests, then the failures.

import type { Status } from '../../model/outcome.ts';
import type { EventSource } from '../../model/sink.ts';
import type { SettledCase } from '../fold/case-result.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { shortNamer, timeText } from '../text/case-text.ts';
import { markText } from '../text/quarantine-text.ts';
import { foldScripts } from '../fold/fold-scripts.ts';
import { casePiece } from './markdown-case.ts';
import { inlineText } from './markdown-text.ts';
import type { Overview } from '../fold/overview.ts';
import type { LoggedScript } from '../kinds/script/run.ts';
import { testIdOf } from '../kinds/script/run.ts';

const STATUS: Record<Status, string> = {
  error: '⚠️ Error',
  failed: '❌ Failed',
  passed: '✅ Passed',
  skipped: '⏭️ Skipped',
  timeout: '⏱️ Timeout',
};

type Run = { overview: Overview; scripts: readonly LoggedScript[] };

export async function* scriptPieces(source: EventSource, run: Run): AsyncGenerator<string> {
  const nameOf = shortNamer(run.overview.start);
  let gap = '';
  for await (const { script, tests } of foldScripts(source, run, (settled) => toTest(settled, nameOf))) {
    yield `${gap}## ${inlineText(testIdOf(script))}\n\nFile: ${inlineText(script.script_path)}\n\n`;
    yield '| Test | Status | Time |\n| --- | --- | --- |\n';
    for (const { row } of tests) yield row;
    for (const { details } of tests) yield details;
    gap = '\n';
  }
}

/** The row of a test, and its details unless it passed in all runs. */
function toTest(settled: SettledCase, nameOf: CaseNamer): { row: string; details: string } {
  if (!settled.ran) {
    const { reason, message = reason === 'skip' ? '' : reason } = settled.skipped;
    const status = message === '' ? STATUS.skipped : `${STATUS.skipped}: ${inlineText(message)}`;
    return { row: `| ${inlineText(nameOf(settled.skipped))} | ${status} | |\n`, details: '' };
  }
  const { result, kind } = settled;
  const mark = result.quarantined === undefined ? '' : `, ${inlineText(markText(result.quarantined))}`;
  const row = `| ${inlineText(nameOf(result))} | ${STATUS[result.status]}${mark} | ${timeText(result)} |\n`;
  const isPlain = result.status === 'passed' && result.passed === result.runs;
  return { row, details: isPlain ? '' : `\n${casePiece(result, kind, nameOf)}` };
}
