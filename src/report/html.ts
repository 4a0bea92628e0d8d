// The HTML report: one file with the figures of a run and every case to open, for people without the program.

import { runsRange } from '../model/runs-of.ts';
import type { EventSource } from '../model/sink.ts';
import { formatDuration } from '../platform/duration.ts';
import { foldByVariable } from './by-variable.ts';
import { caseNamer } from './case-text.ts';
import { inChunks } from './chunks.ts';
import { foldCases } from './fold.ts';
import { caseHtml } from './html-case.ts';
import { filterHtml, PAGE_END, pageHead } from './html-page.ts';
import { escapeHtml, inlineHtml } from './html-text.ts';
import { byVariableHtml, variablesHtml } from './html-variables.ts';
import type { Overview } from './overview.ts';
import { readOverview } from './overview.ts';
import { nounOf, titleOf } from './run-words.ts';
import { spendingText } from './spending-text.ts';

/** Writes the HTML report of a log. */
export function htmlReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, counts, planned, completedAt } = overview;
  const nameOf = caseNamer(start);
  const title = titleOf(start);
  yield pageHead(title, start.version);
  yield `<h1>${inlineHtml(title)}</h1>\n`;
  if (completedAt === null) {
    const have = `${counts.total} of ${planned} ${nounOf(start)}s have a result`;
    yield `<p class="unfinished">Unfinished: the run did not come to its end; ${have}.</p>\n`;
  }
  yield figuresHtml(overview) + factsHtml(overview);
  const byVariable = await foldByVariable(source, overview);
  if (byVariable !== undefined) yield byVariableHtml(byVariable);
  yield variablesHtml(start) + filterHtml(counts);
  yield '<main>\n';
  for await (const settled of foldCases(source, overview)) yield caseHtml(settled, nameOf);
  yield `</main>\n${PAGE_END}`;
}

function figuresHtml({ start, counts }: Overview): string {
  const figures: [string, string | number][] = [
    ['total', counts.total],
    ['passed', counts.passed],
    ['failed', counts.failed],
    ['errors', counts.errors],
    ['timeouts', counts.timeouts],
    ['skipped', counts.skipped],
    ['pass rate', counts.overall_pass_rate === null ? 'n/a' : `${counts.overall_pass_rate}%`],
    ['duration', counts.duration_ms === null ? 'unknown' : formatDuration(counts.duration_ms)],
  ];
  if (runsRange(start).most > 1) {
    figures.push(
      ['runs', counts.total_runs],
      ['stable', counts.stable_cases],
      ['unstable', counts.unstable_cases],
    );
  }
  const items = figures.map(([name, figure]) => `<li><b>${figure}</b> ${name}</li>`);
  return `<ul class="figures">${items.join('')}</ul>\n`;
}

function factsHtml({ start, counts }: Overview): string {
  const { environment } = start;
  const facts = [
    start.suite === undefined ? undefined : `suite ${start.suite}`,
    start.connector === undefined ? undefined : `connector ${start.connector}`,
    `user ${environment.user_id}`,
    `team ${environment.team_id}`,
    `locale ${environment.locale}`,
    `started ${start.timestamp}`,
    spendingText(counts),
    `Assay ${start.version}`,
    `run ${start.run_id}`,
  ];
  const known = facts.filter((fact) => fact !== undefined).map((fact) => escapeHtml(fact));
  return `<p class="facts">${known.join(' · ')}</p>\n`;
}
