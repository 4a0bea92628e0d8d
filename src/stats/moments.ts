// Means and variances.

/** The mean of values; NaN if there are none. */
export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The sample variance: squares around the mean over one less than the number of values. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return squares / (values.length - 1);
}
