// A run log, or runs of the history, as one side of a comparison.

import { poolSides } from '../compare/pool-sides.ts';
import type { SideFold } from '../compare/side-fold.ts';
import { createSideFold } from '../compare/side-fold.ts';
import type { Side } from '../compare/side.ts';
import { openLog, readStart } from '../log/reader.ts';
import type { FoundBaseline } from './baseline.ts';
import { name } from './store/event-rows.ts';
import type { Store } from './store/store.ts';

/** Reads a log; its names are written as in the history, so that both can be paired. */
export async function readLogSide(path: string): Promise<Side> {
  const start = await readStart(path);
  const fold: SideFold = createSideFold(start, { name });
  for await (const event of openLog(path).events()) if (event.type === 'result') fold.add(event);
  return fold.side();
}

/** Reads what a baseline stands for. */
export async function readSide(store: Store, found: FoundBaseline): Promise<Side> {
  if ('log' in found) return readLogSide(found.log);
  const sides: Side[] = [];
  for (const { run_id } of found.runs) sides.push(await store.side(run_id));
  return poolSides(sides);
}
