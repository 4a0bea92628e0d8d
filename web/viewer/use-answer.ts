// A hook that loads an address: again on request, on window focus, or periodically while something is running.

import { signal } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { isConnected, read, Refusal } from './api.ts';

/** Increase it to reload everything on the page. */
export const renewals = signal(0);

type Asked<T> = {
  /** The answer for this address; undefined until it is loaded. */
  value: T | undefined;
  refusal: Refusal | undefined;
  reload(): void;
};

/** Recent answers are shown at once until they are reloaded. */
const recent = new Map<string, unknown>();
const KEPT = 30;

function keep(url: string, value: unknown): void {
  recent.delete(url);
  recent.set(url, value);
  const [oldest] = recent.keys();
  if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest);
}

/** `again` returns the milliseconds until the answer is reloaded; undefined for never. */
export function useAnswer<T>(url: string | undefined, again?: (value: T) => number | undefined): Asked<T> {
  const [state, setState] = useState<{ url?: string; value?: T; refusal?: Refusal }>({});
  const [times, setTimes] = useState(0);
  const renewal = renewals.value;
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  useEffect(() => {
    if (url === undefined) return;
    const left = new AbortController();
    read<T>(url, left.signal).then(
      (value) => {
        keep(url, value);
        if (!left.signal.aborted) setState({ url, value });
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        const refusal = refusalFrom(error);
        // The old answer stays while the server is not reachable.
        setState((before) =>
          before.url === url && before.value !== undefined ? { ...before, refusal } : { url, refusal },
        );
      },
    );
    return () => left.abort();
  }, [url, times, renewal]);
  const known = state.url === url ? state : {};
  // The cast is safe because an address always has answers of the same type.
  const value =
    known.value ?? (known.refusal === undefined ? (recent.get(url ?? '') as T | undefined) : undefined);
  const { refusal } = known;
  useEffect(() => {
    const wait = value === undefined ? undefined : again?.(value);
    if (wait === undefined || !isConnected.value) return;
    const timer = setTimeout(reload, wait);
    return () => clearTimeout(timer);
  }, [value, refusal]);
  return { value, refusal, reload };
}

export function refusalFrom(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(-1, { error: String(error) });
}

addEventListener('focus', () => {
  if (isConnected.value) renewals.value += 1;
});
