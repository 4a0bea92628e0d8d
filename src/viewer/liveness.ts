// Whether a run without an end still runs, or was cut off.

import type { StoredRun } from '../history/store/store.ts';
import type { Application } from './viewer-application.ts';

/** A run of which nothing was heard for so long is taken for dead until something is. */
const SILENCE_MS = 60_000;
const MOST_REMEMBERED = 1000;

export type Liveness = (run: StoredRun, results: number) => boolean;

/**
 * The history has no times of results. What is known for certain is what this server has started; of others, when they began, when
 * their log was written if it lies in the usual place, and when this server has seen the number of their results change.
 */
export function createLiveness({ started, lastSign }: Pick<Application, 'lastSign' | 'started'>): Liveness {
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
    // Clocks of other machines may be ahead.
    const heardAt = Math.min(now, Math.max(before, news, lastSign(run_id) ?? 0));
    if (seen.size < MOST_REMEMBERED || known !== undefined) seen.set(run_id, { results, heardAt });
    return now - heardAt < SILENCE_MS;
  };
}
