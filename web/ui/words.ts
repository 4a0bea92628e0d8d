// Numbers as text.

import { formatDuration } from '../../src/text/duration.ts';
import type { Interval } from '../../src/stats/rates.ts';

/** `12ms`, `1.2s`; a dash if the duration is unknown. */
export function duration(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : formatDuration(Math.round(ms));
}

export function percent(rate: number | null | undefined): string {
  return rate === null || rate === undefined ? 'n/a' : `${String(Math.round(rate * 10) / 10)} %`;
}

/** `59.6–98.2 %` */
export function range({ low, high }: Interval): string {
  return `${String(low)}–${String(high)} %`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

/** `3 cases` */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function cost(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return 'not known';
  return `$${usd < 0.01 && usd > 0 ? usd.toPrecision(2) : usd.toFixed(2)}`;
}

/** A timestamp of the log in the reader's time zone. */
export function when(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : DATE.format(date);
}

const DATE = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** A format in the reader's language. */
export function dateFormat(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(undefined, style);
  } catch {
    // A browser may report a language that it does not support.
    return new Intl.DateTimeFormat('en', style);
  }
}
