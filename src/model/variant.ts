/** The same text for the same variables, whatever their order; empty if there are none. */
export function variantOf(variables: Record<string, unknown> | undefined): string {
  const named = variables === undefined ? [] : Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return named.length === 0 ? '' : JSON.stringify(named);
}
