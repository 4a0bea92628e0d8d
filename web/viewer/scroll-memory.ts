// How far a page was scrolled when somebody followed a link: whoever comes back finds the same place.

/** So long a page may take to become as long as it was. */
const PATIENCE_MS = 2000;

// Reports are in the same bundle, and leave it to the browser.
if (document.documentElement.dataset['mode'] === 'viewer') {
  history.scrollRestoration = 'manual';
  document.addEventListener('click', remember, true);
}

function remember({ target }: Event): void {
  const isLink = target instanceof Element && target.closest('a[href^="#"]') !== null;
  if (isLink) history.replaceState({ scrolled: scrollY }, '');
}

/** What this step of the history remembers; 0 for a new one. */
export function leftAt(): number {
  const state: unknown = history.state;
  if (typeof state !== 'object' || state === null || !('scrolled' in state)) return 0;
  return typeof state.scrolled === 'number' ? state.scrolled : 0;
}

/** Scrolls as soon as there is enough to scroll, unless somebody does it first. */
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
