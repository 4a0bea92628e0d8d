// Times for lists, in the reader's time zone.

import { dateFormat, when } from '../ui/words.ts';

/** With seconds: several runs may start within a minute. */
export function exactTime(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? when(timestamp) : EXACT.format(date);
}

/** `11-16 13:05`: short enough for a narrow column. */
export function columnTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const [month, day, hour, minute] = [
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
  ].map((part) => String(part).padStart(2, '0'));
  return `${month ?? ''}-${day ?? ''} ${hour ?? ''}:${minute ?? ''}`;
}

const EXACT = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' });
