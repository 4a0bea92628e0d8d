// The token in the address that `assay view` prints. It is removed from the address at once so that it is not shared.

const KEY = 'assay-token';
let kept: string | undefined;

/** The token for requests that change something. */
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
    // Without storage the token lasts as long as the page.
  }
  history.replaceState(null, '', '#/');
}

if (document.documentElement.dataset['mode'] === 'viewer') {
  take();
  // The user may paste the address of a restarted server.
  addEventListener('hashchange', take);
}
