// Scores in words, for every report.

import type { Summary } from '../../model/event.ts';
import type { MetricSummary } from '../../model/scores.ts';
import { groupDigits } from '../../text/group-digits.ts';
import { counted, groupsText } from './run-words.ts';

/** Metrics that a summary names; JSON has them all. */
const SHOWN = 8;

type Scores = Pick<Summary, 'clusters' | 'metrics' | 'metrics_left_out'>;

/**
 * `faithful: 0.83 (mean of 40 cases, 0.2 to 1; cases like these: 0.76 to 0.89)`; a text for each metric, untrusted, then how many
 * more there are. Empty without scores.
 */
export function scoreTexts(counts: Scores, noun: string): string[] {
  const { metrics = [], metrics_left_out: leftOut = 0 } = counts;
  const rest = metrics.length - SHOWN;
  return [
    ...metrics.slice(0, SHOWN).map((metric) => `${metric.metric}: ${scoreFacts(metric, noun, counts)}`),
    ...(rest > 0 ? [`and ${counted(rest, 'more metric')}; the JSON report has them all`] : []),
    ...(leftOut > 0 ? [leftOutText(leftOut)] : []),
  ];
}

/** `0.83 (mean of 40 cases, 0.2 to 1; cases like these: 0.76 to 0.89)`. */
function scoreFacts(metric: MetricSummary, noun: string, counts: Scores = {}): string {
  const { mean, min, max, cases, interval } = metric;
  if (cases < 2) return `${scoreText(mean)} (1 ${noun})`;
  const range = `${scoreText(min)} to ${scoreText(max)}`;
  const like =
    interval === undefined || noun !== 'case'
      ? ''
      : `; cases like these${groupsText(counts.clusters)}: ${scoreText(interval.low)} to ${scoreText(interval.high)}`;
  return `${scoreText(mean)} (mean of ${counted(cases, noun)}, ${range}${like})`;
}

/** `faithful 0.83, relevance 0.7`: the scores of one case; untrusted. Undefined if it has none. */
export function caseScoresText(scores: Record<string, number> | undefined): string | undefined {
  if (scores === undefined) return undefined;
  return Object.entries(scores)
    .map(([metric, score]) => `${metric} ${scoreText(score)}`)
    .join(', ');
}

/** A score with as many digits as help: `0.83`, `0.995`, `1`. */
export function scoreText(score: number): string {
  const digits = score > 0.98 || score < 0.02 ? 3 : 2;
  return String(Number(score.toFixed(digits)));
}

function leftOutText(count: number): string {
  return `${groupDigits(count)} scores of further metrics are not averaged: a run has at most 200 metrics`;
}
