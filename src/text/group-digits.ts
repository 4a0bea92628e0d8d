/** Writes a whole number with commas: `1,000,000`. `toLocaleString` does the same, but its first call takes 13 ms. */
export function groupDigits(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
