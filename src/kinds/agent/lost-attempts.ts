// Sorts the attempts of a worker that has ended: who is to blame, who runs again alone, who goes back to the queue.

import type { Item, PoolWorker } from '../../execute/process/worker-process.ts';
import { fromStart, restarted } from './finish-attempts.ts';

/** How often a worker may die before it begins an attempt. */
const MAX_RETURNS = 3;

export type LostAttempts = {
  culprit: Item | undefined;
  /** They may have caused the end of the worker: each runs again alone. */
  suspects: Item[];
  returned: Item[];
  /** Every worker that held them ended before it began them. */
  neverBegun: Item[];
};

export function sortLost(worker: PoolWorker): LostAttempts {
  const { begun, waiting, last } = worker.unsettled();
  const isOneByOne = worker.concurrency === 1;
  // Without `last`, user code has overwritten the recovery file: attempts run in their order.
  const solo = isOneByOne ? (last ?? begun[0]) : begun.length === 1 ? begun[0] : undefined;
  // An earlier attempt may have caused the crash, so a second try in a clean worker decides. A hang is not tried twice: that costs
  // a whole timeout.
  const isSure = worker.isHung || worker.settledCount === 0 || (solo?.restarts ?? 0) > 0;
  const lost: LostAttempts = {
    culprit: isSure ? solo : undefined,
    suspects: [],
    returned: [],
    neverBegun: [],
  };
  for (const item of begun) {
    if (item === lost.culprit) continue;
    if (isOneByOne && item !== solo) lost.returned.push(restarted(item));
    else lost.suspects.push(item);
  }
  for (const item of waiting) {
    // No attempt had begun, so another try brings none of them closer to its end.
    if (begun.length === 0) item.returns += 1;
    if (item.returns > MAX_RETURNS) lost.neverBegun.push(item);
    else lost.returned.push(fromStart(item));
  }
  return lost;
}
