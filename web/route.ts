// The route of the page: everything that can be shared or bookmarked is in the hash of the address.

import { computed, signal } from '@preact/signals';

export type Route = { path: string[]; query: URLSearchParams };

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The parts of the path, and the query. */
export const route = computed<Route>(() => parse(hash.value));

function parse(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(query),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Builds an address inside the page. */
export function link(
  path: readonly (number | string)[],
  query: Record<string, string | undefined> = {},
): string {
  const known = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const text = new URLSearchParams(known).toString();
  const parts = path.map((part) => encodeURIComponent(String(part))).join('/');
  return `#/${parts}${text === '' ? '' : `?${text}`}`;
}

/** Opens an address with a new entry in the browser history. */
export function go(address: string): void {
  location.hash = address;
}

/** Changes parts of the query without a new entry in the browser history, such as while typing a search. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = route.value;
  const all = { ...Object.fromEntries(query), ...changes };
  history.replaceState(history.state, '', link(path, all));
  hash.value = location.hash;
}
