// Limits the number of open streams: a further one ends the oldest, so that a person can always open a page.

/** The place of a stream among those that are open. */
export type StreamPlace = {
  /** Aborted when a newer stream takes the place. */
  signal: AbortSignal;
  /** Called at the end of the stream. */
  leave(): void;
};

export type StreamLimit = { enter(): StreamPlace };

export function createStreamLimit(most: number): StreamLimit {
  const open = new Set<AbortController>();
  return {
    enter() {
      const [oldest] = open;
      if (oldest !== undefined && open.size >= most) {
        open.delete(oldest);
        oldest.abort();
      }
      const own = new AbortController();
      open.add(own);
      return { signal: own.signal, leave: () => void open.delete(own) };
    },
  };
}
