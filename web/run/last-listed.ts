// The list that the user came from, to step through its cases and to return to the same position.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Case } from '../data/run-data.ts';
import { returnTo } from '../viewer/scroll-memory.ts';

type Listed = { cases: readonly Case[]; query: string; scrolled: number };

export const lastListed = signal<Listed | undefined>(undefined);

/** Remembers the list and its scroll position, and restores it when the user returns. */
export function useReturn(cases: readonly Case[], query: string): void {
  const before = lastListed.peek();
  const isSame = before?.query === query && before.cases[0] === cases[0];
  useEffect(() => {
    if (isSame && before !== undefined && before.scrolled > 0) returnTo(before.scrolled);
    const remember = (): void => {
      const now = lastListed.peek();
      if (now !== undefined) lastListed.value = { ...now, scrolled: scrollY };
    };
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useEffect(() => {
    lastListed.value = { cases, query, scrolled: isSame ? (before?.scrolled ?? 0) : 0 };
  }, [cases, query]);
}
