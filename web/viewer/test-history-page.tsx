// The history of a test: cases as rows, runs as columns, the newest on the right.

import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { link, route, setQuery } from '../route.ts';
import { StatusSign } from '../ui/status.tsx';
import { Line } from '../ui/text.tsx';
import { count, plural } from '../ui/words.ts';
import type { TestHistory } from '../../src/history/store/store.ts';
import type { HistoryCase } from './answers.ts';
import { address } from './api.ts';
import { caseHistoryLink, caseInRunLink, variablesText } from './case-links.ts';
import type { ShownCases } from './history-filter.ts';
import { isFlaky, SHOWN, shownCases } from './history-filter.ts';
import { Page, Waiting } from './page.tsx';
import { commitText } from './run-facts.ts';
import { columnTime, exactTime } from './times.ts';
import { useAnswer } from './use-answer.ts';

const RUNS = 30;
/** Maximum number of rows drawn without a click. */
const ROWS = 100;

const LABELS: Record<ShownCases, string> = { all: 'All', flaky: 'Only flaky', failing: 'Only failing' };

export function TestHistoryPage({ test }: { test: string }): VNode {
  const asked = useAnswer<TestHistory>(
    test === '' ? undefined : address(['tests', 'history'], { test, runs: RUNS }),
  );
  return (
    <Page
      title={`Test: ${test}`}
      id={`test ${test}`}
      actions={
        <a class="button" href={link([], { test })}>
          Its runs
        </a>
      }
    >
      {asked.value === undefined ? <Waiting {...asked} /> : <History history={asked.value} />}
    </Page>
  );
}

function History({ history }: { history: TestHistory }): VNode {
  const [isWhole, setWhole] = useState(false);
  const wanted = route.value.query.get('show');
  const shown = SHOWN.find((one) => one === wanted) ?? 'all';
  const found = shownCases(history.cases, shown);
  const rows = isWhole ? found : found.slice(0, ROWS);
  if (history.runs.length === 0) return <p class="card">The history has no run of this test.</p>;
  return (
    <>
      <div class="chips" role="group" aria-label="Cases">
        {SHOWN.map((one) => (
          <button
            key={one}
            type="button"
            class="chip"
            aria-pressed={one === shown}
            onClick={() => setQuery({ show: one === 'all' ? undefined : one })}
          >
            {LABELS[one]} <span class="note">{count(shownCases(history.cases, one).length)}</span>
          </button>
        ))}
      </div>
      <p class="note" role="status">
        {plural(found.length, 'case')} over {plural(history.runs.length, 'run')}, the newest to the right.
        {history.cases.length < history.total_cases &&
          ` Of ${count(history.total_cases)} cases, those that changed and failed most are here.`}
      </p>
      {rows.length === 0 ? (
        <p class="card">{shown === 'flaky' ? 'No case is flaky.' : 'No case is failing.'}</p>
      ) : (
        <Grid history={history} rows={rows} />
      )}
      {rows.length < found.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {count(found.length)} cases
        </button>
      )}
    </>
  );
}

function Grid({
  history: { test_id, runs },
  rows,
}: {
  history: TestHistory;
  rows: readonly HistoryCase[];
}): VNode {
  const order = runs.map((_, at) => at).reverse();
  const container = useRef<HTMLDivElement>(null);
  // Scrolls to the newest runs, which a narrow window would not show.
  useEffect(
    () => container.current?.scrollTo({ left: container.current.scrollWidth }),
    [test_id, runs.length],
  );
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Cases and runs" ref={container}>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Case</th>
            {order.map((at) => (
              <RunHeading key={at} run={runs[at]} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={`${one.case_id} ${JSON.stringify(one.variables)}`}>
              <CaseName one={one} test={test_id} />
              {order.map((at) => {
                const [run, status] = [runs[at], one.statuses[at] ?? null];
                if (run === undefined) return null;
                if (status === null) return <td key={at} aria-label="not there" />;
                return (
                  <td key={at}>
                    <a class="cell-link" href={caseInRunLink(run.run_id, test_id, one)}>
                      <StatusSign status={status} />
                    </a>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunHeading({ run }: { run: TestHistory['runs'][number] | undefined }): VNode | null {
  if (run === undefined) return null;
  const time = columnTime(run.started_at);
  const text = `${time}: run ${run.run_id}, ${exactTime(run.started_at)}, ${count(run.passed)} passed, ${count(run.failed)} failed`;
  return (
    <th scope="col">
      <a
        href={link(['run', run.run_id])}
        title={[text, commitText(run.git) ?? ''].join(' ').trim()}
        aria-label={text}
      >
        <span aria-hidden="true">{time}</span>
      </a>
    </th>
  );
}

function CaseName({ one, test }: { one: HistoryCase; test: string }): VNode {
  const variables = variablesText(one.variables);
  return (
    <th scope="row">
      <a href={caseHistoryLink(test, one)}>
        <Line text={one.case_id} limit={80} />
      </a>
      {one.flips > 0 && (
        <p class="note">
          {plural(one.flips, 'flip')} {isFlaky(one) && <span class="flaky">flaky</span>}
        </p>
      )}
      {variables !== '' && (
        <p class="note">
          <Line text={variables} limit={120} />
        </p>
      )}
    </th>
  );
}
