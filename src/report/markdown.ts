// The Markdown report: summary and environment as tables, then every case with its answer and what is wrong with it.

import type { EventSource } from '../model/sink.ts';
import type { Status } from '../model/outcome.ts';
import { formatDuration } from '../platform/duration.ts';
import { activityPiece } from './markdown-activity.ts';
import { spendingText } from './spending-text.ts';
import type { CaseResult, RunDetail } from './case-result.ts';
import type { CaseNamer } from './case-text.ts';
import { caseNamer, retriesText, timeText } from './case-text.ts';
import { inChunks } from './chunks.ts';
import { failuresOf } from './failures.ts';
import { foldCases } from './fold.ts';
import { codeBlock, inlineText, table } from './markdown-text.ts';
import type { Overview } from './overview.ts';
import { readOverview } from './overview.ts';
import { textOf } from './untrusted.ts';

const HEADINGS: Record<Status, string> = {
  error: '⚠️ {id} - Error',
  failed: '❌ {id} - Failed',
  passed: '✅ {id} - Passed',
  skipped: '⏭️ {id} - Skipped',
  timeout: '⏱️ {id} - Timeout',
};

/** Writes the Markdown report of a log. */
export function markdownReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, counts, planned, completedAt } = overview;
  const nameOf = caseNamer(start);
  yield '# Agent Test Report\n\n';
  if (completedAt === null) {
    yield `> **Unfinished:** the run did not come to its end; ${counts.total} of ${planned} cases have a result.\n\n`;
  }
  yield `## Summary\n\n${summaryTable(overview)}\n`;
  yield `## Environment\n\n${environmentTable(overview)}\n`;
  if (counts.runs_per_case > 1) yield* stabilityPieces(source, overview, nameOf);

  yield '## Results\n';
  let skipped = 0;
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) yield `\n${casePiece(settled.result, nameOf)}`;
    else skipped += 1;
  }
  if (skipped === 0) return;
  yield '\n## Skipped\n\n';
  for await (const settled of foldCases(source, overview)) {
    if (settled.ran) continue;
    const { id, test_id, reason } = settled.skipped;
    yield `- ${inlineText(id)} (${inlineText(test_id)}): ${reason}\n`;
  }
}

function summaryTable({ start, counts }: Overview): string {
  const rows: [string, string][] = [['Agent', start.agent_id]];
  if (start.connector !== undefined) rows.push(['Connector', start.connector]);
  rows.push(
    ['Total', String(counts.total)],
    ['Passed', String(counts.passed)],
    ['Failed', String(counts.failed)],
  );
  if (counts.errors > 0) rows.push(['Errors', String(counts.errors)]);
  if (counts.timeouts > 0) rows.push(['Timeouts', String(counts.timeouts)]);
  if (counts.skipped > 0) rows.push(['Skipped', String(counts.skipped)]);
  if (counts.runs_per_case > 1) {
    rows.push(['Runs', `${counts.total_runs} (${counts.runs_per_case} per case)`]);
    rows.push(['Stable', String(counts.stable_cases)], ['Unstable', String(counts.unstable_cases)]);
  }
  rows.push(['Pass Rate', percent(counts.overall_pass_rate)]);
  rows.push(['Duration', counts.duration_ms === null ? 'unknown' : formatDuration(counts.duration_ms)]);
  const spent = spendingText(counts);
  if (spent !== undefined) rows.push(['Models', spent]);
  return table(['Metric', 'Value'], rows);
}

function environmentTable({ start: { environment } }: Overview): string {
  return table(
    ['Setting', 'Value'],
    [
      ['User', environment.user_id],
      ['Team', environment.team_id],
      ['Locale', environment.locale],
    ],
  );
}

async function* stabilityPieces(
  source: EventSource,
  overview: Overview,
  nameOf: CaseNamer,
): AsyncGenerator<string> {
  yield '## Stability\n\n';
  yield '| Case | Passed | Pass Rate | Consistency | Class | Average | Min | Max | Deviation |\n';
  yield '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n';
  for await (const settled of foldCases(source, overview)) {
    if (!settled.ran) continue;
    const { result } = settled;
    const cells = [
      inlineText(nameOf(result)),
      `${result.passed}/${result.runs}`,
      percent(result.pass_rate),
      result.consistency?.toFixed(2) ?? 'n/a',
      result.stability_class ?? 'n/a',
      formatDuration(result.avg_duration_ms ?? 0),
      formatDuration(result.min_duration_ms ?? 0),
      formatDuration(result.max_duration_ms ?? 0),
      `${result.std_deviation_ms ?? 0}ms`,
    ];
    yield `| ${cells.join(' | ')} |\n`;
  }
  yield '\n';
}

function casePiece(result: CaseResult, nameOf: CaseNamer): string {
  const heading = HEADINGS[result.status].replace('{id}', () => inlineText(nameOf(result)));
  // The runs of a case say for themselves how often they were tried.
  const time = result.run_details === undefined ? timeText(result) : formatDuration(result.duration_ms);
  let text = `### ${heading} (${time})\n\n`;
  if (result.description !== undefined) text += `${inlineText(result.description)}\n\n`;
  if (result.run_details !== undefined) {
    const counts = `${result.passed} of ${result.runs} runs passed`;
    const facts = [counts, result.stability_class ?? 'not measured', retriesText(result.run_details)];
    text += `${facts.filter((fact) => fact !== '').join(', ')}.\n\n`;
  }
  if (result.input !== null && result.turns === undefined) text += valuePiece('Input', result.input);
  if (result.expected !== null) text += valuePiece('Expected', result.expected);
  if (result.run_details === undefined) return text.concat(answerPiece(result)).trimEnd().concat('\n');

  // One answer stands for all that passed; every run that did not is shown.
  const shown = result.run_details.filter((run) => run.status !== 'passed');
  const passed = result.run_details.find((run) => run.status === 'passed');
  for (const run of passed === undefined ? shown : [passed, ...shown]) {
    const title = HEADINGS[run.status].replace('{id}', `Run ${run.run}`);
    text += `#### ${title} (${timeText(run)})\n\n${answerPiece(run)}`;
  }
  return `${text.trimEnd()}\n`;
}

function answerPiece(run: CaseResult | RunDetail): string {
  let text = '';
  for (const { title, message, detail } of failuresOf(run)) {
    const label = title === undefined ? '' : `**${inlineText(title)}:** `;
    text += `${label}${inlineText(message)}\n\n`;
    if (detail?.type === 'diff') text += codeBlock(detail.text, 'diff');
    if (detail?.type === 'stack') text += codeBlock(detail.frames.join('\n'));
    if (detail?.type === 'values')
      text += codeBlock(`expected: ${detail.expected}\nactual:   ${detail.actual}`);
  }
  text += activityPiece(run);
  // The last thing said in a conversation is its output.
  const isSaid = run.turns !== undefined && typeof run.output === 'string';
  if (!isSaid && (run.output !== null || run.status === 'passed')) text += valuePiece('Output', run.output);
  return text;
}

function valuePiece(title: string, value: unknown): string {
  const isText = typeof value === 'string';
  return `**${title}**\n\n${codeBlock(textOf(value, 2), isText ? '' : 'json')}`;
}

function percent(rate: number | null): string {
  return rate === null ? 'n/a' : `${rate}%`;
}
