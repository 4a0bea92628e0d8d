// Percentiles and histogram bins.

/** The value that `share` (0 to 1) of the sorted values do not exceed, interpolated between neighbours. */
export function percentile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.ceil(position)] ?? low;
  return low + (high - low) * (position - below);
}

/** The number of values from `from` up to `to`; only the last bin includes `to`. */
export type Bin = { from: number; to: number; count: number };

/** Bins of equal, round width over sorted values. */
export function histogramBins(sorted: readonly number[], wanted = 30): Bin[] {
  const least = sorted[0];
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return [];
  const width = roundUp((most - least) / wanted);
  const first = Math.floor(least / width) * width;
  const count = Math.max(1, Math.floor((most - first) / width) + 1);
  const bins = Array.from({ length: count }, (_, at) => ({
    from: first + at * width,
    to: first + (at + 1) * width,
    count: 0,
  }));
  for (const value of sorted) {
    const bin = bins[Math.min(count - 1, Math.floor((value - first) / width))];
    if (bin !== undefined) bin.count += 1;
  }
  return bins;
}

/** The next of 1, 2, 5, 10, 20 … */
function roundUp(width: number): number {
  if (!(width > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(width));
  const digit = [1, 2, 5, 10].find((one) => one * power >= width) ?? 10;
  return digit * power;
}
