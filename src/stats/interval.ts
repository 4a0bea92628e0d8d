// Confidence intervals of rates.

/** A 95 % confidence interval of a rate, in percent. */
export type Interval = { low: number; high: number };

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964;

/**
 * Wilson's score interval of `successes` out of `count`. For a mean of rates, `successes` is their sum: rates vary less
 * than single outcomes, so the interval is too wide at worst.
 * @example wilsonInterval(9, 10) // { low: 59.6, high: 98.2 }
 */
export function wilsonInterval(successes: number, count: number): Interval | undefined {
  if (count <= 0) return undefined;
  const rate = successes / count;
  const square = Z * Z;
  const centre = rate + square / (2 * count);
  const margin = Z * Math.sqrt((rate * (1 - rate)) / count + square / (4 * count * count));
  const scale = 1 + square / count;
  return {
    low: percent(Math.max(0, (centre - margin) / scale)),
    high: percent(Math.min(1, (centre + margin) / scale)),
  };
}

function percent(share: number): number {
  return Math.round(1000 * share) / 10;
}
