// A comparison as one HTML file without scripts.

import type { ComparedCase, Comparison } from '../../model/comparison.ts';
import {
  caseCounts,
  caseLabel,
  caseReason,
  closingSentences,
  isTelling,
  moreRunsSentence,
  noiseSentence,
  verdictSentence,
} from '../../compare/words.ts';
import { scoreSentences } from '../../compare/score-words.ts';
import { escapeHtml } from '../formats/html-text.ts';
import type { SideLabels } from './labels.ts';
import { caseName, headLine } from './labels.ts';

/** More rows make a page that is hard to open; JSON has them all. */
const SHOWN = 2000;

const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --bad: #c62828; --good: #2e7d32; --open: #b26a00; }
@media (prefers-color-scheme: dark) { :root { --line: #444c56; --bad: #ff7b72; --good: #6cc070; --open: #e3a53a; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
.verdict { font-size: 1.25rem; border-left: .4rem solid var(--open); padding-left: 1rem; }
.worse, .slightly_worse { border-color: var(--bad); } .better, .not_worse { border-color: var(--good); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:nth-child(3) { white-space: nowrap; } .note { opacity: .75; } .regressed { color: var(--bad); } .suspect { color: var(--open); } .improved { color: var(--good); }`;

export function comparisonHtml(comparison: Comparison, labels: SideLabels): string {
  const { verdict, cases, fails } = comparison;
  const more = moreRunsSentence(comparison);
  const tone = fails ? 'worse' : verdict;
  const rows = cases.filter((one) => isTelling(one, comparison));
  const noise = noiseSentence(comparison);
  const rest = rows.length - SHOWN;
  const body = [
    '<h1>Comparison</h1>',
    `<p class="verdict ${tone}">${escapeHtml(verdictSentence(comparison))}${more === undefined ? '' : ` ${escapeHtml(more)}`}</p>`,
    `<p class="note">${escapeHtml(headLine(comparison, labels))}</p>`,
    ...(rows.length === 0 ? [] : [caseTable(rows.slice(0, SHOWN), comparison)]),
    ...(rest > 0 ? [`<p class="note">… and ${rest} more; JSON has them all.</p>`] : []),
    ...(noise === undefined ? [] : [`<p>${escapeHtml(noise)}</p>`]),
    ...scoreSentences(comparison).map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    ...closingSentences(comparison).map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comparison · Assay</title>
<style>${STYLE}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

function caseTable(cases: readonly ComparedCase[], comparison: Comparison): string {
  const rows = cases.map((one) => {
    const label = caseLabel(one) ?? '';
    const cells = [caseName(one), caseCounts(one), caseReason(one, comparison)].map(
      (text) => `<td>${escapeHtml(text)}</td>`,
    );
    return `<tr><th scope="row" class="${label}">${label}</th>${cells.join('')}</tr>`;
  });
  return `<table>\n<thead><tr><th>Change</th><th>Case</th><th>Passed</th><th>Why</th></tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}
