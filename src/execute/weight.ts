// How much there is to send: heavy attempts are handed over one by one, whatever their speed.

import type { Attempt } from '../model/attempt.ts';

/** Nothing is sent ahead while this much is on its way. */
export const HEAVY_BYTES = 4 * 1024 * 1024;

/** True if `share` attempts like this one would be too much at once. */
export function isHeavy(item: { bytes: number } | undefined, share: number): boolean {
  return item !== undefined && item.bytes > HEAVY_BYTES / share;
}

/** A rough measure: long inputs are long texts, or parts that hold them. */
export function sizeOf({ case: testCase }: Attempt): number {
  const { input } = testCase;
  // A case of turns alone has no input, although the type does not say so.
  return typeof input === 'string'
    ? input.length
    : ((JSON.stringify(input) as string | undefined)?.length ?? 0);
}
