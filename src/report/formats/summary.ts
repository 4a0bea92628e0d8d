// The summary report: a few lines of text.

import { runsRange } from '../../model/runs-per-case.ts';
import type { EventSource } from '../../model/sink.ts';
import { formatDuration } from '../../text/duration.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { caseNamer } from '../text/case-text.ts';
import { foldK } from '../fold/k-figures.ts';
import { foldCases } from '../fold/fold.ts';
import type { Overview } from '../fold/overview.ts';
import { readOverview } from '../fold/overview.ts';
import { comparedTexts } from '../../compare/words.ts';
import { autoTexts, undecidedText } from '../text/auto-words.ts';
import { isolationText } from '../text/isolation-text.ts';
import { gateTexts } from '../text/gate-words.ts';
import {
  caseNoun,
  endTexts,
  gradedText,
  kTexts,
  likeTheseText,
  runsText,
  runTitle,
  clusterNote,
} from '../text/run-words.ts';
import { scoreTexts } from '../text/score-words.ts';
import { markText, quarantineText, worseTexts } from '../text/quarantine-text.ts';
import { spendingText } from '../text/spending-text.ts';
import { oneLine } from '../../text/untrusted.ts';

const LISTED = 20;

/** Writes the brief text report of a log. */
export async function* summaryReport(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, counts, planned, completedAt } = overview;
  const noun = caseNoun(start);
  yield `${oneLine(runTitle(start))}\n`;
  if (start.note !== undefined) yield `Note: ${oneLine(start.note, 300)}\n`;
  const graded = gradedText(start);
  if (graded !== undefined) yield `Graded: ${oneLine(graded, 300)}\n`;
  const duration = counts.duration_ms === null ? '' : ` (${formatDuration(counts.duration_ms)})`;
  yield `Summary: ${endTexts(counts).join(', ')}${duration}\n`;
  if (completedAt === null) {
    yield `Unfinished: the run stopped early; ${counts.total} of ${planned} ${noun}s have a result\n`;
  }
  const isolation = isolationText(start);
  if (isolation !== undefined) yield `Isolation: ${isolation}\n`;
  if (counts.errors > 0) yield `Errors: ${counts.errors}\n`;
  if (counts.timeouts > 0) yield `Timeouts: ${counts.timeouts}\n`;
  const { checks } = counts;
  if (checks !== undefined) yield `Checks: ${checks.passed} passed, ${checks.failed} failed\n`;
  if (counts.quarantined !== undefined) {
    yield `Quarantined: ${quarantineText(counts.quarantined, noun)}\n`;
    for (const text of worseTexts(counts.quarantined)) yield `${oneLine(text, 300)}\n`;
  }
  if (counts.overall_pass_rate !== null) {
    const between = likeTheseText(noun, counts);
    yield `Pass rate: ${counts.overall_pass_rate}%${between === undefined ? '' : ` (${between})`}\n`;
  }
  for (const text of scoreTexts(counts, noun)) yield `Score: ${oneLine(text)}\n`;
  const note = clusterNote(counts, noun);
  if (note !== undefined) yield `${oneLine(note)}\n`;
  const figures = await foldK(source, overview);
  for (const text of figures === undefined ? [] : kTexts(figures, noun)) yield `${text}\n`;
  if (runsRange(start).most > 1) {
    const runs = `${counts.total_runs} runs, ${runsText(start)} per ${noun}`;
    yield `Stability: ${counts.stable_cases} stable, ${counts.unstable_cases} unstable (${runs})\n`;
  }
  for (const text of autoTexts(counts)) yield `Runs auto: ${text}\n`;
  for (const gate of gateTexts(counts)) yield `Gate: ${oneLine(gate)}\n`;
  for (const compared of comparedTexts(counts)) yield `Compared with ${oneLine(compared, 1000)}\n`;
  const spent = spendingText(counts);
  if (spent !== undefined) yield `Models: ${spent}\n`;
  if (counts.failed > 0) yield* failedPieces(source, overview, caseNamer(start));
}

async function* failedPieces(
  source: EventSource,
  overview: Overview,
  nameOf: CaseNamer,
): AsyncGenerator<string> {
  const { failed } = overview.counts;
  yield '\nNot passed:\n';
  let listed = 0;
  for await (const settled of foldCases(source, overview)) {
    if (!settled.ran || settled.result.status === 'passed') continue;
    const { status, error, quarantined } = settled.result;
    const mark = quarantined === undefined ? '' : `, ${oneLine(markText(quarantined))}`;
    const unclear = undecidedText(settled.result);
    const end = `${unclear === '' ? status : unclear}${mark}`;
    yield `  ${oneLine(nameOf(settled.result))} (${end})${error === null ? '' : `: ${oneLine(error)}`}\n`;
    listed += 1;
    if (listed === LISTED) break;
  }
  if (failed > listed) yield `  … and ${failed - listed} more\n`;
}
