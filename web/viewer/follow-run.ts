// A run that goes on in, its results as they come out, until it ends.

import type { ResultEvent, SummaryEvent } from '../../src/model/event.ts';
import { address } from './api.ts';

type Heard = {
  /** How many results are there already: asked for again whenever the connection was lost. */
  known(): number;
  results(events: ResultEvent[]): void;
  /** Null: it was interrupted. */
  end(summary: SummaryEvent | null): void;
  /** Whether anybody is at the other end. */
  connection(isOpen: boolean): void;
};

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** Gives a function that stops listening. */
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
    // The browser would connect again by itself, but not after every kind of error.
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
