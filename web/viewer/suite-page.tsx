// A suite: its tests, what it varies, its values, and its latest runs.

import type { VNode } from 'preact';
import { variableText } from '../../src/report/text/variable-text.ts';
import { link } from '../route.ts';
import { DataTable } from '../ui/figure.tsx';
import { Line } from '../ui/text.tsx';
import type { Definitions, ListedRun, ListedSuite } from './answers.ts';
import { address } from './api.ts';
import { Page, Waiting } from './page.tsx';
import { RunList } from './run-list.tsx';
import type { Subject } from './subject.ts';
import { findSubject } from './subject.ts';
import { SuiteValues } from './suite-values.tsx';
import { Trend } from './trend.tsx';
import { useAnswer } from './use-answer.ts';

const LATEST = 20;

export function SuitePage({ id }: { id: string }): VNode {
  const asked = useAnswer<Definitions>(address(['definitions']));
  const runs = useAnswer<{ runs: ListedRun[] }>(address(['runs'], { suite: id, limit: LATEST }));
  const subject = asked.value === undefined ? undefined : findSubject(asked.value, { suite: id });
  const suite = subject?.suite;
  return (
    <Page
      title={`Suite: ${suite?.name ?? id}`}
      id={`suite ${id}`}
      actions={
        suite !== undefined && (
          <a class="button primary" href={link(['start'], { suite: id })}>
            Start a run
          </a>
        )
      }
    >
      {asked.value === undefined && <Waiting {...asked} />}
      {asked.value !== undefined && suite === undefined && (
        <p class="banner warn">This suite has no definition any more; its runs are still here.</p>
      )}
      {subject !== undefined && suite !== undefined && (
        <>
          <SuiteFacts subject={subject} suite={suite} />
          <h2>Values</h2>
          <SuiteValues subject={subject} suite={suite} reload={asked.reload} />
        </>
      )}
      {runs.value !== undefined && runs.value.runs.length > 0 && <Latest runs={runs.value.runs} id={id} />}
    </Page>
  );
}

function SuiteFacts({ subject, suite }: { subject: Subject; suite: ListedSuite }): VNode {
  return (
    <>
      {suite.description !== undefined && (
        <p>
          <Line text={suite.description} />
        </p>
      )}
      <p class="note">
        <Line text={suite.file} />
      </p>
      <h2>Tests</h2>
      <ul class="short card">
        {subject.tests.map(({ definition }) => (
          <li key={definition.id}>
            <a href={link(['test'], { test: definition.id })}>
              <Line text={definition.name} limit={100} />
            </a>
            <span class="note">
              <Line text={definition.type} limit={60} />
            </span>
          </li>
        ))}
      </ul>
      {suite.matrix !== undefined && (
        <>
          <h2>Varies</h2>
          <DataTable
            label="Matrix"
            head={['variable', 'values']}
            rows={Object.entries(suite.matrix).map(([name, values]) => [
              name,
              values.map(variableText).join(', '),
            ])}
          />
        </>
      )}
    </>
  );
}

function Latest({ runs, id }: { runs: readonly ListedRun[]; id: string }): VNode {
  return (
    <>
      <h2>Latest runs</h2>
      <Trend
        title="Trend"
        note="Pass rate and duration of the latest runs of this suite."
        points={runs.flatMap(({ run_id, started_at, summary }) =>
          summary === null
            ? []
            : [
                {
                  name: run_id,
                  started_at,
                  rate: summary.overall_pass_rate,
                  duration_ms: summary.duration_ms,
                },
              ],
        )}
      />
      <RunList runs={runs} />
      <p>
        <a href={link([], { suite: id })}>All its runs</a>
      </p>
    </>
  );
}
