// How many streams are open at once: a page that connects again and again cannot use up the server.

import { ApiError } from './api-error.ts';

const MOST_OF_ONE = 8;
const MOST = 32;

export type StreamLimit = { enter(runId: string): () => void };

/** `enter` gives the function to call at the end, and refuses one stream too many. */
export function createStreamLimit(): StreamLimit {
  const open = new Map<string, number>();
  return {
    enter(runId) {
      const own = open.get(runId) ?? 0;
      const all = [...open.values()].reduce((sum, count) => sum + count, 0);
      if (own >= MOST_OF_ONE || all >= MOST)
        throw new ApiError(429, 'too many streams are open', {
          hint: 'close some of the pages that show this run',
          headers: { 'Retry-After': '5' },
        });
      open.set(runId, own + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (open.get(runId) ?? 1) - 1;
        if (left === 0) open.delete(runId);
        else open.set(runId, left);
      };
    },
  };
}
