/** True for statuses after which a retry can help: timeouts, conflicts, rate limits and errors of the server. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
}

const KINDS: [pattern: RegExp, status: number][] = [
  [/rate.?limit|quota|too.?many/i, 429],
  [/authentication|invalid.?api.?key|permission/i, 401],
  [/overloaded/i, 529],
  [/invalid.?request|not.?found|context.?length/i, 400],
];

/** The HTTP status that matches an error object inside a successful response; undefined if its fields say nothing about it. */
export function errorStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  for (const field of ['code', 'status', 'statusCode']) {
    const value = Number(Reflect.get(error, field));
    if (value >= 400 && value <= 599) return value;
  }
  const kind = `${firstText(Reflect.get(error, 'code')) ?? ''} ${firstText(Reflect.get(error, 'type')) ?? ''}`;
  return KINDS.find(([pattern]) => pattern.test(kind))?.[1];
}

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}
