// Remembers the scroll position of a page when the user leaves it, and restores it on return.

/** Maximum time to wait until the page is long enough to scroll. */
const PATIENCE_MS = 2000;

// Reports share this bundle and leave scrolling to the browser.
if (document.documentElement.dataset['mode'] === 'viewer') {
  history.scrollRestoration = 'manual';
  document.addEventListener('click', remember, true);
}

function remember({ target }: Event): void {
  const isLink = target instanceof Element && target.closest('a[href^="#"]') !== null;
  if (isLink) history.replaceState({ scrolled: scrollY }, '');
}

/** The position stored in the browser history; 0 for a new entry. */
export function leftAt(): number {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('scrolled' in state)) return 0;
  return typeof state.scrolled === 'number' ? state.scrolled : 0;
}

/** Scrolls as soon as the page is long enough, unless the user scrolls first. */
export function returnTo(top: number): void {
  scrollTo(0, top);
  if (top === 0) return;
  const end = performance.now() + PATIENCE_MS;
  const left = new AbortController();
  for (const type of ['wheel', 'keydown', 'pointerdown', 'hashchange'])
    addEventListener(type, () => left.abort(), { signal: left.signal });
  const follow = (): void => {
    if (left.signal.aborted) return;
    if (scrollY !== top) scrollTo(0, top);
    if (performance.now() < end) requestAnimationFrame(follow);
    else left.abort();
  };
  requestAnimationFrame(follow);
}
