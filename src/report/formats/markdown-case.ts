// One case in the Markdown report: input, output and failures.

import type { KindId } from '../../model/subject.ts';
import type { Status } from '../../model/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import type { CaseResult, RunDetail } from '../fold/case-result.ts';
import { advisoryTexts } from '../text/advisory-text.ts';
import { undecidedText } from '../text/auto-words.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { retriesText, stabilityText, timeText } from '../text/case-text.ts';
import { caseScoresText } from '../text/score-words.ts';
import { markText } from '../text/quarantine-text.ts';
import type { FailureDetail } from '../fold/failures.ts';
import { listFailures } from '../fold/failures.ts';
import { activityPiece, listPiece } from './markdown-activity.ts';
import { codeBlock, inlineText } from './markdown-text.ts';
import { reportKind } from '../kinds/registry.ts';
import { subtestTexts } from '../kinds/script/text.ts';
import { readableText } from '../../text/untrusted.ts';

const HEADINGS: Record<Status, string> = {
  error: '⚠️ {id} - Error',
  failed: '❌ {id} - Failed',
  passed: '✅ {id} - Passed',
  skipped: '⏭️ {id} - Skipped',
  timeout: '⏱️ {id} - Timeout',
};

/** The section of a case that ran. */
export function casePiece(result: CaseResult, kind: KindId, nameOf: CaseNamer): string {
  const heading = HEADINGS[result.status].replace('{id}', () => inlineText(nameOf(result)));
  // With several runs, each run shows its own number of tries.
  const time = result.run_details === undefined ? timeText(result) : formatDuration(result.duration_ms);
  let text = `### ${heading} (${time})\n\n`;
  if (result.description !== undefined) text += `${inlineText(result.description)}\n\n`;
  if (result.quarantined !== undefined) text += `${inlineText(sentence(markText(result.quarantined)))}\n\n`;
  if (result.run_details !== undefined) {
    const counts = `${result.passed} of ${result.runs} runs passed`;
    const facts = [counts, stabilityText(result), undecidedText(result), retriesText(result.run_details)];
    text += `${facts.filter((fact) => fact !== '').join(', ')}.\n\n`;
  }
  const scores = caseScoresText(result.scores);
  if (scores !== undefined) text += `Scores: ${inlineText(scores)}.\n\n`;
  if (result.input !== null && result.turns === undefined) text += valuePiece('Input', result.input);
  if (result.expected !== null) text += valuePiece('Expected', result.expected);
  if (result.run_details === undefined) return `${`${text}${runPiece(result, kind)}`.trimEnd()}\n`;

  // Shows one passed run as an example, and every run that did not pass.
  const shown = result.run_details.filter((run) => run.status !== 'passed');
  const passed = result.run_details.find((run) => run.status === 'passed');
  for (const run of passed === undefined ? shown : [passed, ...shown]) {
    const title = HEADINGS[run.status].replace('{id}', `Run ${run.run}`);
    text += `#### ${title} (${timeText(run)})\n\n${runPiece(run, kind)}`;
  }
  return `${text.trimEnd()}\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function runPiece(run: CaseResult | RunDetail, kind: KindId): string {
  const advisories = advisoryTexts({ verdicts: run.verdicts }, kind).map((text) => inlineText(text));
  const advice = listPiece('Advisory', advisories);
  return (
    failurePieces(run, kind) +
    advice +
    (reportKind(kind).hasInput === true ? answerPiece(run) : testPiece(run))
  );
}

function failurePieces(run: CaseResult | RunDetail, kind: KindId): string {
  let text = '';
  for (const { title, subtest, message, detail, at } of listFailures(run, kind)) {
    const names = [subtest, title].filter((name) => name !== undefined);
    const [first = '', ...more] = message.trimEnd().split('\n');
    text += `${names.map((name) => `**${inlineText(name)}:** `).join('')}${inlineText(first)}\n\n`;
    if (more.length > 0) text += codeBlock(more.join('\n'));
    text += detailPiece(detail);
    if (at !== undefined) text += `at ${inlineText(at)}\n\n`;
  }
  return text;
}

function detailPiece(detail: FailureDetail | undefined): string {
  switch (detail?.type) {
    case 'diff':
      return codeBlock(detail.text, 'diff');
    case 'stack':
      return codeBlock(detail.frames.join('\n'));
    case 'values': {
      const expected = detail.expected === undefined ? [] : [`expected: ${detail.expected}`];
      const actual = detail.actual === undefined ? [] : [`actual:   ${detail.actual}`];
      return codeBlock([...expected, ...actual].join('\n'));
    }
    case undefined:
      return '';
  }
}

function answerPiece(run: CaseResult | RunDetail): string {
  const text = activityPiece(run);
  // The output of a conversation is its last message, which is shown already.
  const isSaid = run.turns !== undefined && typeof run.output === 'string';
  if (isSaid || (run.output === null && run.status !== 'passed')) return text;
  return text + valuePiece('Output', run.output);
}

/** Subtests and logs of a script test or a skill test, which has no answer. */
function testPiece({ subtests, leaks, logs = [] }: CaseResult | RunDetail): string {
  const parts = subtestTexts(subtests).map((text) => inlineText(text));
  const open = leaks === undefined ? '' : `${inlineText(leaks)}\n\n`;
  return listPiece('Subtests', parts) + open + (logs.length === 0 ? '' : valuePiece('Logs', logs.join('\n')));
}

function valuePiece(title: string, value: unknown): string {
  const isText = typeof value === 'string';
  return `**${title}**\n\n${codeBlock(readableText(value, 2), isText ? '' : 'json')}`;
}
