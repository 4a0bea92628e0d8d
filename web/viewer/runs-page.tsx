// The history: trend, suites and runs.

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { link, route, setQuery } from '../route.ts';
import { plural } from '../ui/words.ts';
import { about } from './about.ts';
import type { About, ListedRun } from './answers.ts';
import { address, read } from './api.ts';
import { Page, Waiting } from './page.tsx';
import { RunFilters } from './run-filters.tsx';
import { runName } from './run-facts.ts';
import { RunList } from './run-list.tsx';
import { SuiteList } from './suite-list.tsx';
import { Trend } from './trend.tsx';
import { useAnswer } from './use-answer.ts';

const PAGE = 50;
const REFRESH_MS = 3000;

type Runs = { runs: ListedRun[] };

const whileLive = ({ runs }: Runs): number | undefined =>
  runs.some(({ is_live }) => is_live) ? REFRESH_MS : undefined;

export function RunsPage(): VNode {
  const { query } = route.value;
  const filter = {
    suite: query.get('suite') ?? undefined,
    test: query.get('test') ?? undefined,
    agent: query.get('agent') ?? undefined,
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const everything = useAnswer<Runs>(address(['runs'], { limit: 2 * PAGE }), whileLive);
  const url = address(['runs'], { limit: PAGE, ...filter });
  const asked = useAnswer<Runs>(url, whileLive);
  const { runs, older } = useOlder(url, asked.value?.runs, (before) =>
    address(['runs'], { limit: PAGE, ...filter, before }),
  );
  const newest = everything.value?.runs ?? [];
  return (
    <Page
      title="Runs"
      id="runs"
      actions={
        <a class="button primary" href={link(['start'])}>
          Start a run
        </a>
      }
    >
      {about.value !== undefined && <p class="note">The history in {placeText(about.value)}</p>}
      {newest.length > 0 && <RunFilters runs={newest} filter={filter} />}
      {asked.value === undefined ? (
        <Waiting {...asked} />
      ) : runs.length === 0 ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        <>
          <h2 class="off-screen">Over time</h2>
          <RunTrend runs={runs} />
          {!isFiltered && <SuiteList runs={newest} />}
          <h2>{isFiltered ? 'Runs found' : 'All runs'}</h2>
          <Chosen runs={runs} />
          {older !== undefined && (
            <p>
              <button type="button" onClick={older}>
                Older runs
              </button>
            </p>
          )}
        </>
      )}
    </Page>
  );
}

/** The newest runs and the older pages loaded so far; `older` is undefined if there are no more. */
function useOlder(
  url: string,
  newest: readonly ListedRun[] | undefined,
  addressBefore: (id: string) => string,
): { runs: ListedRun[]; older: (() => void) | undefined } {
  const [kept, setKept] = useState<{ url: string; runs: readonly ListedRun[]; isAll: boolean }>();
  const known = kept?.url === url ? kept : undefined;
  // Keeps listed runs when new runs push them off the first page.
  const runs = useMemo(() => merged(known?.runs ?? [], newest ?? []), [known, newest]);
  useEffect(() => {
    if (newest !== undefined)
      setKept((before) => ({ url, isAll: newest.length < PAGE, ...sameUrl(before, url), runs }));
  }, [newest]);
  const last = runs.at(-1);
  const isAll = known?.isAll ?? (newest ?? []).length < PAGE;
  if (last === undefined || isAll) return { runs, older: undefined };
  const older = async (): Promise<void> => {
    const found = (await read<Runs>(addressBefore(last.run_id))).runs;
    setKept({ url, runs: merged(runs, found), isAll: found.length < PAGE });
  };
  return { runs, older: () => void older().catch(() => undefined) };
}

function sameUrl<T extends { url: string }>(before: T | undefined, url: string): Partial<T> {
  return before?.url === url ? before : {};
}

function merged(kept: readonly ListedRun[], news: readonly ListedRun[]): ListedRun[] {
  const all = new Map([...kept, ...news].map((run) => [run.run_id, run]));
  return [...all.values()].sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
}

function RunTrend({ runs }: { runs: readonly ListedRun[] }): VNode | null {
  const points = runs.flatMap((run) =>
    run.summary === null
      ? []
      : [
          {
            name: runName(run),
            started_at: run.started_at,
            rate: run.summary.overall_pass_rate,
            duration_ms: run.summary.duration_ms,
          },
        ],
  );
  return (
    <Trend
      points={points}
      title="Trend"
      note={`Pass rate and duration of ${plural(points.length, 'finished run')} listed below.`}
    />
  );
}

/** The list, and the actions for two selected runs. */
function Chosen({ runs }: { runs: readonly ListedRun[] }): VNode {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (id: string, isChosen: boolean): void =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id));
  // The list has the newest first.
  const [after, before] = runs.filter(({ run_id }) => chosen.includes(run_id));
  return (
    <>
      <div class="chosen" role="status">
        {chosen.length === 0 && (
          <span class="note">Pass rates have their 95 % interval. Choose two runs to compare them.</span>
        )}
        {chosen.length === 1 && <span class="note">Choose one more run to compare with.</span>}
        {before !== undefined && after !== undefined && (
          <a class="button primary" href={link(['compare', before.run_id, after.run_id])}>
            Compare the two chosen runs
          </a>
        )}
        {chosen.length > 0 && (
          <button type="button" class="quiet" onClick={() => setChosen([])}>
            Clear
          </button>
        )}
      </div>
      <RunList runs={runs} chosen={chosen} choose={choose} />
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }): VNode {
  if (!isFiltered)
    return (
      <p class="card prose">
        Nothing has run here yet. <a href={link(['start'])}>Start a run</a>, or use <code>assay run</code> in
        a terminal: every run is recorded and shown here.
      </p>
    );
  const clear = (): void => setQuery({ suite: undefined, test: undefined, agent: undefined });
  return (
    <p class="card">
      No run matches.{' '}
      <button type="button" onClick={clear}>
        Show all
      </button>
    </p>
  );
}

/** Relative to the folder of the application if it is inside. */
function placeText({ place, root }: About): string {
  const inside = place.lastIndexOf(`/${root}/`);
  return inside === -1 ? place : place.slice(inside + 1);
}
