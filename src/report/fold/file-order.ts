// The cases of a run that had another order, in the order of their files.

import type { SettledCase } from './case-result.ts';

/** Cases in memory at once; the log is read again for the next ones. */
const AT_ONCE = 5000;

/** A case with its position in the order of the files; undefined if it has none. */
export type PlacedCase = { position: number | undefined; settled: SettledCase };

/** Sorts the cases that `read` gives, as often as it takes. Cases without a position come last. */
export async function* inFileOrder(
  read: () => AsyncIterable<PlacedCase>,
  { atOnce = AT_ONCE } = {},
): AsyncGenerator<SettledCase> {
  for (let from = 1; ; from += atOnce) {
    const some: { position: number; settled: SettledCase }[] = [];
    let hasMore = false;
    for await (const { position = Infinity, settled } of read()) {
      if (position >= from && position < from + atOnce) some.push({ position, settled });
      else if (position >= from + atOnce && position < Infinity) hasMore = true;
    }
    some.sort((a, b) => a.position - b.position);
    for (const { settled } of some) yield settled;
    if (!hasMore) break;
  }
  for await (const { position, settled } of read()) if (position === undefined) yield settled;
}
