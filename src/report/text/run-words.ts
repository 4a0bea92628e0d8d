// Titles and nouns for a run.

import type { StartEvent, Summary } from '../../model/event.ts';
import type { KRate, SuiteK } from '../../stats/pass-at-k.ts';
import { gradedFrom } from '../../model/graded.ts';
import { runsRange } from '../../model/runs-per-case.ts';
import { runKind } from '../kinds/registry.ts';
import { groupDigits } from '../../text/group-digits.ts';

/** The noun that a run counts: cases, tests or skills. */
export function caseNoun(start: Pick<StartEvent, 'inputs'>): string {
  return runKind(start).noun;
}

/** `Agent`, `Script` or `Skill`, and the name of what is tested. */
export function runSubject(start: Pick<StartEvent, 'agent_id' | 'inputs'>): { type: string; name: string } {
  const kind = runKind(start);
  return { type: kind.title, name: kind.subjectName(start) };
}

/** The title of a run: `Agent Test: calc`. */
export function runTitle(start: Pick<StartEvent, 'agent_id' | 'inputs'>): string {
  const { type, name } = runSubject(start);
  return `${type} Test: ${name}`;
}

/** The number of runs per case: `3`, `1 to 5` if it differs between tests, or `up to 20`. */
export function runsText(start: Pick<StartEvent, 'inputs' | 'runs_per_case' | 'runs_rule'>): string {
  const { least, most } = runsRange(start);
  if (start.runs_rule !== undefined) return `up to ${most}`;
  return least === most ? String(most) : `${least} to ${most}`;
}

/** `1 case`, `3 cases`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${groupDigits(count)} ${noun}s`;
}

/** `3 passed`, `1 failed`, `0 skipped`, and what could not be measured, which is not called failed. */
export function endTexts({
  passed,
  failed,
  skipped,
  unmeasured = 0,
}: Pick<Summary, 'failed' | 'passed' | 'skipped' | 'unmeasured'>): [
  passed: string,
  failed: string,
  skipped: string,
  ...unmeasured: string[],
] {
  const ends = [`${passed} passed`, `${failed - unmeasured} failed`, `${skipped} skipped`] as const;
  return unmeasured > 0 ? [...ends, `${unmeasured} could not be measured`] : [...ends];
}

/**
 * `cases like these: 72.1% to 94.2%`, the interval of the pass rate. Script tests and skill tests are not a sample of others, and
 * one case says nothing about others: undefined.
 */
export function likeTheseText(noun: string, counts: Omit<Summary, 'duration_ms'>): string | undefined {
  const { passed, failed, unmeasured = 0, pass_rate_interval: interval } = counts;
  if (interval === undefined || noun !== 'case' || passed + failed - unmeasured < 2) return undefined;
  return `cases like these${groupsText(counts.clusters)}: ${interval.low}% to ${interval.high}%`;
}

/** `, in 12 groups`, if cases are related; empty without `--cluster`. */
export function groupsText(clusters: Summary['clusters']): string {
  return clusters === undefined || clusters.cases === 0 ? '' : `, in ${counted(clusters.groups, 'group')}`;
}

/** Says that `--cluster` did nothing, because no case has such a tag or variable. */
export function clusterNote({ clusters }: Pick<Summary, 'clusters'>, noun: string): string | undefined {
  if (clusters === undefined || clusters.cases > 0) return undefined;
  const what = clusters.by.startsWith('variable:') ? 'variable' : 'tag';
  return `--cluster ${clusters.by}: no ${noun} has such a ${what}, so each is a group of its own`;
}

/** `pass@3: 91.7% (cases like these: 60.1% to 99%)`, or why there is no figure; a line for each. */
export function kTexts({ pass_at_k, pass_hat_k }: SuiteK, noun: string): string[] {
  return Object.entries(pass_at_k).flatMap(([k, at]) => {
    const hat = pass_hat_k[k] ?? null;
    const runs = counted(Number(k), 'measured run');
    if (at === null || hat === null) return [`pass@${k}, pass^${k}: no ${noun} has ${runs}`];
    const text = ({ value, low, high, cases, groups }: KRate): string => {
      const related = groups === undefined ? '' : `, in ${counted(groups, 'group')}`;
      return `${value}% (mean of ${counted(cases, noun)} with at least ${runs}; ${noun}s like these${related}: ${low}% to ${high}%)`;
    };
    return [`pass@${k}: ${text(at)}`, `pass^${k}: ${text(hat)}`];
  });
}

/** The tape that the traffic of a run was recorded to or replayed from. */
export function tapesText({ flags }: Pick<StartEvent, 'flags'>): string | undefined {
  const { record, replay, record_missing: isUpdate, cache: isCache } = flags;
  if (typeof record === 'string') return `recorded to ${record}`;
  if (typeof replay !== 'string') return undefined;
  if (isCache === true) return 'answered from the cache in .assay/tapes, what was missing recorded';
  return `replayed from ${replay}${isUpdate === true ? ', what was missing recorded' : ''}`;
}

const FORMATS: Record<string, string> = {
  assay: 'a run log',
  atif: 'ATIF',
  claude: 'Claude Code',
  codex: 'Codex',
  otel: 'OpenTelemetry',
};
const MOST_NAMED = 3;

/** Says that a run has judged recorded answers: `the answers of before.jsonl (a run log), the agent was not run`. */
export function gradedText(run: Pick<StartEvent, 'flags' | 'graded'>): string | undefined {
  const graded = gradedFrom(run);
  if (graded === undefined) return undefined;
  const { from, format } = graded;
  const more = from.length - MOST_NAMED;
  const names = `${from.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const formats = format.split(', ').map((one) => FORMATS[one] ?? one);
  return `the recorded answers of ${names} (${formats.join(', ')}); the agent was not run`;
}

/** Which cases a run is limited to: `the first 10`, `a sample of 50 (seed 1)`; undefined if it has all that were selected. */
export function chosenText({ flags }: Pick<StartEvent, 'flags'>): string | undefined {
  const { first, sample, seed } = flags;
  if (typeof first === 'number') return `the first ${groupDigits(first)}`;
  if (typeof sample !== 'number') return undefined;
  return `a sample of ${groupDigits(sample)} (seed ${typeof seed === 'number' ? seed : 1})`;
}
