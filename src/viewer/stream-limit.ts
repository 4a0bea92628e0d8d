// Limits the number of open streams, so that a page that reconnects repeatedly cannot exhaust the server.

import { ApiError } from './api-error.ts';

const MAX_PER_RUN = 8;
const MAX_TOTAL = 32;

export type StreamLimit = { enter(runId: string): () => void };

/** `enter` returns the function to call at the end of the stream, and throws if there are too many. */
export function createStreamLimit(): StreamLimit {
  const open = new Map<string, number>();
  return {
    enter(runId) {
      const own = open.get(runId) ?? 0;
      const all = [...open.values()].reduce((sum, count) => sum + count, 0);
      if (own >= MAX_PER_RUN || all >= MAX_TOTAL)
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
