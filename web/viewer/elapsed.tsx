// The time since a start, updated every second.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { duration } from '../ui/words.ts';

/** Empty if the clock of the other machine is ahead of this one. */
export function Elapsed({ since }: { since: string }): VNode | null {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  if (!(seconds >= 0)) return null;
  return <span class="note">for {duration(seconds * 1000)}</span>;
}
