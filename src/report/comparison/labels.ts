import type { Comparison } from '../../model/comparison.ts';
import { groupDigits } from '../../text/group-digits.ts';

/** How users know the two sides: an id, or the path of a log. */
export type SideLabels = { before: string; after: string };

/** `before: 01939f0a and 9 earlier runs → after: 0193a1c2, 98 of 100 cases compared, 10 → 3 runs of each`. */
export function headLine({ counts, difference, runs, cases }: Comparison, labels: SideLabels): string {
  const earlier = runs.before.length - 1;
  const more = earlier > 0 ? ` and ${earlier} earlier ${earlier === 1 ? 'run' : 'runs'}` : '';
  const compared = difference?.cases ?? 0;
  const [then, now] = [mostRuns(cases, 'before'), mostRuns(cases, 'after')];
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const of = all > compared ? ` of ${groupDigits(all)}` : '';
  const size = `${groupDigits(compared)}${of} ${all === 1 ? 'case' : 'cases'} compared`;
  return `before: ${labels.before}${more} → after: ${labels.after}, ${size}, ${then} → ${now} runs of each`;
}

/** `shop › refund {"Language":"de"}`. */
export function caseName({
  test_id,
  case_id,
  variables,
}: Pick<Comparison['cases'][number], 'case_id' | 'test_id' | 'variables'>): string {
  const values = variables === null ? '' : ` ${JSON.stringify(variables)}`;
  return `${test_id} › ${case_id}${values}`;
}

function mostRuns(cases: Comparison['cases'], side: 'after' | 'before'): number {
  return cases.reduce((most, one) => Math.max(most, one[side]?.measured ?? 0), 0);
}
