// The full event of one attempt, unpacked on demand.

import { useEffect, useState } from 'preact/hooks';
import type { ResultEvent } from '../../src/model/event.ts';
import type { Attempt, RunData } from '../data/run-data.ts';
import { shownEvent } from '../data/shown-event.ts';

/** Undefined until it is loaded. */
export function useEvent(data: RunData, attempt: Attempt): ResultEvent | undefined {
  const [loaded, setLoaded] = useState<{ attempt: Attempt; event: ResultEvent } | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void data
      .readEvent(attempt)
      .then((event) => isWanted && setLoaded({ attempt, event: shownEvent(event) }));
    return () => {
      isWanted = false;
    };
  }, [data, attempt]);
  return loaded?.attempt === attempt ? loaded.event : undefined;
}
