/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Parses JSON text; returns other values, and text that is not JSON, unchanged. */
export function jsonOrText(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return parsed === undefined ? value : parsed.value;
}
