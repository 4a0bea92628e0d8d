// Follows a run in progress: calls back with its results until it ends.

import type { ResultEvent, SummaryEvent } from '../../src/model/event.ts';
import { address } from './api.ts';

type Heard = {
  /** Returns the number of known results; called after every reconnect. */
  known(): number;
  results(events: ResultEvent[]): void;
  /** Null if the run was interrupted. */
  end(summary: SummaryEvent | null): void;
  /** Reports whether the server is reachable. */
  connection(isOpen: boolean): void;
};

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** Returns a function that stops listening. */
export function followRun(id: string, heard: Heard): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;
  const connect = (): void => {
    source = new EventSource(address(['runs', id, 'live'], { after: heard.known() }));
    source.onopen = () => {
      wait = FIRST_WAIT_MS;
      heard.connection(true);
    };
    source.onmessage = ({ data }: MessageEvent<string>) =>
      heard.results((JSON.parse(data) as { events: ResultEvent[] }).events);
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      source?.close();
      heard.end((JSON.parse(data) as { summary: SummaryEvent | null }).summary);
    });
    // Too many pages follow runs: take turns.
    source.addEventListener('busy', () => {
      source?.close();
      timer = setTimeout(connect, LONGEST_WAIT_MS);
    });
    // The browser reconnects by itself only after some kinds of errors.
    source.onerror = () => {
      source?.close();
      heard.connection(false);
      timer = setTimeout(connect, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    };
  };
  connect();
  return () => {
    source?.close();
    clearTimeout(timer);
  };
}
