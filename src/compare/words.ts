// The words for a comparison. Terminal, Markdown, HTML and viewer say the same.

import { sideCaseKey } from './side.ts';
import { formatDuration } from '../text/duration.ts';
import { groupDigits } from '../text/group-digits.ts';
import type {
  ComparedCase,
  ComparedMetric,
  ComparedSide,
  Comparison,
  Ground,
  RatioVerdict,
} from '../model/comparison.ts';

/** The verdict as a title: `Worse`. */
const VERDICT_TITLES = {
  better: 'Better',
  not_worse: 'Not worse',
  slightly_worse: 'Slightly worse',
  undecided: 'Undecided',
  worse: 'Worse',
} as const satisfies Record<Comparison['verdict'], string>;

/** One or two sentences: the verdict, the difference, its interval and both rates. */
export function verdictSentence(comparison: Comparison): string {
  const { difference, rates, verdicts } = comparison;
  if (difference === null || rates === null) return 'Undecided. No case was measured on both sides.';
  if (comparison.deterministic === difference.cases) return fixedSentence(comparison, rates);
  const sentence = noisySentence(comparison, difference, rates);
  const isAlsoProven = verdicts.proven > 0 && comparison.verdict !== 'worse';
  if (!isAlsoProven) return `${VERDICT_TITLES[comparison.verdict]}. ${sentence}`;
  const title = VERDICT_TITLES[comparison.verdict];
  return `${title} as a whole, but ${counted(verdicts.proven, 'case')} regressed. ${sentence}`;
}

/** `Compared with main: Not worse. …`: the verdict of a run that was compared while it was on; untrusted. */
export function comparedTexts({ comparison }: { comparison?: Comparison }): string[] {
  if (comparison === undefined) return [];
  const more = moreRunsSentence(comparison);
  const scores = scoresSentence(comparison);
  const sentences = [verdictSentence(comparison), more, scores].filter((one) => one !== undefined);
  return [`${comparison.against ?? 'baseline'}: ${sentences.join(' ')}`];
}

/** The verdict on a metric. */
export const METRIC_WORDS = {
  better: 'better',
  not_clear: 'not clear',
  worse: 'worse',
} as const satisfies Record<ComparedMetric['verdict'], string>;

/** `Scores: faithful worse (−0.08); 2 not clear.`; untrusted. Undefined without scores. */
function scoresSentence({ metrics = [] }: Comparison): string | undefined {
  if (metrics.length === 0) return undefined;
  const clear = metrics.filter(({ verdict }) => verdict !== 'not_clear');
  const named = clear
    .slice(0, SCORES_NAMED)
    .map(
      ({ metric, verdict, difference }) => `${metric} ${METRIC_WORDS[verdict]} (${signedScore(difference)})`,
    );
  const more = clear.length - named.length;
  if (more > 0) named.push(`${more} more that changed`);
  const open = metrics.length - clear.length;
  if (open > 0) named.push(`${open} not clear`);
  return `Scores: ${named.join('; ')}.`;
}

const SCORES_NAMED = 4;

/** `−0.083`, `+0.1`. */
export function signedScore(score: number): string {
  const text = plainScore(Math.abs(score));
  if (text === '0') return text;
  return score > 0 ? `+${text}` : `−${text}`;
}

/** `0.083`, `0.8`. */
export function plainScore(score: number): string {
  return String(Math.round(score * 1000) / 1000);
}

/** Sentences after the list of cases: how sure the names are, what could not be compared, durations and cost. */
export function closingSentences(comparison: Comparison): string[] {
  const { baseline, counts, verdicts, deterministic, difference } = comparison;
  const sentences: string[] = [];
  if (comparison.within_run_differences && baseline.run_sd !== null)
    sentences.push(
      `Whole runs of the baseline scatter by ±${number(2 * baseline.run_sd)} points among themselves, so this drop may be a bad hour. More runs of the new version, at other times, would tell.`,
    );
  if (comparison.verdict === 'worse' && verdicts.regressed === 0)
    sentences.push('The drop is spread over the cases: no single one is proven to have regressed.');
  const unsure = verdicts.regressed - verdicts.proven;
  if (unsure > 0) sentences.push('At most about 1 in 10 of the cases called regressed is noise.');
  sentences.push(...freshSentences(comparison));
  if (toldSuspects(comparison) > 0 && comparison.confirmed === undefined)
    sentences.push(
      'A suspect passed more often before, but that may be chance. To find out, run suspects again: assay test --against … --confirm',
    );
  if (deterministic > 0 && deterministic < (difference?.cases ?? 0))
    sentences.push(
      `${counted(deterministic, 'case')} of them ${deterministic === 1 ? 'has' : 'have'} no noise.`,
    );
  sentences.push(...notCompared(counts), ...costSentences(comparison), ...comparison.notes);
  return sentences;
}

/** What more runs would settle; undefined if there is nothing to settle. */
export function moreRunsSentence({ more_runs, verdict }: Comparison): string | undefined {
  if (verdict !== 'undecided' || more_runs === null) return undefined;
  const { after, both } = more_runs;
  if (after !== null)
    return `${counted(after, 'more run')} of every case with the new version would decide, 4 times in 5.`;
  if (both !== null)
    return `${counted(both, 'run')} of every case with each version would decide, 4 times in 5; the runs so far count.`;
  return 'Not even 100 runs of each version would decide: add cases, or allow a larger margin.';
}

/** The word at the beginning of a case's line; undefined if its rate did not change. */
export function caseLabel({ verdict, change }: ComparedCase): string | undefined {
  if (verdict === 'unproven') return 'lower';
  if (verdict === 'improved') return 'higher';
  if (verdict !== null) return verdict;
  return change === 'unchanged' ? undefined : change;
}

const LIKELY_NOISE = 0.25;

/** True if the case says something: rates that moved as noise moves them are only counted. */
export function isTelling(
  { verdict, change, ground, p, after }: ComparedCase,
  comparison: Comparison,
): boolean {
  if (verdict === 'unproven') return false;
  // A suspect that noise makes in every fourth case, and that still passes now and then, is not worth a line.
  if (verdict === 'suspect') return (p ?? 0) <= LIKELY_NOISE || after?.passed === 0;
  if (verdict === 'improved') return ground !== undefined || comparison.verdict === 'better';
  return verdict !== null || change !== 'unchanged';
}

/** Counts the cases that get no line: `Other cases: 8 lower, 12 higher; …`. Undefined if every changed case has a line. */
export function noiseSentence(comparison: Comparison): string | undefined {
  const { cases, verdicts, verdict } = comparison;
  const lower = verdicts.unproven + verdicts.suspect - toldSuspects(comparison);
  const sure = cases.filter((one) => one.verdict === 'improved' && one.ground !== undefined).length;
  const higher = verdict === 'better' ? 0 : verdicts.improved - sure;
  if (lower + higher === 0) return undefined;
  const parts = [
    lower > 0 && `${groupDigits(lower)} lower`,
    higher > 0 && `${groupDigits(higher)} higher`,
  ].filter((part) => part !== false);
  return `Other cases: ${parts.join(', ')}; each alone may be noise.`;
}

function toldSuspects(comparison: Comparison): number {
  return comparison.cases.filter((one) => one.verdict === 'suspect' && isTelling(one, comparison)).length;
}

/** `10/10 → 0/3`. */
export function caseCounts({ before, after }: Pick<ComparedCase, 'after' | 'before'>): string {
  return `${sideCounts(before)} → ${sideCounts(after)}`;
}

/** Why the case has its label; empty if the counts say it all. */
export function caseReason(
  one: ComparedCase,
  { confirmed = [] }: Pick<Comparison, 'confirmed'> = {},
): string {
  const { verdict, change, p, proven, ground } = one;
  const again = confirmed.find((other) => sideCaseKey(other) === sideCaseKey(one));
  if (again !== undefined)
    return `${again.fresh.passed} of ${counted(again.fresh.measured, 'fresh run')} passed${proven ? ', proven' : ''}`;
  if (change === 'changed') return 'its input, expected value or assertions differ';
  if (change === 'unmeasured') return missingReason(one);
  if (verdict === 'regressed' && ground !== undefined) return GROUNDS[ground];
  if (verdict === 'regressed')
    return proven ? `proven (p ${pText(one.p_adjusted ?? 0)} over all cases)` : `p ${pText(p ?? 0)}`;
  if ((verdict === 'suspect' || verdict === 'unproven') && p !== null)
    return `chance spreads ${passesText(one)} like this ${oftenText(p)} times`;
  return '';
}

/** `4 passes in 6 runs`: those of both sides together. */
function passesText({ before, after }: ComparedCase): string {
  const passed = (before?.passed ?? 0) + (after?.passed ?? 0);
  const measured = (before?.measured ?? 0) + (after?.measured ?? 0);
  return `${passed === 1 ? '1 pass' : `${groupDigits(passed)} passes`} in ${counted(measured, 'run')}`;
}

function missingReason({ before, after }: ComparedCase): string {
  const side = after?.measured === 0 ? after : before;
  const when = side === after ? 'after' : 'before';
  return side?.status === 'skipped' ? `skipped ${when}` : `an error that is not the agent's, ${when}`;
}

/** `86.6`, `5`. */
export function number(value: number): string {
  return String(Math.round(value * 10) / 10).replace('-', '−');
}

/** `1 case`, `3 cases`. */
function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${groupDigits(count)} ${noun}s`;
}

const GROUNDS: Record<Ground, string> = {
  graded: 'the same recorded answers were judged, so one failure is proof',
  replay: 'every answer was recorded, so one failure is proof',
  script: 'a script test calls no model, so one failure is proof',
  skill: 'a skill test calls no model, so one failure is proof',
};

type Rates = { before: number; after: number };

/** The verdict where nothing is noise. */
function fixedSentence(
  { verdict, verdicts, difference, cases }: Comparison,
  { before, after }: Rates,
): string {
  const isJudgedAgain = cases.some(({ ground }) => ground === 'graded');
  const why = isJudgedAgain ? 'the same recorded answers were judged' : 'they call no model';
  const rates = `Pass rate ${percent(before)} before, ${percent(after)} after`;
  const all = counted(difference?.cases ?? 0, 'case');
  if (verdict === 'worse')
    return `Worse. ${counted(verdicts.regressed, 'case')} of ${groupDigits(difference?.cases ?? 0)} regressed. ${rates}; these cases have no noise: ${why}.`;
  if (verdict === 'better')
    return `Better. ${counted(verdicts.improved, 'case')} improved, none regressed. ${rates}; these cases have no noise: ${why}.`;
  return `Not worse. ${all} ended as before. ${rates}; these cases have no noise: ${why}.`;
}

function noisySentence(
  { verdict, margin }: Comparison,
  { value, low, high, level, p_worse, p_better }: NonNullable<Comparison['difference']>,
  { before, after }: Rates,
): string {
  const sure = `With ${percent(level)} certainty`;
  const rates = `from ${percent(before)} to ${percent(after)}`;
  switch (verdict) {
    case 'worse':
      return `The pass rate fell by ${points(-value)}, ${rates}. ${sure} the drop is between ${number(-high)} and ${points(-low)} (p ${pText(p_worse)}).`;
    case 'slightly_worse':
      return `The pass rate fell by ${points(-value)}, ${rates}. ${sure} the drop is between ${number(-high)} and ${points(-low)} (p ${pText(p_worse)}), within the ${points(margin)} that --margin allows.`;
    case 'better':
      return `The pass rate rose by ${points(value)}, ${rates}. ${sure} the rise is between ${number(low)} and ${points(high)} (p ${pText(p_better)}).`;
    case 'not_worse':
      return `The pass rate went ${rates} (${signedPoints(value)}). ${sure} it is down by at most ${points(Math.max(0, -low))}; --margin allows ${number(margin)}.`;
    case 'undecided':
      return `The pass rate went ${rates} (${signedPoints(value)}), but anything from ${signed(low)} to ${signed(high)} fits (${percent(level)} interval): a drop of more than ${points(margin)} (--margin) is not ruled out.`;
  }
}

function freshSentences({ confirmed }: Comparison): string[] {
  if (confirmed === undefined) return [];
  if (confirmed.length === 0) return ['No case that failed was worth fresh runs.'];
  const proven = confirmed.filter((one) => one.proven).length;
  const again = `${counted(confirmed.length, 'case')} that failed ran again`;
  return [
    `${again}; ${proven === 0 ? 'none is' : proven === 1 ? '1 is' : `${proven} are`} proven to have regressed.`,
  ];
}

function notCompared({ changed, new: added, removed, unmeasured }: Comparison['counts']): string[] {
  const parts = [
    unmeasured > 0 &&
      `${counted(unmeasured, 'case')} ${unmeasured === 1 ? 'has' : 'have'} no measurement on one side`,
    changed > 0 && `${counted(changed, 'case')} changed`,
    added > 0 && `${groupDigits(added)} ${added === 1 ? 'is' : 'are'} new`,
    removed > 0 && `${groupDigits(removed)} ${removed === 1 ? 'was' : 'were'} removed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? [] : [`Not compared: ${parts.join(', ')}.`];
}

function costSentences({ durations, cost, tokens, baseline }: Comparison): string[] {
  const spent: [RatioVerdict | null, string, string, string][] = [
    [durations, 'Durations', 'slower', 'no slower'],
    [cost, 'Cost', 'dearer', 'no dearer'],
    [tokens, 'Tokens', 'more', 'no more'],
  ];
  return spent.flatMap(([ratio, name, more, notMore]) => {
    if (ratio === null) return [];
    const figures = `×${ratio.ratio.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    if (ratio.verdict === 'more') return [`${name}: ${more}, ${figures}.`];
    if (ratio.verdict === 'not_more') return [`${name}: ${notMore}, ${figures}.`];
    if (ratio.verdict === 'undecided') return [`${name}: ${figures}, undecided.`];
    const isNoteworthy = ratio.low > 1.1 || ratio.high < 0.9;
    if (!isNoteworthy) return [];
    return [
      `${name}: ${figures}; ${counted(baseline.runs, 'run')} before cannot tell a slow hour from a slow version (5 can).`,
    ];
  });
}

function sideCounts(side: ComparedSide | null): string {
  if (side === null) return 'not there';
  return side.measured === 0 ? 'not measured' : `${side.passed}/${side.measured}`;
}

/** `100% in 12ms`: the rate and duration of one side. */
export function sideRate(side: ComparedSide | null): string {
  if (side === null) return 'not there';
  const rate = side.pass_rate === null ? 'not measured' : percent(side.pass_rate);
  return side.avg_duration_ms === null ? rate : `${rate} in ${formatDuration(side.avg_duration_ms)}`;
}

function points(value: number): string {
  const text = number(value);
  return text === '1' ? '1 point' : `${text} points`;
}

function percent(value: number): string {
  return `${number(value)}%`;
}

function signed(value: number): string {
  const text = number(value);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

function signedPoints(value: number): string {
  const text = signed(value);
  return /^[+−]1$/.test(text) ? `${text} point` : `${text} points`;
}

export function pText(p: number): string {
  if (p < 0.0001) return 'below 0.0001';
  return p < 0.001 ? p.toFixed(4) : p.toFixed(3);
}

/** `11 of 100`, `3 of 1,000`. */
function oftenText(p: number): string {
  if (p >= 0.01) return `${Math.round(100 * p)} of 100`;
  return p >= 0.001 ? `${Math.round(1000 * p)} of 1,000` : 'fewer than 1 of 1,000';
}
