// A comparison as a Markdown page.

import type { Comparison } from '../../model/comparison.ts';
import {
  caseLabel,
  caseReason,
  closingSentences,
  isTelling,
  moreRunsSentence,
  noiseSentence,
  sideRate,
  verdictSentence,
} from '../../compare/words.ts';
import { scoreSentences } from '../../compare/score-words.ts';
import { inlineText, table } from '../formats/markdown-text.ts';
import type { SideLabels } from './labels.ts';
import { caseName, headLine } from './labels.ts';

export function comparisonMarkdown(comparison: Comparison, labels: SideLabels): string {
  const more = moreRunsSentence(comparison);
  const rows = comparison.cases
    .filter((one) => isTelling(one, comparison))
    .map((one) => [
      caseLabel(one) ?? '',
      caseName(one),
      sideText(one.before),
      sideText(one.after),
      caseReason(one, comparison),
    ]);
  const noise = noiseSentence(comparison);
  const parts = [
    '# Comparison',
    `**${inlineText(verdictSentence(comparison))}**${more === undefined ? '' : ` ${more}`}`,
    inlineText(headLine(comparison, labels)),
    ...(rows.length === 0 ? [] : [table(['Change', 'Case', 'Before', 'After', 'Why'], rows).trimEnd()]),
    ...(noise === undefined ? [] : [noise]),
    ...scoreSentences(comparison).map((sentence) => inlineText(sentence)),
    ...closingSentences(comparison).map((sentence) => inlineText(sentence)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sideText(side: Comparison['cases'][number]['before']): string {
  const runs = side === null || side.measured < 2 ? '' : ` (${side.passed}/${side.measured})`;
  return `${sideRate(side)}${runs}`;
}
