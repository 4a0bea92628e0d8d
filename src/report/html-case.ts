// One settled case in the HTML report: a line that opens to everything about it.

import type { Kind } from '../model/attempt.ts';
import type { Status } from '../model/outcome.ts';
import { checkpointText, toolText } from './activity-text.ts';
import type { CaseResult, RunDetail, SettledCase } from './case-result.ts';
import type { CaseNamer } from './case-text.ts';
import { retriesText, timeText } from './case-text.ts';
import type { Failure, FailureDetail } from './failures.ts';
import { failuresOf, headlineOf, valueTexts } from './failures.ts';
import { blockHtml, diffHtml, inlineHtml, listHtml, valueHtml } from './html-text.ts';
import { subtestTexts } from './script-text.ts';
import { spendingText } from './spending-text.ts';
import { textOf } from './untrusted.ts';
import { verdictText } from './verdict-text.ts';

const STATUS: Record<Status, string> = {
  error: '! Error',
  failed: '✗ Failed',
  passed: '✓ Passed',
  skipped: '○ Skipped',
  timeout: '⏱ Timeout',
};

export function caseHtml(settled: SettledCase, nameOf: CaseNamer): string {
  if (!settled.ran) {
    const { reason, message = reason } = settled.skipped;
    const why = inlineHtml(message);
    const line = `${statusHtml('skipped')} ${inlineHtml(nameOf(settled.skipped))} <span class="why">${why}</span>`;
    return `<div class="case skipped"><p>${line}</p></div>\n`;
  }
  const { result, kind } = settled;
  const { status, error, run_details: runs } = result;
  const isShaky = status === 'passed' && result.passed < result.runs;
  const why = error === null ? '' : ` <span class="why">${inlineHtml(error)}</span>`;
  const line = `${statusHtml(status)} ${inlineHtml(nameOf(result))} ${timeHtml(timesOf(result))}${why}`;
  const body =
    runs === undefined ? runHtml(result, kind) : runs.map((run) => nestedRunHtml(run, kind)).join('');
  return `<details class="case ${status}${isShaky ? ' shaky' : ''}"><summary>${line}</summary>
<div class="body">${caseFactsHtml(result)}${body}</div></details>\n`;
}

function statusHtml(status: Status): string {
  return `<span class="status">${STATUS[status]}</span>`;
}

function timeHtml(text: string): string {
  return `<span class="time">(${text})</span>`;
}

function timesOf(result: CaseResult): string {
  const { run_details: runs, retries: _, ...once } = result;
  if (runs === undefined) return timeText(result);
  const facts = [timeText(once), `${result.passed}/${result.runs} runs`, result.stability_class ?? ''];
  return [...facts, retriesText(runs)].filter((fact) => fact !== '').join(', ');
}

/** What all runs of a case have in common. */
function caseFactsHtml({ description, tags = [], variables, input, expected }: CaseResult): string {
  const about = description === undefined ? '' : `<p>${inlineHtml(description)}</p>`;
  const labels = tags.length === 0 ? '' : `<p class="note">${inlineHtml(tags.join(', '))}</p>`;
  const values = [
    input === null ? '' : valueHtml('Input', input),
    expected === null ? '' : valueHtml('Expected', expected),
    variables === undefined ? '' : valueHtml('Variables', variables),
  ];
  return about + labels + values.join('');
}

function nestedRunHtml(run: RunDetail, kind: Kind): string {
  const line = `${statusHtml(run.status)} Run ${run.run} ${timeHtml(timeText(run))}`;
  const open = run.status === 'passed' ? '' : ' open';
  return `<details class="${run.status}"${open}><summary>${line}</summary><div class="body">${runHtml(run, kind)}</div></details>`;
}

function runHtml(run: CaseResult | RunDetail, kind: Kind): string {
  const { output, messages = [], tool_calls: calls = [], checkpoints, logs = [], stack } = run;
  const said = messages.map(({ role, content }) => `${role}: ${textOf(content ?? '')}`);
  const spent = spendingText(run);
  const failures = failuresOf(run, kind);
  return [
    failures.length === 0 ? '' : `<h4>Why</h4>${failures.map(failureHtml).join('')}`,
    output === null ? '' : valueHtml('Output', output),
    listHtml('Messages', said),
    listHtml('Tool calls', calls.map(toolText)),
    checkpoints === undefined ? '' : listHtml('Checkpoints', [checkpointText(checkpoints)]),
    // Those of a script test or a skill test that did not hold have just been shown, and it keeps no others.
    kind !== 'agent-eval' ? '' : listHtml('Verdicts', (run.verdicts ?? []).map(verdictText)),
    listHtml('Subtests', subtestTexts(run.subtests)),
    spent === undefined ? '' : listHtml('Model', [spent]),
    stack === undefined ? '' : valueHtml('Stack', stack),
    logs.length === 0 ? '' : valueHtml('Logs', logs.join('\n')),
  ].join('');
}

function failureHtml(failure: Failure): string {
  const { detail, at } = failure;
  const place = at === undefined ? '' : `<p class="note">at ${inlineHtml(at)}</p>`;
  return `<p>${inlineHtml(headlineOf(failure))}</p>${detailHtml(detail)}${place}`;
}

function detailHtml(detail: FailureDetail | undefined): string {
  if (detail?.type === 'diff') return diffHtml(detail.text);
  // The whole stack follows below.
  return detail?.type === 'values' ? blockHtml(valueTexts(detail).join('\n')) : '';
}
