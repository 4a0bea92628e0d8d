// The columns that tables of values have beside the counts, as far as there is something to show.

import { groupDigits } from '../../text/group-digits.ts';
import type { ValueCounts } from '../fold/value-counts.ts';
import { dollars } from './spending-text.ts';

export type ValueColumn = { head: string; cell(counts: ValueCounts): string };

/** `noun` is what the run counts: only cases are a sample of others. */
export function valueColumns(
  values: readonly ValueCounts[],
  noun: string,
  { none }: { none: string },
): ValueColumn[] {
  const some = (has: (counts: ValueCounts) => boolean, column: ValueColumn): ValueColumn[] =>
    values.some(has) ? [column] : [];
  return [
    ...some(({ interval, total }) => noun === 'case' && interval !== null && total > 1, {
      head: 'cases like these',
      cell: ({ interval }) => (interval === null ? none : `${interval.low}% to ${interval.high}%`),
    }),
    ...some(({ rank }) => rank !== undefined, {
      head: 'rank',
      cell: ({ rank }) => (rank === undefined ? none : rankText(rank)),
    }),
    // A price matters only of what has tokens.
    ...some(
      ({ cost_usd, tokens }) => typeof cost_usd === 'number' || (cost_usd === null && tokens !== undefined),
      {
        head: 'cost',
        cell: ({ cost_usd: cost }) => (cost === null ? 'unknown' : cost === undefined ? none : dollars(cost)),
      },
    ),
    ...some(({ tokens }) => tokens !== undefined, {
      head: 'tokens',
      cell: ({ tokens }) => (tokens === undefined ? none : groupDigits(Math.round(tokens))),
    }),
  ];
}

/** `1`, or `1 to 3` if the place is not clear. */
function rankText([from, to]: [from: number, to: number]): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
