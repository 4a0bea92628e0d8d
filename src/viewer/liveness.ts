// Decides whether an unfinished run is still running or was cut off.

import type { StoredRun } from '../history/store/store.ts';
import type { Application } from './viewer-application.ts';

/** A run without activity for this long counts as dead, until there is new activity. */
const SILENCE_MS = 60_000;
const MAX_REMEMBERED = 1000;

export type Liveness = (run: StoredRun, results: number) => boolean;

/**
 * The history has no times of results. Runs that this server started are known for certain. For others it uses their start, the
 * last write to their log if that is in the default folder, and the last time the number of their results changed.
 */
export function createLiveness({
  started,
  lastActivity,
}: Pick<Application, 'lastActivity' | 'started'>): Liveness {
  const seen = new Map<string, { results: number; heardAt: number }>();
  return ({ run_id, started_at, finished_at }, results) => {
    if (finished_at !== null) {
      seen.delete(run_id);
      return false;
    }
    if (started().includes(run_id)) return true;
    const now = Date.now();
    const known = seen.get(run_id);
    const before = known === undefined ? Date.parse(started_at) : known.heardAt;
    const news = known !== undefined && known.results !== results ? now : 0;
    // The clock of another machine may be ahead.
    const heardAt = Math.min(now, Math.max(before, news, lastActivity(run_id) ?? 0));
    if (seen.size < MAX_REMEMBERED || known !== undefined) seen.set(run_id, { results, heardAt });
    return now - heardAt < SILENCE_MS;
  };
}
