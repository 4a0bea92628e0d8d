// Refuses options that the functions of this API do not know, as the command line does.

import { ConfigError } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import { quote } from '../../text/quote.ts';
import type { DiscoverOptions, LookupOptions, SuiteOptions } from './types.ts';

export function checkDiscoverOptions(options: DiscoverOptions): void {
  checkNames(options, ['warn']);
}

export function checkLookupOptions(options: LookupOptions): void {
  checkNames(options, ['root', 'warn']);
}

/** `parallel` has no effect on a single file, but options are often shared. */
export function checkRunOptions(options: SuiteOptions): void {
  checkNames(options, ['timeout', 'verbose', 'allowEmpty', 'env', 'signal', 'root', 'runner', 'parallel']);
  // Callers may be JavaScript.
  const { timeout = 1, parallel = 1 }: { timeout?: unknown; parallel?: unknown } = options;
  if (typeof timeout !== 'number' || !(timeout > 0))
    throw new ConfigError(`timeout: must be a number of milliseconds above 0, not ${shown(timeout)}`);
  const isCount = typeof parallel === 'number' && Number.isInteger(parallel) && parallel >= 1;
  if (!isCount && typeof parallel !== 'boolean')
    throw new ConfigError(
      `parallel: must be true, false or a whole number of at least 1, not ${shown(parallel)}`,
    );
}

function checkNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return;
  const near = nearest(first, known);
  throw new ConfigError(`unknown option ${unknown.map(quote).join(', ')}`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : `there is ${known.join(', ')}`,
  });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? quote(value) : String(value);
}
