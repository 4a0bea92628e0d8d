/** The headers of a response, by their names in lower case. */
type Headers = Record<string, unknown>;

/** How long a server asks to wait, in milliseconds. A date is compared with the clock of the server, if that is known. */
export function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = Number(firstText(headers['retry-after-ms']) ?? Number.NaN);
  if (milliseconds >= 0) return Math.round(milliseconds);

  const value = firstText(headers['retry-after']);
  if (value === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);

  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const now = Date.parse(firstText(headers['date']) ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** A header may have several values: the first counts. */
function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}
