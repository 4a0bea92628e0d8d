// A comparison for the terminal.

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
import { displayWidth } from '../../text/display-width.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { oneLine } from '../../text/untrusted.ts';
import type { SideLabels } from './labels.ts';
import { caseName, headLine } from './labels.ts';

/** Maximum number of cases with one label. */
const SHOWN = 20;
/** Longer names push the counts away from each other. */
const MAX_NAME = 60;

export type TextOptions = SideLabels & {
  /** The command that runs the new version more often, if it is known. */
  again?: ((runs: number) => string) | undefined;
};

/** The verdict first, then cases, then how sure their names are. */
export function comparisonText(comparison: Comparison, options: TextOptions): string {
  const more = moreRunsSentence(comparison);
  const after = comparison.more_runs?.after ?? null;
  const again = after === null ? undefined : options.again?.(after);
  const verdict = [verdictSentence(comparison), more].filter((part) => part !== undefined).join(' ');
  const lines = [
    oneLine(headLine(comparison, options), Infinity),
    verdict,
    ...(again === undefined ? [] : [`  ${again}`]),
    ...comparisonDetails(comparison),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lines after the verdict: the telling cases, and how sure their names are. */
export function comparisonDetails(comparison: Comparison): string[] {
  return [
    ...caseLines(comparison),
    ...[noiseSentence(comparison)].filter((sentence) => sentence !== undefined),
    ...scoreSentences(comparison).map((sentence) => oneLine(sentence, 400)),
    ...closingSentences(comparison).map((sentence) => oneLine(sentence, 1000)),
  ];
}

function caseLines(comparison: Comparison): string[] {
  const cases = comparison.cases.filter((one) => isTelling(one, comparison));
  const groups = new Map<string, ComparedCase[]>();
  for (const one of cases) {
    const label = caseLabel(one);
    if (label === undefined) continue;
    const known = groups.get(label);
    if (known === undefined) groups.set(label, [one]);
    else known.push(one);
  }
  const rows = [...groups].flatMap(([label, all]) => {
    const shown = all.slice(0, SHOWN).map((one) => row(label, one, comparison));
    const rest = all.length - shown.length;
    if (rest > 0) shown.push([label, `${groupDigits(rest)} more; --json has them all`, '', '']);
    return shown;
  });
  return alignRows(rows);
}

function row(label: string, one: ComparedCase, comparison: Comparison): string[] {
  return [label, oneLine(caseName(one)), caseCounts(one), caseReason(one, comparison)];
}

function alignRows(rows: readonly string[][]): string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.max(0, ...rows.map((cells) => Math.min(MAX_NAME, displayWidth(cells[column] ?? '')))),
  );
  return rows.map((cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column];
      return width === undefined ? cell : cell + ' '.repeat(Math.max(0, width - displayWidth(cell)));
    });
    return `  ${padded.join('  ')}`.trimEnd();
  });
}
