// The HTML report: one file with the web app and the compressed events of a run. It opens without Assay installed.

import { ConfigError } from '../../errors.ts';
import type { StartEvent, SummaryEvent } from '../../model/event.ts';
import type { EventSource } from '../../model/sink.ts';
import { inChunks } from './chunks.ts';
import { escapeHtml } from './html-text.ts';
import { packRun } from './packets.ts';
import { appPage } from './page.ts';
import { counted, caseNoun, endTexts, runTitle } from '../text/run-words.ts';
import { oneLine } from '../../text/untrusted.ts';

/** Writes the HTML report of a log. */
export function htmlReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const start = await readStart(source);
  const title = oneLine(runTitle(start));
  const page = await appPage({ title, version: start.version, mode: 'report' });
  const end: { summary?: SummaryEvent } = {};
  yield page.head;
  for await (const { rows, events } of packRun(source, (summary) => (end.summary = summary))) {
    yield `<script type="application/x-assay-rows">${rows}</script>\n`;
    yield `<script type="application/x-assay-events">${events}</script>\n`;
  }
  yield withoutScripts(title, start, end.summary);
  yield page.end;
}

async function readStart(source: EventSource): Promise<StartEvent> {
  for await (const event of source.events()) if (event.type === 'start') return event;
  throw new ConfigError('the run log has no start line', { hint: 'give a log that `assay test` wrote' });
}

/** The summary for browsers that run no scripts. */
function withoutScripts(title: string, start: StartEvent, summary: SummaryEvent | undefined): string {
  return `<noscript><h1>${escapeHtml(title)}</h1><p>${endText(start, summary)}</p>
<p>Everything else in this report needs scripts to be allowed. It has its own script and loads nothing.</p></noscript>\n`;
}

function endText(start: StartEvent, summary: SummaryEvent | undefined): string {
  if (summary === undefined) return 'The run did not finish.';
  return `${counted(summary.total, caseNoun(start))}: ${endTexts(summary).join(', ')}.`;
}
