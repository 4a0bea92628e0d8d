// A run of the history, also while it goes on.

import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { runsRange } from '../../src/model/runs-of.ts';
import { link, route } from '../route.ts';
import { RunPage } from '../run/run-page.tsx';
import { Line } from '../ui/text.tsx';
import { count, plural } from '../ui/words.ts';
import { canWrite, NO_TOKEN } from './about.ts';
import type { ViewedRun } from './answers.ts';
import { address, send } from './api.ts';
import { Page, useArrival, Waiting } from './page.tsx';
import { PREVIOUS } from './previous-run.ts';
import { plannedResults, runName, verdictOf } from './run-facts.ts';
import { refusalFrom, renewals } from './use-answer.ts';
import type { RunState } from './use-run-data.ts';
import { useRunData } from './use-run-data.ts';

type Shown = Extract<RunState, { stage: 'shown' }>;

export function LiveRunPage({ id }: { id: string }): VNode {
  const { state, version, reload } = useRunData(id);
  const renewal = renewals.value;
  useEffect(() => {
    // A run that had fallen silent may have been taken up again.
    if (renewal > 0 && state.stage === 'shown' && !state.isLive && state.data.summary === undefined) reload();
  }, [renewal]);
  if (state.stage === 'shown') return <ShownRun id={id} shown={state} version={version} />;
  return (
    <Page title={`Run ${id}`} id={`run ${id} waiting`}>
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
      {state.stage === 'refused' && <Waiting refusal={state.refusal} reload={reload} />}
    </Page>
  );
}

function ShownRun({ id, shown, version }: { id: string; shown: Shown; version: number }): VNode {
  const { run, data, isLive } = shown;
  const base = useMemo(() => ['run', id], [id]);
  const [section = '', number = ''] = route.value.path.slice(2);
  const state = isLive
    ? 'running'
    : verdictOf({ ...run, ...endOf(shown), is_live: false }).word.toLowerCase();
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

/** A run that was followed to its end has it in its data only. */
function endOf({ run, data: { summary } }: Shown): Pick<ViewedRun, 'exit_code' | 'finished_at'> {
  return summary === undefined ? run : { exit_code: summary.exit_code, finished_at: summary.timestamp };
}

function Live({ shown: { run, data, isConnected } }: { shown: Shown; version: number }): VNode {
  const planned = plannedResults(run);
  const { least, most } = runsRange(run);
  const [stop, setStop] = useState<{ isAsked: boolean; problem?: string }>({ isAsked: false });
  const ask = (): void => {
    setStop({ isAsked: true });
    send('POST', address(['runs', run.run_id, 'stop']), {}).catch((error: unknown) =>
      setStop({ isAsked: false, problem: refusalFrom(error).message }),
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
      {!isConnected && (
        <span class="note" role="status">
          The connection is lost; trying again …
        </span>
      )}
      {run.can_stop && (
        <button
          type="button"
          onClick={ask}
          disabled={stop.isAsked || !canWrite()}
          title={canWrite() ? undefined : NO_TOKEN}
        >
          {stop.isAsked ? 'Stopping …' : 'Stop'}
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

/** Said once, when a run that was watched has ended. */
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
  return (
    <>
      {!isLive && (
        <a class="button" href={link(['compare', PREVIOUS, run.run_id])}>
          Compare with previous
        </a>
      )}
      {isDefined && (
        <a class="button" href={link(['start'], again)}>
          Start again
        </a>
      )}
    </>
  );
}
