// One case over all its runs: status, pass rate and duration.

import type { VNode } from 'preact';
import type { CaseInRun } from '../../src/history/store/store.ts';
import { oneLine } from '../../src/text/untrusted.ts';
import { link, route, setQuery } from '../route.ts';
import { StatusMark } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { duration, percent } from '../ui/words.ts';
import { address } from './api.ts';
import { caseInRunLink, variablesText } from './case-links.ts';
import { Page, Waiting } from './page.tsx';
import { commitText } from './run-facts.ts';
import { exactTime } from './times.ts';
import { Trend } from './trend.tsx';
import { useAnswer } from './use-answer.ts';

export function CaseHistoryPage({ test, id }: { test: string; id: string }): VNode {
  const url = test === '' || id === '' ? undefined : address(['cases', 'history'], { test, case: id });
  const asked = useAnswer<{ runs: CaseInRun[] }>(url);
  return (
    <Page title={`Case: ${id}`} id={`case ${test} ${id}`}>
      <p class="note prose">
        of the test{' '}
        <a href={link(['test'], { test })}>
          <Line text={test} limit={120} />
        </a>
      </p>
      {asked.value === undefined ? <Waiting {...asked} /> : <History runs={asked.value.runs} />}
    </Page>
  );
}

function History({ runs }: { runs: readonly CaseInRun[] }): VNode {
  const [newest] = runs;
  if (newest === undefined) return <p class="card">The history has no run of this case.</p>;
  // The same id with other variables is another case with its own line.
  const combinations = new Set(runs.map(({ variables }) => variablesText(variables)));
  const wanted = route.value.query.get('with');
  const chosen = wanted !== null && combinations.has(wanted) ? wanted : variablesText(newest.variables);
  const shown = runs.filter(({ variables }) => variablesText(variables) === chosen);
  return (
    <>
      {combinations.size > 1 && (
        <label class="select">
          With{' '}
          <select value={chosen} onChange={(event) => setQuery({ with: event.currentTarget.value })}>
            {[...combinations].map((text) => (
              <option key={text} value={text}>
                {oneLine(text, 120) || 'no variables'}
              </option>
            ))}
          </select>
        </label>
      )}
      <h2 class="off-screen">Over time</h2>
      <Trend
        title="Over its runs"
        note="How many of its attempts passed in each run, and how long one took on average."
        points={shown.map(({ run_id, started_at, pass_rate, avg_duration_ms }) => ({
          name: run_id,
          started_at,
          rate: pass_rate,
          duration_ms: avg_duration_ms,
        }))}
      />
      <RunTable runs={shown} />
    </>
  );
}

function RunTable({ runs }: { runs: readonly CaseInRun[] }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Runs of the case">
      <table class="wide">
        <thead>
          <tr>
            {['Run', 'Status', 'Pass rate', 'Passed', 'Duration', 'Commit'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run_id}>
              <th scope="row">
                <a href={caseInRunLink(run.run_id, run.test_id, run)}>{exactTime(run.started_at)}</a>
              </th>
              <td>
                <StatusMark status={run.status} />
              </td>
              <td>{percent(run.pass_rate)}</td>
              <td>
                {run.passed}/{run.measured}
              </td>
              <td>{duration(run.avg_duration_ms)}</td>
              <td>
                <code>{commitText(run.git) ?? '–'}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
