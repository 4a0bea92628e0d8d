// Fetches the agent card, which describes the agent and its address. A worker fetches it once for all attempts.

import type { AgentCard } from '@a2a-js/sdk';
import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { raceSignal } from '../../platform/race.ts';
import { askTaped } from '../../platform/tape-scope.ts';
import type { AgentDeps } from '../adapter.ts';
import { readText } from '../http/http-body.ts';
import { statusFailure } from '../http/http-endpoint.ts';
import { excerpt } from '../../text/excerpt.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { Endpoint } from './endpoint-fetch.ts';
import { endpointFetch } from './endpoint-fetch.ts';

const WELL_KNOWN = '.well-known/agent-card.json';
/** Statuses that mean "no card at this URL": the next URL is tried. */
const NO_CARD_STATUSES = [404, 405];

export type CardHolder = {
  /** The card, once it is fetched. */
  readonly known: AgentCard | undefined;
  /** Resolves with the card; concurrent callers share one request. After a failure the next call fetches again. */
  get(deps: Pick<AgentDeps, 'fetch' | 'signal'>): Promise<AgentCard>;
};

export function holdCard(endpoint: Endpoint): CardHolder {
  let known: AgentCard | undefined;
  let fetching: { card: Promise<AgentCard>; signal: AbortSignal } | undefined;

  const begin = (deps: Pick<AgentDeps, 'fetch' | 'signal'>): Promise<AgentCard> => {
    const card = fetchCard(endpoint, deps);
    const mine = { card, signal: deps.signal };
    fetching = mine;
    const forget = (): void => {
      if (fetching === mine) fetching = undefined;
    };
    card.then((found) => {
      known = found;
      forget();
    }, forget);
    return card;
  };

  return {
    get known() {
      return known;
    },
    get: (deps) =>
      askTaped(
        () => ({ to: endpoint.where, method: 'agent/card', params: {} }),
        () => shared(deps),
      ),
  };

  async function shared(deps: Pick<AgentDeps, 'fetch' | 'signal'>): Promise<AgentCard> {
    for (;;) {
      if (known !== undefined) return known;
      const other = fetching;
      if (other === undefined) return raceSignal(begin(deps), deps.signal);
      try {
        return await raceSignal(other.card, deps.signal);
      } catch (error) {
        // The attempt that was fetching was aborted: fetch again for this one.
        if (!other.signal.aborted || deps.signal.aborted) throw error;
        if (fetching === other) fetching = undefined;
      }
    }
  }
}

/** Tries the well-known path below the URL, then the URL itself. */
async function fetchCard(
  endpoint: Endpoint,
  { fetch, signal }: Pick<AgentDeps, 'fetch' | 'signal'>,
): Promise<AgentCard> {
  const get = endpointFetch(endpoint, { fetch, signal, pass: NO_CARD_STATUSES });
  let missing: AttemptError | undefined;
  for (const url of cardUrls(endpoint.url)) {
    const response = await get(url, { headers: { accept: 'application/json', 'a2a-version': '1.0' } });
    const where = `GET ${url.origin}${url.pathname}`;
    const text = await readText(response, where);
    if (response.ok) return readCard(text, where);
    missing ??= statusFailure(response, text, where);
  }
  throw missing ?? new AttemptError('harness', 'no URL to fetch an agent card from');
}

function cardUrls(url: URL): URL[] {
  const at = (path: string): URL => Object.assign(new URL(url), { pathname: path });
  if (url.pathname.endsWith('.json')) return [url];
  const below = at(`${url.pathname.replace(/\/+$/, '')}/${WELL_KNOWN}`);
  return url.pathname === '/' ? [below] : [below, url];
}

function readCard(text: string, where: string): AgentCard {
  const card = parseJson(text)?.value;
  const isCard =
    isObject(card) && (Array.isArray(card['supportedInterfaces']) || typeof card['url'] === 'string');
  // The SDK validates the remaining fields, for every version of the protocol.
  if (isCard) return card as unknown as AgentCard;
  throw new AttemptError(
    'protocol',
    `${where} answered something that is not an agent card: ${excerpt(text)}`,
  );
}
