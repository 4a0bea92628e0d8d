// The words for compared scores. Terminal, Markdown, HTML and viewer say the same.

import type { ComparedMetric, Comparison } from '../model/comparison.ts';
import { groupDigits } from '../text/group-digits.ts';
import { METRIC_WORDS, number, plainScore, pText, signedScore } from './words.ts';

/** Metrics that get a sentence; JSON has them all. */
const SHOWN = 8;

/** A sentence for each metric, those that changed first; untrusted. Empty without scores. */
export function scoreSentences({ metrics = [], alpha }: Comparison): string[] {
  const sorted = [
    ...metrics.filter(({ verdict }) => verdict === 'worse'),
    ...metrics.filter(({ verdict }) => verdict === 'better'),
    ...metrics.filter(({ verdict }) => verdict === 'not_clear'),
  ];
  const rest = sorted.length - SHOWN;
  return [
    ...sorted.slice(0, SHOWN).map((metric) => scoreSentence(metric, { alpha, of: metrics.length })),
    ...(rest > 0 ? [`${rest} more ${rest === 1 ? 'metric' : 'metrics'}; --json has them all.`] : []),
  ];
}

function scoreSentence(metric: ComparedMetric, { alpha, of }: { alpha: number; of: number }): string {
  const { difference, low, high, before, after, cases, verdict, p_adjusted: p } = metric;
  const name = `Score ${metric.metric}: ${METRIC_WORDS[verdict]}`;
  const level = `${number(100 * (1 - alpha))}%`;
  const many = cases === 1 ? '1 case' : `${groupDigits(cases)} cases`;
  const rates = `from ${plainScore(before)} to ${plainScore(after)}`;
  const chance = `p ${pText(p)}${of === 1 ? '' : ` over ${of} metrics`}, ${many}`;
  switch (verdict) {
    case 'worse':
      return `${name}. It fell by ${plainScore(-difference)}, ${rates}. With ${level} certainty the drop is between ${plainScore(Math.max(0, -high))} and ${plainScore(-low)} (${chance}).`;
    case 'better':
      return `${name}. It rose by ${plainScore(difference)}, ${rates}. With ${level} certainty the rise is between ${plainScore(Math.max(0, low))} and ${plainScore(high)} (${chance}).`;
    case 'not_clear':
      return `${name}. It went ${rates} (${signedScore(difference)}); anything from ${signedScore(low)} to ${signedScore(high)} fits (${level} interval, ${chance}).`;
  }
}
