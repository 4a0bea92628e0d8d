// A run of the history, finished or in progress.

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { runsRange } from '../../src/model/runs-per-case.ts';
import { link, route } from '../route.ts';
import { RunPage } from '../run/run-page.tsx';
import { Line } from '../ui/text.tsx';
import { count, plural } from '../ui/words.ts';
import { canWrite } from './about.ts';
import type { ViewedRun } from './answers.ts';
import { address, Refusal, send } from './api.ts';
import { Elapsed } from './elapsed.tsx';
import { Page, useArrival, Waiting } from './page.tsx';
import { usePreviousRun } from './previous-run.ts';
import { plannedResults, runName, runVerdict } from './run-facts.ts';
import { refusalFrom, renewals } from './use-answer.ts';
import type { RunState } from './use-run-data.ts';
import { useRunData } from './use-run-data.ts';

type Shown = Extract<RunState, { stage: 'shown' }>;

export function LiveRunPage({ id }: { id: string }): VNode {
  const { state, version, reload } = useRunData(id);
  const renewal = renewals.value;
  useEffect(() => {
    // A run that seemed dead may have been resumed.
    if (renewal > 0 && state.stage === 'shown' && !state.isLive && state.data.summary === undefined) reload();
  }, [renewal]);
  if (state.stage === 'shown') return <ShownRun id={id} shown={state} version={version} />;
  return (
    <Page
      title={state.stage === 'reading' && state.run !== undefined ? runName(state.run) : `Run ${id}`}
      id={`run ${id} waiting`}
    >
      {state.stage === 'starting' && (
        <p role="status" class="starting">
          Starting …
        </p>
      )}
      {state.stage === 'reading' && (
        <p role="status" class="note">
          Reading {plural(state.results, 'result')} …
        </p>
      )}
      {state.stage === 'refused' && <Waiting refusal={aboutRun(state.refusal, id)} reload={reload} />}
    </Page>
  );
}

/** Replaces the message about an unknown run: an old link may point to a pruned run. */
function aboutRun(refusal: Refusal, id: string): Refusal {
  const isMissing =
    refusal.status === 400 || (refusal.status === 404 && refusal.message.startsWith('there is no run'));
  if (!isMissing) return refusal;
  return new Refusal(404, { error: `There is no run ${id} in the history`, hint: 'it may have been pruned' });
}

function ShownRun({ id, shown, version }: { id: string; shown: Shown; version: number }): VNode {
  const { run, data, isLive } = shown;
  const base = useMemo(() => ['run', id], [id]);
  const [section = '', number = ''] = route.value.path.slice(2);
  const state = isLive ? 'running' : runVerdict({ ...runEnd(shown), is_live: false }).word.toLowerCase();
  useArrival(`${runName(run)}: ${state}`, `run ${id} ${section} ${number}`, {
    heading: section === '' ? 'h1' : '#main h2',
  });
  return (
    <>
      {isLive && <Live shown={shown} version={version} />}
      <EndStatus isLive={isLive} />
      <RunPage
        data={data}
        version={version}
        base={base}
        isLive={isLive}
        actions={<Actions run={run} isLive={isLive} />}
      />
    </>
  );
}

/** The end of a run that was followed live is only in its data. */
function runEnd({ run, data: { summary } }: Shown): Pick<ViewedRun, 'exit_code' | 'finished_at' | 'summary'> {
  return summary === undefined
    ? run
    : { exit_code: summary.exit_code, finished_at: summary.timestamp, summary };
}

function Live({ shown: { run, data, isConnected } }: { shown: Shown; version: number }): VNode {
  const planned = plannedResults(run);
  const { least, most } = runsRange(run);
  const [stop, setStop] = useState<{ asked: number; problem?: string }>({ asked: 0 });
  const ask = (): void => {
    setStop({ asked: stop.asked + 1 });
    send('POST', address(['runs', run.run_id, 'stop']), {}).catch((error: unknown) =>
      setStop({ asked: 0, problem: refusalFrom(error).message }),
    );
  };
  return (
    <section class="page live-bar" aria-label="Progress">
      <span class="run-verdict live">
        <span aria-hidden="true">●</span> Running
      </span>
      <progress value={data.results} max={Math.max(1, planned)} aria-label="Results so far" />
      <span>
        {count(data.results)} of {least === most ? '' : 'up to '}
        {count(planned)} results
      </span>
      <Elapsed since={run.started_at} />
      {!isConnected && (
        <span class="note" role="status">
          The connection is lost; trying again …
        </span>
      )}
      {run.can_stop && (
        <button
          type="button"
          onClick={ask}
          disabled={stop.asked > 1 || !canWrite()}
          title={canWrite() ? undefined : 'Open the address that assay view printed to stop it from here.'}
        >
          {STOP[stop.asked] ?? 'Stopping …'}
        </button>
      )}
      {stop.problem !== undefined && (
        <span class="why" role="alert">
          <Line text={stop.problem} />
        </span>
      )}
    </section>
  );
}

/** Like Ctrl-C: the first request lets running attempts finish, the second one does not. */
const STOP = ['Stop', 'Stop now'];

/** Announces once that a watched run has ended. */
function EndStatus({ isLive }: { isLive: boolean }): VNode {
  const [wasLive, setWasLive] = useState(isLive);
  useEffect(() => {
    if (isLive) setWasLive(true);
  }, [isLive]);
  return (
    <p role="status" class="off-screen">
      {wasLive && !isLive ? 'The run has ended.' : ''}
    </p>
  );
}

function Actions({ run, isLive }: { run: ViewedRun; isLive: boolean }): VNode {
  const [test] = run.tests;
  const again =
    run.suite === null ? { test: run.tests.length === 1 ? test?.id : undefined } : { suite: run.suite.id };
  const isDefined = Object.values(again).some((value) => value !== undefined);
  const previous = usePreviousRun(isLive ? undefined : run.run_id)?.run_id ?? null;
  return (
    <>
      {previous !== null && (
        <a class="button" href={link(['compare', previous, run.run_id])}>
          Compare with previous
        </a>
      )}
      {isDefined && (
        <a class="button" href={link(['start'], { ...again, from: run.run_id })}>
          Start again
        </a>
      )}
    </>
  );
}
