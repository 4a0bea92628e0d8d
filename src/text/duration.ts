// Durations in Go's notation, as users write and read them; in code they are milliseconds.

const NANOSECONDS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** The longest delay of a timer; Node fires timers with a longer delay at once. */
export const MAX_DURATION_MS = 2 ** 31 - 1;

/** The pattern of a duration for JSON Schemas; `parseDuration` also checks the length. */
export function durationPattern(): string {
  return String.raw`^(?=.*[1-9])(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$`;
}

/**
 * Reads a positive Go duration as milliseconds.
 * @example parseDuration('1h30m') // 5_400_000
 */
export function parseDuration(text: string): number {
  const example = 'write it like 500ms, 30s or 1h30m';
  if (/^[+-]/.test(text))
    throw new Error(`invalid duration ${JSON.stringify(text)}: no sign allowed, ${example}`);

  let total = 0;
  let rest = text;
  do {
    const match = /^(\d*)(?:\.(\d*))?([a-zA-Zµμ]*)/.exec(rest);
    const [whole = '', fraction = '', unit = ''] = match?.slice(1) ?? [];
    if (whole === '' && fraction === '')
      throw new Error(`invalid duration ${JSON.stringify(text)}: ${example}`);
    if (unit === '' && text !== '0') {
      throw new Error(`invalid duration ${JSON.stringify(text)}: missing unit, ${example}`);
    }
    const scale = Object.hasOwn(NANOSECONDS, unit) ? NANOSECONDS[unit] : unit === '' ? 0 : undefined;
    if (scale === undefined) {
      throw new Error(
        `invalid duration ${JSON.stringify(text)}: unknown unit "${unit}", use h, m, s, ms, us or ns`,
      );
    }
    // Whole nanoseconds keep the sum exact: 1.1s is 1100 and not 1100.0000000000002.
    total += Number(whole) * scale + Math.trunc(Number(`0.${fraction}`) * scale + 1e-6);
    rest = rest.slice(match?.[0].length ?? 0);
  } while (rest !== '');

  if (total <= 0) throw new Error(`invalid duration ${JSON.stringify(text)}: it must be longer than zero`);
  if (total > MAX_DURATION_MS * 1e6) {
    throw new Error(
      `invalid duration ${JSON.stringify(text)}: the longest is ${formatGoDuration(MAX_DURATION_MS)}`,
    );
  }
  return total / 1e6;
}

/** Writes a duration for people, rounded: `12ms`, `1.2s`, `2m3s`, `1h5m`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)}ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return join([Math.floor(seconds / 60), 'm'], [seconds % 60, 's']);
  const minutes = Math.round(seconds / 60);
  return join([Math.floor(minutes / 60), 'h'], [minutes % 60, 'm']);
}

/** The message of a timeout: `timeout after 5m`. */
export function timeoutText(limitMs: number): string {
  return `timeout after ${formatGoDuration(limitMs)}`;
}

/** Writes a duration exactly and as short as Go reads it: `30s`, `5m`, `1m30s`, `250ms`. */
export function formatGoDuration(ms: number): string {
  const nanoseconds = Math.round(ms * 1e6);
  if (nanoseconds === 0) return '0s';
  if (nanoseconds < 1e3) return `${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}us`;
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const hours = Math.floor(nanoseconds / 3600e9);
  const minutes = Math.floor((nanoseconds % 3600e9) / 60e9);
  return join([hours, 'h'], [minutes, 'm'], [(nanoseconds % 60e9) / 1e9, 's']);
}

function join(...fields: [amount: number, unit: string][]): string {
  return fields
    .filter(([amount]) => amount !== 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join('');
}
