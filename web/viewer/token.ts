// The token that `assay view` prints with its address: taken out of the address at once, so that nobody copies it along.

const KEY = 'assay-token';
let kept: string | undefined;

/** What a request that changes something must show. */
export function token(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? kept;
  } catch {
    return kept;
  }
}

function take(): void {
  const given = /^#token=([\w.~-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  kept = given;
  try {
    localStorage.setItem(KEY, given);
  } catch {
    // Without storage it lasts as long as the page.
  }
  history.replaceState(null, '', '#/');
}

if (document.documentElement.dataset['mode'] === 'viewer') {
  take();
  // Somebody may paste the address of a server that was started again.
  addEventListener('hashchange', take);
}
