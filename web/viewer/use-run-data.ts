// A hook that loads a run from the server and follows it while it is in progress.

import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { packetsInAnswer } from '../data/packet-source.ts';
import { RunData } from '../data/run-data.ts';
import { loadAbout } from './about.ts';
import type { ViewedRun } from './answers.ts';
import { address, open, read, Refusal } from './api.ts';
import { followRun } from './follow-run.ts';
import { refusalFrom } from './use-answer.ts';

export type RunState =
  | { stage: 'reading'; results: number; run?: ViewedRun }
  | { stage: 'starting' }
  | { stage: 'refused'; refusal: Refusal }
  | { stage: 'shown'; run: ViewedRun; data: RunData; isLive: boolean; isConnected: boolean };

/** Minimum time between two redraws of all figures. */
const REDRAW_MS = 250;
const STARTING_MS = 500;

export function useRunData(id: string): { state: RunState; version: number; reload(): void } {
  const [state, setState] = useState<RunState>({ stage: 'reading', results: 0 });
  const [version, redraw] = useReducer((before: number) => before + 1, 0);
  const [times, reload] = useReducer((before: number) => before + 1, 0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const left = new AbortController();
    let stop = (): void => undefined;
    const tell = (next: RunState): void => {
      if (!left.signal.aborted) setState(next);
    };
    const load = async (): Promise<void> => {
      // 1. wait until the run has started
      const run = await begun(id, left.signal, () => tell({ stage: 'starting' }));
      tell({ stage: 'reading', results: 0, run });
      // 2. load the results so far
      const data = await readData(run.run_id, left.signal, (results) =>
        tell({ stage: 'reading', results, run }),
      );
      if (left.signal.aborted) return;
      const shown = { stage: 'shown', run, data, isConnected: true } as const;
      const isLive = run.is_live && data.summary === undefined;
      data.settle({ isLive });
      tell({ ...shown, isLive });
      if (!isLive) return;
      // 3. follow new results
      const show = (isLive = true): void => {
        timer.current = undefined;
        data.settle({ isLive });
        redraw(undefined);
      };
      stop = followRun(run.run_id, {
        known: () => data.results,
        results: (events) => {
          data.addEvents(events);
          timer.current ??= setTimeout(show, REDRAW_MS);
        },
        end: (summary) => {
          clearTimeout(timer.current);
          if (summary !== null) data.addEvents([summary]);
          tell({ ...shown, isLive: false });
          show(false);
        },
        connection: (isConnected) => {
          tell({ ...shown, isLive: true, isConnected });
          // Finds out whether the server is reachable.
          loadAbout().catch(() => undefined);
        },
      });
    };
    load().catch((error: unknown) => tell({ stage: 'refused', refusal: refusalFrom(error) }));
    return () => {
      left.abort();
      stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [id, times]);
  return { state, version, reload: () => reload(undefined) };
}

/** A run that has just been started is not in the history yet, but the server knows about it. */
async function begun(id: string, signal: AbortSignal, tellStarting: () => void): Promise<ViewedRun> {
  const find = async (): Promise<ViewedRun> =>
    (await read<{ run: ViewedRun }>(address(['runs', id]), signal)).run;
  for (;;) {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      const { started } = await loadAbout();
      // The run may have ended between both requests.
      if (!started.includes(id)) return find();
      tellStarting();
      await new Promise((done) => setTimeout(done, STARTING_MS));
    }
  }
}

async function readData(id: string, signal: AbortSignal, tell: (results: number) => void): Promise<RunData> {
  const data = new RunData();
  const { body } = await open(address(['runs', id, 'packets']), signal);
  let last = performance.now();
  if (body !== null)
    for await (const packet of packetsInAnswer(body)) {
      await data.addPacket(packet);
      if (performance.now() - last < 200) continue;
      tell(data.results);
      last = performance.now();
    }
  return data;
}
