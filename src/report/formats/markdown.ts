// The Markdown report: summary and environment as tables, then every case with its answer and failures.

import { runsRange } from '../../model/runs-per-case.ts';
import type { EventSource } from '../../model/sink.ts';
import { formatDuration } from '../../text/duration.ts';
import { foldByVariable } from '../fold/by-variable.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { caseNamer, shortNamer, stabilityText } from '../text/case-text.ts';
import { inChunks } from './chunks.ts';
import { foldK } from '../fold/k-figures.ts';
import { foldCases } from '../fold/fold.ts';
import { casePiece } from './markdown-case.ts';
import { scriptPieces } from './markdown-scripts.ts';
import { inlineText, percent, table } from './markdown-text.ts';
import { foldSelections } from '../fold/selections.ts';
import { byVariablePiece, selectionsPiece, variablesPiece } from './markdown-variables.ts';
import type { Overview } from '../fold/overview.ts';
import { readOverview } from '../fold/overview.ts';
import { comparedTexts } from '../../compare/words.ts';
import { autoTexts, ruleText } from '../text/auto-words.ts';
import { isolationText } from '../text/isolation-text.ts';
import { gateTexts } from '../text/gate-words.ts';
import {
  caseNoun,
  kTexts,
  likeTheseText,
  runsText,
  runSubject,
  gradedText,
  tapesText,
  clusterNote,
} from '../text/run-words.ts';
import { runKind } from '../kinds/registry.ts';
import { loggedScripts } from '../kinds/script/run.ts';
import { scoreTexts } from '../text/score-words.ts';
import { quarantineText, worseTexts } from '../text/quarantine-text.ts';
import { spendingText } from '../text/spending-text.ts';

/** Writes the Markdown report of a log. */
export function markdownReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, counts, planned, completedAt } = overview;
  const nameOf = caseNamer(start);
  const { hasOwnSuites, usesEnvironment } = runKind(start);
  const noun = caseNoun(start);
  yield `# ${runSubject(start).type} Test Report\n\n`;
  if (completedAt === null) {
    yield `> **Unfinished:** the run stopped early; ${counts.total} of ${planned} ${noun}s have a result.\n\n`;
  }
  yield `## Summary\n\n${summaryTable(overview)}\n`;
  const note = clusterNote(counts, noun);
  if (note !== undefined) yield `> ${inlineText(note)}\n\n`;
  const figures = await foldK(source, overview);
  if (figures !== undefined)
    yield `${kTexts(figures, noun)
      .map((text) => `- ${inlineText(text)}\n`)
      .join('')}\n`;
  const byVariable = await foldByVariable(source, overview);
  if (byVariable !== undefined) yield byVariablePiece(byVariable, noun);
  yield selectionsPiece(await foldSelections(source, start));
  if (usesEnvironment !== undefined) yield `## Environment\n\n${environmentTable(overview)}\n`;
  yield variablesPiece(start);
  if (runsRange(start).most > 1) yield* stabilityPieces(source, overview, nameOf);
  if (hasOwnSuites === true) yield* scriptPieces(source, { overview, scripts: loggedScripts(start) });
  else yield* casePieces(source, overview, nameOf);
}

async function* casePieces(
  source: EventSource,
  overview: Overview,
  nameOf: CaseNamer,
): AsyncGenerator<string> {
  yield '## Results\n';
  const shortNameOf = shortNamer(overview.start);
  let skipped = 0;
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) yield `\n${casePiece(settled.result, settled.kind, nameOf)}`;
    else skipped += 1;
  }
  if (skipped === 0) return;
  yield '\n## Skipped\n\n';
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) continue;
    const { test_id, reason, message } = settled.skipped;
    const why = message === undefined ? reason : `${reason}: ${inlineText(message)}`;
    yield `- ${inlineText(shortNameOf(settled.skipped))} (${inlineText(test_id)}): ${why}\n`;
  }
}

function summaryTable({ start, counts }: Overview): string {
  const { type, name } = runSubject(start);
  const rows: [string, string][] = [[type, name]];
  if (start.suite !== undefined) rows.unshift(['Suite', start.suite]);
  if (start.note !== undefined) rows.push(['Note', start.note]);
  if (start.connector !== undefined) rows.push(['Connector', start.connector]);
  rows.push(
    ['Total', String(counts.total)],
    ['Passed', String(counts.passed)],
    ['Failed', String(counts.failed - (counts.unmeasured ?? 0))],
  );
  if (counts.unmeasured !== undefined) rows.push(['Not Measured', String(counts.unmeasured)]);
  if (counts.errors > 0) rows.push(['Errors', String(counts.errors)]);
  if (counts.timeouts > 0) rows.push(['Timeouts', String(counts.timeouts)]);
  if (counts.skipped > 0) rows.push(['Skipped', String(counts.skipped)]);
  const { checks, quarantined } = counts;
  if (quarantined !== undefined) {
    rows.push(['Quarantined', quarantineText(quarantined, caseNoun(start))]);
    for (const text of worseTexts(quarantined)) rows.push(['Worse', text]);
  }
  if (checks !== undefined) rows.push(['Checks', `${checks.passed} passed, ${checks.failed} failed`]);
  if (runsRange(start).most > 1) {
    rows.push(['Runs', `${counts.total_runs} (${runsText(start)} per ${caseNoun(start)})`]);
    rows.push(['Stable', String(counts.stable_cases)], ['Unstable', String(counts.unstable_cases)]);
  }
  const between = likeTheseText(caseNoun(start), counts);
  const rate = percent(counts.overall_pass_rate);
  rows.push(['Pass Rate', between === undefined ? rate : `${rate} (${between})`]);
  for (const text of scoreTexts(counts, caseNoun(start))) rows.push(['Score', text]);
  rows.push(['Duration', counts.duration_ms === null ? 'unknown' : formatDuration(counts.duration_ms)]);
  if (start.runs_rule !== undefined) rows.push(['Runs Auto', ruleText(start.runs_rule)]);
  for (const text of autoTexts(counts)) rows.push(['Decided', text]);
  for (const gate of gateTexts(counts)) rows.push(['Gate', gate]);
  for (const compared of comparedTexts(counts)) rows.push(['Compared with', compared]);
  const spent = spendingText(counts);
  if (spent !== undefined) rows.push(['Models', spent]);
  return table(['Metric', 'Value'], rows);
}

function environmentTable({ start }: Overview): string {
  const { environment } = start;
  const traffic = tapesText(start);
  const isolation = isolationText(start);
  const graded = gradedText(start);
  return table(
    ['Setting', 'Value'],
    [
      ['User', environment.user_id],
      ['Team', environment.team_id],
      ['Locale', environment.locale],
      ...(graded === undefined ? [] : [['Graded', graded]]),
      ...(traffic === undefined ? [] : [['Traffic', traffic]]),
      ...(isolation === undefined ? [] : [['Isolation', isolation]]),
    ],
  );
}

async function* stabilityPieces(
  source: EventSource,
  overview: Overview,
  nameOf: CaseNamer,
): AsyncGenerator<string> {
  yield '## Stability\n\n';
  const noun = caseNoun(overview.start);
  const name = noun.charAt(0).toUpperCase() + noun.slice(1);
  yield `| ${name} | Passed | Pass Rate | Consistency | Class | Average | Min | Max | Deviation |\n`;
  yield '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n';
  for await (const settled of foldCases(source, overview)) {
    if (!settled.ran) continue;
    const { result } = settled;
    const cells = [
      inlineText(nameOf(result)),
      `${result.passed}/${result.runs}`,
      percent(result.pass_rate),
      result.consistency?.toFixed(2) ?? 'n/a',
      stabilityText(result),
      formatDuration(result.avg_duration_ms ?? 0),
      formatDuration(result.min_duration_ms ?? 0),
      formatDuration(result.max_duration_ms ?? 0),
      `${result.std_deviation_ms ?? 0}ms`,
    ];
    yield `| ${cells.join(' | ')} |\n`;
  }
  yield '\n';
}
