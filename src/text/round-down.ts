/** A score with two digits, rounded down so that it never looks like a threshold it does not reach. */
export function roundDown(score: number): number {
  // The epsilon corrects binary fractions: 0.29 * 100.
  return Math.floor(score * 100 + 1e-9) / 100;
}
