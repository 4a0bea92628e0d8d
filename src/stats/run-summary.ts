// The summary of a run with the interval of its pass rate.

import type { Summary } from '../model/event.ts';
import type { Tally } from '../model/tally.ts';
import { passRateInterval } from './rates.ts';

export function runSummary(tally: Pick<Tally, 'rates' | 'summary'>, durationMs: number): Summary {
  const interval = passRateInterval(tally.rates());
  return { ...tally.summary(durationMs), ...(interval !== undefined && { pass_rate_interval: interval }) };
}
