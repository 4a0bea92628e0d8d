// `log.Info("%s has %d items", name, count)`: prints lines with their level to the console, which the result keeps.

import { inspect } from 'node:util';

type Log = (message: unknown, ...values: unknown[]) => void;

const VERB = /%(?:%|[-+# 0]*\d*(?:\.(?<digits>\d+))?(?<verb>[a-zA-Z]))/g;

/** No level ends the script, not even `Fatal`. */
export const log: Record<string, Log> = {
  Debug: (...values) => console.debug(line('debug', values)),
  Error: (...values) => console.error(line('error', values)),
  Fatal: (...values) => console.error(line('fatal', values)),
  Info: (...values) => console.info(line('info', values)),
  Panic: (...values) => console.error(line('panic', values)),
  // console.trace would add a stack trace.
  Trace: (...values) => console.debug(line('trace', values)),
  Warn: (...values) => console.warn(line('warn', values)),
};

function line(level: string, values: unknown[]): string {
  return `[${level}] ${formatMessage(values)}`;
}

/** Replaces the verbs of a format by the values; extra values follow after a space. */
function formatMessage([message, ...values]: unknown[]): string {
  if (typeof message !== 'string') return [message, ...values].map(shown).join(' ');
  let used = 0;
  const text = message.replace(VERB, (whole, ...groups) => {
    if (whole === '%%') return '%';
    if (used >= values.length) return whole;
    // The named groups are the last argument.
    const { verb = '', digits } = groups.at(-1) as { verb?: string; digits?: string };
    const value = values[used];
    used += 1;
    return formatValue(value, verb, digits);
  });
  return [text, ...values.slice(used).map(shown)].join(' ');
}

function formatValue(value: unknown, verb: string, digits: string | undefined): string {
  if (verb === 'q' || verb === 'j') return JSON.stringify(value) ?? 'undefined';
  if (verb === 'f' && typeof value === 'number') return value.toFixed(Math.min(Number(digits ?? 6), 100));
  return shown(value);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { breakLength: Infinity });
}
