// Amounts of money as text and as cents. No agent is needed to test it: see money_test.ts.

/** Reads `12.50` as 1250 cents; undefined for anything else. */
export function parseCents(text: string): number | undefined {
  const [, whole, cents] = /^(\d{1,9})\.(\d\d)$/.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents);
}

/** Shows 1250 cents as `12.50`. */
export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
